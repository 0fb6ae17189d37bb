package io.eyewall.client.seam;

import java.util.ArrayList;

/**
 * The seam <em>received-tuple</em>: a receive queue that takes tuples from other workers in another way than those of this worker.
 * Upstream's queues have one way for both.
 */
public interface ReceivingQueue {

    /**
     * Takes tuples that came from another worker in their order, and removes from the list those that it has taken; it is full for the
     * others. Called on the thread that received them.
     */
    @SuppressWarnings("NonApiType") // Upstream's queue inserts an ArrayList.
    void receive(ArrayList<Object> tuples);

    /** Takes a group of one; returns false if the queue is full. */
    default boolean tryReceive(Object tuple) {
        ArrayList<Object> group = new ArrayList<>(1);
        group.add(tuple);
        receive(group);
        return group.isEmpty();
    }
}
