package io.eyewall.client.acking;

import com.codahale.metrics.Gauge;
import io.eyewall.client.seam.woven.WovenProbes;
import io.eyewall.client.substitute.SingleAnchorMessageId;
import io.eyewall.client.time.NanoClock;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.storm.daemon.Acker;
import org.apache.storm.daemon.worker.WorkerState;
import org.apache.storm.executor.bolt.BoltExecutor;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.TupleImpl;

/**
 * An executor of bolt tasks that sends its acks to the ledgers of spout tasks.
 *
 * <p>A batch is one tuple on the stream {@value Acker#ACKER_ACK_STREAM_ID}, addressed to the spout task. Upstream declares that stream for
 * every bolt, so the streams of the topology, and their numbers between workers, are upstream's. If the receiving queue is full, the tuple
 * waits among the executor's pending emits, like any other. A spout takes from its queue even while it cannot emit, so that no two
 * executors wait for each other.
 */
final class LedgerBoltExecutor extends BoltExecutor {

    private final AckOutbox outbox;
    /** Null if trees are never cancelled. */
    private final CancelledRoots cancelled;
    /** The number of tuples that were dropped. */
    private final AtomicLong dropped = new AtomicLong();
    /** The thread that runs this executor, written by itself before it calls a bolt. Acks of other threads do not wait in the outbox. */
    private volatile Thread owner;

    LedgerBoltExecutor(WorkerState worker, List<Long> executorId, Map<String, String> credentials, Collection<Integer> spoutTasks,
            CancelledRoots cancelled, NanoClock clock) {
        super(worker, executorId, credentials);
        this.cancelled = cancelled;
        outbox = new AckOutbox(spoutTasks, clock, this::send);
        if (cancelled != null) {
            worker.getMetricRegistry().gauge("cancelled-tuples", (Gauge<Long>) dropped::get, getComponentId(),
                executorId.get(0).intValue());
        }
    }

    /** Probes see a dropped tuple as one that is executed in no time. */
    @Override
    public void tupleActionFn(int taskId, TupleImpl tuple) throws Exception {
        runsHere();
        if (cancelled == null || !(isCancelled(tuple) || CancelNotice.take(tuple, cancelled))) {
            super.tupleActionFn(taskId, tuple);
        } else {
            WovenProbes.executing(this, taskId, tuple);
            WovenProbes.executed(this, taskId, tuple);
        }
        outbox.executed();
    }

    /** Notes the thread that runs this executor. */
    void runsHere() {
        Thread thread = Thread.currentThread();
        if (owner != thread) {
            owner = thread;
        }
    }

    void ack(long root, long value) {
        if (Thread.currentThread() == owner) {
            outbox.ack(root, value);
        } else {
            outbox.sendAlone(root | AckBatch.ACK, value);
        }
    }

    void fail(long root) {
        if (Thread.currentThread() == owner) {
            outbox.fail(root);
        } else {
            outbox.sendAlone(root | AckBatch.FAIL, 0);
        }
    }

    void resetTimeout(long root) {
        if (Thread.currentThread() == owner) {
            outbox.resetTimeout(root);
        } else {
            outbox.sendAlone(root | AckBatch.RESET_TIMEOUT, 0);
        }
    }

    /** Sends the acks that wait, if the calling thread is the one that runs this executor. */
    void flushAcks() {
        if (Thread.currentThread() == owner) {
            outbox.flush();
        }
    }

    /** Called when the input has run dry, or when an emit must wait. */
    @Override
    public void flush() {
        super.flush();
        outbox.flush();
        owner = null; // The executor may continue on another thread, and this thread may run another executor.
    }

    /** Drops a tuple whose trees are all cancelled: acks it and returns true. */
    private boolean isCancelled(TupleImpl tuple) {
        if (tuple.getMessageId() instanceof SingleAnchorMessageId anchor) {
            if (!cancelled.contains(anchor.root())) {
                return false;
            }
            outbox.ack(anchor.root(), anchor.id());
        } else {
            Map<Long, Long> anchorsToIds = tuple.getMessageId().getAnchorsToIds();
            if (anchorsToIds.isEmpty() || !anchorsToIds.keySet().stream().allMatch(cancelled::contains)) {
                return false;
            }
            anchorsToIds.forEach(outbox::ack);
        }
        dropped.incrementAndGet();
        return true;
    }

    private void send(int spoutTask, AckBatch batch) {
        TupleImpl tuple = new TupleImpl(getWorkerTopologyContext(), Arrays.asList(batch, null), getComponentId(), getTaskIds().get(0),
            Acker.ACKER_ACK_STREAM_ID);
        getExecutorTransfer().tryTransfer(new AddressedTuple(spoutTask, tuple), getPendingEmits());
    }
}
