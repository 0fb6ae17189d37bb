package io.eyewall.tail.recording;

import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.TupleImpl;

/**
 * The times that a recorded tuple carries, in nanoseconds of the clock of the host that it is on. Fields are written by the thread that
 * holds the tuple; queues hand them on.
 */
final class LatencyStamp {

    /** When the spout emitted the message. */
    final long rootNs;
    /** When the spout's message was due, or 0. */
    final long dueNs;
    /** When this tuple was emitted. */
    final long emittedNs;
    /** The largest error of times that were taken on other hosts. */
    final long errorNs;
    /** When this tuple was last offered again to a queue that had been full, or 0. */
    long offeredAgainNs;
    /** When this tuple, which came from another worker, was deserialized, or 0. */
    long arrivedNs;
    /** When this tuple was inserted into the receive queue that it is in, or into its overflow list. */
    long enqueuedNs;
    /** Whether it was inserted into the overflow list, since the receive queue was full. */
    boolean overflowed;
    /** Whether serializing this tuple was recorded; it is serialized again each time that it is offered again. */
    boolean serialized;
    /** The recorders of the task that took this tuple, once it was taken. */
    InputHops hops;
    /** The thread that emits tuples anchored to this one, and when it began to. */
    Thread emitter;
    long emittingSinceNs;

    LatencyStamp(long rootNs, long dueNs, long emittedNs, long errorNs) {
        this.rootNs = rootNs;
        this.dueNs = dueNs;
        this.emittedNs = emittedNs;
        this.errorNs = errorNs;
    }

    /** The stamp that a tuple carries, or null. */
    static LatencyStamp of(Tuple tuple) {
        return tuple instanceof TupleImpl woven && woven.getEyewallStamp() instanceof LatencyStamp stamp ? stamp : null;
    }

    /** The time since which only its producer's batch has kept this tuple from the receive queue. */
    long readyNs() {
        if (arrivedNs != 0) {
            return arrivedNs;
        }
        return offeredAgainNs != 0 ? offeredAgainNs : emittedNs;
    }
}
