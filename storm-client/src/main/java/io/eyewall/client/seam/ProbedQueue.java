package io.eyewall.client.seam;

/**
 * What every {@code JCQueue} is once woven (the seam <em>queue-probe</em>): a queue that can be watched. A feature adds its probe when
 * the queue is made, through {@link ReceiveQueues} or {@link WorkerTransfers}, before any other thread sees it.
 */
public interface ProbedQueue {

    /** What watches this queue, or null. */
    QueueProbe getEyewallProbe();

    /** Lets {@code probe}, and nobody else, watch: for {@link #addEyewallProbe}. */
    void setEyewallProbe(QueueProbe probe);

    /** Lets {@code probe} watch as well, after those that do already. */
    default void addEyewallProbe(QueueProbe probe) {
        QueueProbe first = getEyewallProbe();
        setEyewallProbe(first == null ? probe : new BothQueueProbes(first, probe));
    }
}
