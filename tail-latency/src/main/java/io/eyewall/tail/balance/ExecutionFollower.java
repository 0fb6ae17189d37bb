package io.eyewall.tail.balance;

import io.eyewall.client.seam.ExecutorProbe;
import io.eyewall.client.time.NanoClock;
import java.util.Collection;
import java.util.List;
import org.apache.storm.executor.TupleInfo;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.TupleImpl;

/**
 * Notifies a {@link LatencySampler} when the executor has executed the tuple that the sampler follows. Used by the executor's thread.
 */
final class ExecutionFollower implements ExecutorProbe {

    private final LatencySampler sampler;
    private final NanoClock clock;

    /** Whether the followed tuple is being executed. */
    private boolean executing;
    private long insertedNs;
    private long beganNs;
    private long executed;

    ExecutionFollower(LatencySampler sampler, NanoClock clock) {
        this.sampler = sampler;
        this.clock = clock;
    }

    @Override
    public void executing(int taskId, TupleImpl tuple) {
        if (sampler.isFollowed(tuple)) {
            executing = true;
            insertedNs = sampler.insertedNs();
            beganNs = clock.nanoTime();
        }
    }

    @Override
    public void executed(int taskId, TupleImpl tuple) {
        if (!sampler.isPaused()) {
            executed++;
        }
        if (executing) {
            executing = false;
            long nowNs = clock.nanoTime();
            sampler.executed(taskId, Math.max(1, nowNs - insertedNs), nowNs - beganNs, executed);
            executed = 0;
        }
    }

    @Override
    public void rootEmitting(String streamId, List<Object> values) {
        // Only input is followed.
    }

    @Override
    public void anchoring(Collection<Tuple> anchors) {
        // Only input is followed.
    }

    @Override
    public void emitted() {
        // Only input is followed.
    }

    @Override
    public void emitting(AddressedTuple tuple, boolean again) {
        // Only input is followed.
    }

    @Override
    public void acking(Tuple tuple) {
        // A tuple is followed until it is executed.
    }

    @Override
    public void completed(TupleInfo message) {
        // Only bolts are followed.
    }

    @Override
    public void failed(TupleInfo message) {
        // Only bolts are followed.
    }
}
