package io.eyewall.elasticity.henge;

/** What may be done for a topology that misses its SLO. */
public enum RemedyKind {

    /** More executors for its congested operators. */
    EXECUTORS,
    /** Another place for its executors: away from machines that are busy, or on which an executor is slower than its siblings. */
    PLACE,
    /** Load balancing by latency, if an executor is slower than its siblings: its senders give it less. */
    BALANCING,
    /** The adaptive timeout, if only a high percentile of its latency is too long. */
    TIMEOUT,
    /** The targets of deadlines that its spouts state, if its machines are busy: messages with a short one then come first. */
    DEADLINES
}
