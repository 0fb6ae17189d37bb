package io.eyewall.client.seam;

import org.apache.storm.utils.JCQueue;

/**
 * The seam <em>receive-queue</em>: makes the queue in which an executor receives its tuples.
 */
@FunctionalInterface
public interface ReceiveQueues {

    /** Upstream's way. */
    ReceiveQueues UPSTREAM = QueueRequest::upstreamQueue;

    /**
     * Makes the queue of one executor, on the thread that starts the worker or, later, changes it. Upstream registers a queue's metrics
     * under its name, so make only one queue for each request.
     */
    JCQueue receiveQueue(QueueRequest request);
}
