package io.eyewall.tail.recording;

/**
 * What a recorded tuple carries: when things happened to it, in nanoseconds of the clock of the host that it is on. Fields are written by
 * the thread that holds the tuple; queues hand them on.
 */
final class LatencyStamp {

    /** When the spout emitted the message. */
    long rootNs;
    /** When the spout's message was due, or 0. */
    long dueNs;
    /** When this tuple was emitted. */
    long emittedNs;
    /** When this tuple was last offered again to a queue that had been full, or 0. */
    long offeredAgainNs;
    /** When this tuple was inserted into the receive queue that it is in. */
    long enqueuedNs;
    /** By how much the times that were taken on other hosts may be wrong. */
    long errorNs;
    /** Where the task that took this tuple records it, once it was taken. */
    InputHops.Hops hops;
    /** Whether this tuple came from another worker. */
    boolean remote;

    LatencyStamp(long rootNs, long dueNs, long emittedNs) {
        this.rootNs = rootNs;
        this.dueNs = dueNs;
        this.emittedNs = emittedNs;
    }
}
