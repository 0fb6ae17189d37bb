package io.eyewall.client.acking;

import java.util.HashMap;
import java.util.Map;
import org.apache.storm.executor.TupleInfo;
import org.apache.storm.utils.RotatingMap;

/**
 * The messages of one spout executor that are neither acked nor failed, and what becomes of them. Stands in the place of upstream's map of
 * two buckets, in which each message costs a boxed root, a node and the way through both: there are two ledgers, of messages that were
 * emitted, or given a new timeout, since the last tick and before it. Used by the executor's thread.
 *
 * <p>What comes for a root that is not there is late, double or for a predecessor of this executor, and is ignored, as upstream's acker
 * and spout do between them.
 */
final class PendingMessages extends RotatingMap<Long, TupleInfo> {

    private static final int BUCKETS = 2;

    private final ExpiredCallback<Long, TupleInfo> expired;
    private final Outcome outcome;
    private Ledger<TupleInfo> young = new Ledger<>();
    private Ledger<TupleInfo> old = new Ledger<>();

    /**
     * Starts with none.
     *
     * @param expired is told which messages have timed out
     * @param outcome is told what becomes of the others
     */
    PendingMessages(ExpiredCallback<Long, TupleInfo> expired, Outcome outcome) {
        super(BUCKETS, expired);
        this.expired = expired;
        this.outcome = outcome;
    }

    /** A message was emitted as tuples whose ids have the XOR {@code outstanding}. */
    void emitted(TupleInfo message, long outstanding) {
        young.open(message.getRootId(), outstanding, message);
    }

    /** Applies what an executor has sent; the outcomes follow within. */
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

    /** A tick: the messages from before the last one have timed out, which answers with them. The spout may emit when it is told. */
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

    /** Gives a message a new timeout: none is entered in this way, since nothing would be outstanding of it. */
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

    /** What becomes of a message. */
    interface Outcome {
        void acked(TupleInfo message);

        void failed(TupleInfo message);
    }
}
