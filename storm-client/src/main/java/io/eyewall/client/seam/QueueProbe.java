package io.eyewall.client.seam;

/**
 * Watches the elements that pass through one queue of a worker: tuples with their destination in a receive queue, serialized messages
 * in the transfer queue. Never throws.
 */
public interface QueueProbe {

    /** An element is about to be inserted, or is offered again because the queue was full; called on the producing thread. */
    void inserting(Object element);

    /**
     * An element from another worker, or from a bolt in a loop with this one, is about to go to the overflow list of a full receive queue;
     * called on the thread that inserts it.
     */
    default void overflowing(Object element) {
    }

    /** The transfer queue's consumer took an element; called on the transfer thread, and not called for receive queues. */
    default void taken(Object element) {
    }
}
