package io.eyewall.client.acking;

import org.apache.storm.executor.TupleInfo;
import org.apache.storm.utils.RotatingMap;

/**
 * The messages of one spout executor that are neither acked nor failed, and what becomes of them. A message is in upstream's own map, which
 * limits their number and lets them time out, and its root is in the ledger: in both or in none. Used by the executor's thread.
 *
 * <p>What comes for a root that is not there is late, double or for a predecessor of this executor, and is ignored, as upstream's acker
 * and spout do between them.
 */
final class PendingMessages {

    private final Ledger ledger = new Ledger();
    private final RotatingMap<Long, TupleInfo> messages;
    private final Outcome outcome;

    /**
     * Starts with none.
     *
     * @param messages by root id; empty. Whoever lets messages expire from it tells {@link #expired}
     * @param outcome is told what becomes of the messages
     */
    PendingMessages(RotatingMap<Long, TupleInfo> messages, Outcome outcome) {
        this.messages = messages;
        this.outcome = outcome;
    }

    /** A message was emitted as tuples whose ids have the XOR {@code outstanding}. */
    void emitted(TupleInfo message, long outstanding) {
        messages.put(message.getRootId(), message);
        ledger.open(message.getRootId(), outstanding);
    }

    /** Applies what an executor has sent; the outcomes follow within. */
    void apply(AckBatch batch) {
        for (int i = 0; i < batch.size(); i++) {
            long root = batch.root(i);
            long kind = batch.kind(i);
            if (kind == AckBatch.ACK) {
                if (ledger.settle(root, batch.value(i))) {
                    outcome.acked(messages.remove(root));
                }
            } else if (kind == AckBatch.FAIL) {
                if (ledger.close(root)) {
                    outcome.failed(messages.remove(root));
                }
            } else {
                TupleInfo message = messages.get(root);
                if (message != null) {
                    messages.put(root, message);
                }
            }
        }
    }

    /** The message has left the map because its time was over. */
    void expired(TupleInfo message) {
        ledger.close(message.getRootId());
    }

    /** How many roots are open. */
    int size() {
        return ledger.size();
    }

    /** What becomes of a message. */
    interface Outcome {
        void acked(TupleInfo message);

        void failed(TupleInfo message);
    }
}
