package io.eyewall.client.engine;

/** Learns of the elements that arrive in a {@link WakingQueue}. */
@FunctionalInterface
public interface ArrivalListener {

    /** An element is in the queue, or was for a moment; called on the producer's thread, before that wakes the consumer. Must not throw. */
    void arrived(Object element);
}
