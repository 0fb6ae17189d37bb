package io.eyewall.client.seam;

/**
 * What every {@code JCQueue} is once woven (the seam <em>queue-probe</em>): a queue that can be watched. A feature sets the probe when the
 * queue is made, through {@link ReceiveQueues} or {@link WorkerTransfers}, before any other thread sees it.
 */
public interface ProbedQueue {

    /** What watches this queue, or null. */
    QueueProbe getEyewallProbe();

    void setEyewallProbe(QueueProbe probe);
}
