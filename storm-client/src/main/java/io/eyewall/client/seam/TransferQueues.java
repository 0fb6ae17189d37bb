package io.eyewall.client.seam;

import org.apache.storm.utils.JCQueue;

/**
 * The seam <em>transfer-queue</em>: makes the queue in which messages for other workers wait for the transfer thread.
 */
@FunctionalInterface
public interface TransferQueues {

    /** Upstream's way. */
    TransferQueues UPSTREAM = QueueRequest::upstreamQueue;

    /** Makes the queue of one worker, on the thread that starts it; the component and task of the request are the system's. */
    JCQueue transferQueue(QueueRequest request);
}
