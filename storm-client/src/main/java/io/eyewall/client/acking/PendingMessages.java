package io.eyewall.client.acking;

import java.util.HashMap;
import java.util.Map;
import org.apache.storm.executor.TupleInfo;
import org.apache.storm.utils.RotatingMap;

/**
 * The messages of one spout executor that are neither acked nor failed. It takes the place of upstream's map of two buckets, in which each
 * message costs a boxed root, a node and a look-up in both buckets. Here there are two ledgers: one for messages that were emitted or got a
 * new timeout since the last tick, and one for older messages. Used by the executor's thread.
 *
 * <p>An entry for a root that is not there is late, a duplicate, or for a predecessor of this executor. It is ignored, as upstream's acker
 * and spout together do.
 */
final class PendingMessages extends RotatingMap<Long, TupleInfo> {

    private static final int BUCKETS = 2;

    private final ExpiredCallback<Long, TupleInfo> expired;
    private final Outcome outcome;
    private Ledger<TupleInfo> young = new Ledger<>();
    private Ledger<TupleInfo> old = new Ledger<>();

    /**
     * Without any message.
     *
     * @param expired called with each message that has timed out
     * @param outcome called with the outcome of each other message
     */
    PendingMessages(ExpiredCallback<Long, TupleInfo> expired, Outcome outcome) {
        super(BUCKETS, expired);
        this.expired = expired;
        this.outcome = outcome;
    }

    /** Adds a message that was emitted as tuples whose ids have the XOR {@code outstanding}. */
    void emitted(TupleInfo message, long outstanding) {
        young.open(message.getRootId(), outstanding, message);
    }

    /** Applies a batch from an executor; calls the outcomes before it returns. */
    void apply(AckBatch batch) {
        for (int i = 0; i < batch.size(); i++) {
            long root = batch.root(i);
            long kind = batch.kind(i);
            if (kind == AckBatch.ACK) {
                TupleInfo complete = young.settle(root, batch.value(i));
                if (complete == null && old.size() > 0) {
                    complete = old.settle(root, batch.value(i));
                }
                if (complete != null) {
                    outcome.acked(complete);
                }
            } else if (kind == AckBatch.FAIL) {
                TupleInfo failed = remove(root);
                if (failed != null) {
                    outcome.failed(failed);
                }
            } else {
                old.move(root, young);
            }
        }
    }

    /**
     * Handles a tick: messages from before the last tick have timed out, and are returned. The spout may emit while it is called for them.
     */
    @Override
    public Map<Long, TupleInfo> rotate() {
        Map<Long, TupleInfo> dead = new HashMap<>();
        old.forEach(message -> dead.put(message.getRootId(), message));
        old.clear();
        Ledger<TupleInfo> empty = old;
        old = young;
        young = empty;
        dead.forEach(expired::expire);
        return dead;
    }

    @Override
    public boolean containsKey(Long root) {
        return get(root) != null;
    }

    @Override
    public TupleInfo get(Long root) {
        TupleInfo message = young.get(root);
        return message == null ? old.get(root) : message;
    }

    /** Gives a message a new timeout. It enters no message, since no tuple of it would be outstanding. */
    @Override
    public void put(Long root, TupleInfo message) {
        old.move(root, young);
    }

    @Override
    public TupleInfo remove(Long root) {
        return remove(root.longValue());
    }

    @Override
    public int size() {
        return young.size() + old.size();
    }

    private TupleInfo remove(long root) {
        TupleInfo message = young.close(root);
        return message == null ? old.close(root) : message;
    }

    /** The outcome of a message. */
    interface Outcome {
        void acked(TupleInfo message);

        void failed(TupleInfo message);
    }
}
