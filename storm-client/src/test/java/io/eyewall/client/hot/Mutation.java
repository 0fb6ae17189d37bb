package io.eyewall.client.hot;

/** A defect that the simulation has to find. Each was one of the product's, or is a step of the protocol left out. */
enum Mutation {

    /** None: the product as it is. */
    NONE(1),

    /** A worker may be ended as soon as it has nothing to run and has sent nothing on for two seconds, whatever it still holds. */
    DEPARTURE_BY_SILENCE(19),

    /** Of a queue whose executor has ended only the first look is sent on. */
    QUEUE_DRAINED_ONCE(10),

    /** What is inserted into a queue later than a second after its executor has ended stays there. */
    QUEUE_FORGOTTEN_AFTER_A_SECOND(651),

    /** The tracker of back-pressure knows only the tasks that the worker has queues for. */
    TRACKER_OF_OWN_TASKS(10),

    /** A departing worker does not wait for the others to confirm that its own tuples have arrived. */
    DEPARTURE_BEFORE_RECEIPT(278),

    /** A departing worker does not wait until the others have sent it their last tuples. */
    LAST_MARKER_NOT_AWAITED(634),

    /** A marker is sent when the first fence has come out of the queue of outgoing tuples, before the rest of that fence's batch. */
    ONE_FENCE(1733),

    /** A Supervisor lets a worker live for as long as its mark is there. */
    MARK_THAT_IS_NEVER_STALE(23);

    private final long firstSeed;

    Mutation(long firstSeed) {
        this.firstSeed = firstSeed;
    }

    /** The seed from which on it is searched: the first that finds it, unless the protocol has changed since. */
    long firstSeed() {
        return firstSeed;
    }
}
