package io.eyewall.tail.recording;

import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.TupleImpl;

/**
 * What a recorded tuple carries: when things happened to it, in nanoseconds of the clock of the host that it is on. Fields are written by
 * the thread that holds the tuple; queues hand them on.
 */
final class LatencyStamp {

    /** When the spout emitted the message. */
    final long rootNs;
    /** When the spout's message was due, or 0. */
    final long dueNs;
    /** When this tuple was emitted. */
    final long emittedNs;
    /** By how much the times that were taken on other hosts may be wrong. */
    final long errorNs;
    /** When this tuple was last offered again to a queue that had been full, or 0. */
    long offeredAgainNs;
    /** When this tuple, which came from another worker, was deserialized, or 0. */
    long arrivedNs;
    /** When this tuple was inserted into the receive queue that it is in, or kept beside it. */
    long enqueuedNs;
    /** Whether it was kept beside the receive queue, which was full. */
    boolean overflowed;
    /** Whether serializing this tuple was recorded: it is serialized anew each time that it is offered again. */
    boolean serialized;
    /** Where the task that took this tuple records it, once it was taken. */
    InputHops hops;
    /** The thread that emits tuples anchored to this one, and since when. */
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

    /** Since when nothing but its batch has kept this tuple from the receive queue. */
    long readyNs() {
        if (arrivedNs != 0) {
            return arrivedNs;
        }
        return offeredAgainNs != 0 ? offeredAgainNs : emittedNs;
    }
}
