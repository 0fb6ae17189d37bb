package io.eyewall.client.seam;

/**
 * The seam <em>received-tuple</em>: a receive queue that takes tuples from other workers in another way than those of this worker.
 * Upstream's queues have one way for both.
 */
public interface ReceivingQueue {

    /**
     * Takes a tuple that came from another worker; called on the thread that received it.
     *
     * @return false if the queue is full
     */
    boolean tryReceive(Object tuple);
}
