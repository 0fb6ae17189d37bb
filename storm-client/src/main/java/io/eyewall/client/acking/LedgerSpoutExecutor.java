package io.eyewall.client.acking;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.storm.daemon.Acker;
import org.apache.storm.daemon.Task;
import org.apache.storm.daemon.worker.WorkerState;
import org.apache.storm.executor.TupleInfo;
import org.apache.storm.executor.spout.SpoutExecutor;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.TupleImpl;
import org.apache.storm.utils.RotatingMap;
import org.apache.storm.utils.Time;

/**
 * An executor of spout tasks that keeps the ledger of their messages. Ticks let messages time out as upstream's do.
 */
final class LedgerSpoutExecutor extends SpoutExecutor implements TreeCanceller {

    private static final String FAILED = "FAIL-STREAM";

    /** Created before the first task's collector and before the executor takes a tuple. */
    private PendingMessages pending;
    /** Null if trees are never cancelled. */
    private final CancelledTrees cancelled;

    LedgerSpoutExecutor(WorkerState worker, List<Long> executorId, Map<String, String> credentials, CancelledTrees cancelled) {
        super(worker, executorId, credentials);
        this.cancelled = cancelled;
    }

    /** Creates the map that keeps the messages of all tasks of this executor. */
    PendingMessages keepPending(RotatingMap.ExpiredCallback<Long, TupleInfo> expired) {
        pending = new PendingMessages(expired, new Outcomes());
        return pending;
    }

    /** The messages of all tasks of this executor. */
    PendingMessages pending() {
        return pending;
    }

    @Override
    public void tupleActionFn(int taskId, TupleImpl tuple) throws Exception {
        if (tuple.size() > 0 && tuple.getValue(0) instanceof AckBatch batch) {
            pending.apply(batch);
        } else if (Acker.ACKER_INIT_STREAM_ID.equals(tuple.getSourceStreamId())) {
            pending.apply(AckBatch.of(tuple.getLong(0) | AckBatch.ACK, tuple.getLong(1)));
        } else {
            super.tupleActionFn(taskId, tuple);
        }
    }

    @Override
    public void cancel(long root) {
        if (cancelled != null && cancelled.add(root)) {
            announce();
        }
    }

    /** A notice is one tuple for each worker, on a stream that upstream declares for every spout. */
    @Override
    public void announce() {
        AckBatch batch = cancelled == null ? null : cancelled.take();
        if (batch != null) {
            for (int task : cancelled.tasks()) {
                TupleImpl tuple = new TupleImpl(getWorkerTopologyContext(), Arrays.asList(batch, null, null), getComponentId(),
                    getTaskIds().get(0), Acker.ACKER_INIT_STREAM_ID);
                getExecutorTransfer().tryTransfer(new AddressedTuple(task, tuple), getPendingEmits());
            }
        }
    }

    /**
     * Completes a message that went to no task. This happens when the executor next looks into its queue and not within the emit, since a
     * spout that emits when it gets an ack would call itself for ever. The message is entered in the same way in which upstream sends it to
     * an acker.
     */
    void settleLater(TupleInfo message) {
        TupleImpl tuple = new TupleImpl(getWorkerTopologyContext(), List.of(message.getRootId(), 0L, message.getTaskId()),
            getComponentId(), message.getTaskId(), Acker.ACKER_INIT_STREAM_ID);
        getExecutorTransfer().tryTransfer(new AddressedTuple(message.getTaskId(), tuple), getPendingEmits());
    }

    /** Reports outcomes to the spout, its hooks and its metrics through upstream's methods. */
    private final class Outcomes implements PendingMessages.Outcome {
        @Override
        public void acked(TupleInfo message) {
            ackSpoutMsg(LedgerSpoutExecutor.this, taskOf(message), latencyMs(message), message);
        }

        @Override
        public void failed(TupleInfo message) {
            failSpoutMsg(LedgerSpoutExecutor.this, taskOf(message), latencyMs(message), message, FAILED);
        }

        private Task taskOf(TupleInfo message) {
            return idToTask.get(message.getTaskId() - idToTaskBase);
        }

        /** Null for a message that Storm's metrics do not sample. */
        private Long latencyMs(TupleInfo message) {
            return message.getTimestamp() == 0 ? null : Time.deltaMs(message.getTimestamp());
        }
    }
}
