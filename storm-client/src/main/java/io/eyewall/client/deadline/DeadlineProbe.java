package io.eyewall.client.deadline;

import io.eyewall.client.seam.DeadlineHolder;
import io.eyewall.client.seam.ExecutorProbe;
import java.util.Collection;
import java.util.List;
import org.apache.storm.executor.TupleInfo;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.TupleImpl;

/** Gives the tuples that one executor emits the deadline of the one that it executes, and measures what that costs. */
final class DeadlineProbe implements ExecutorProbe {

    /** One tuple of so many is measured. */
    private static final int EVERY = 32;
    private static final long NOT_MEASURED = 0;

    private final Deadlines deadlines;
    private final Urgency urgency;
    private final int operator;
    /** The next fields are for the thread that executes tuples. */
    private int untilMeasured = 1;
    private long sinceNs = NOT_MEASURED;

    DeadlineProbe(Deadlines deadlines, Urgency urgency, int operator) {
        this.deadlines = deadlines;
        this.urgency = urgency;
        this.operator = operator;
    }

    @Override
    public void rootEmitting(String streamId, List<Object> values) {
        urgency.emittingMessage(streamId);
    }

    @Override
    public void anchoring(Collection<Tuple> anchors) {
        // What a bolt emits is as urgent as the tuple that it executes, the last of its anchors.
    }

    @Override
    public void emitted() {
        // Nothing is left to do.
    }

    @Override
    public void emitting(AddressedTuple addressed, boolean again) {
        if (!again) {
            ((DeadlineHolder) addressed.getTuple()).setEyewallDeadlineNs(urgency.currentNs());
        }
    }

    @Override
    public void executing(int taskId, TupleImpl tuple) {
        urgency.executing(tuple);
        if (--untilMeasured == 0) {
            untilMeasured = EVERY;
            sinceNs = deadlines.nowNs();
        }
    }

    @Override
    public void executed(int taskId, TupleImpl tuple) {
        if (sinceNs != NOT_MEASURED) {
            deadlines.executed(operator, deadlines.nowNs() - sinceNs);
            sinceNs = NOT_MEASURED;
        }
    }

    @Override
    public void acking(Tuple tuple) {
        urgency.acking(); // An ack itself is a tuple that is emitted.
    }

    @Override
    public void completed(TupleInfo message) {
        // The message needs no deadline any more.
    }

    @Override
    public void failed(TupleInfo message) {
        // If the spout emits the message again, it gets a new deadline.
    }
}
