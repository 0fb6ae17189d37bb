package io.eyewall.client.seam;

/**
 * The seam <em>queue-probe</em>, woven into {@code JCQueue}: a queue that a probe can watch. A feature adds its probe when the queue is
 * made, through {@link ReceiveQueues} or {@link WorkerTransfers}, before any other thread sees the queue.
 */
public interface ProbedQueue {

    /** The probe of this queue, or null. */
    QueueProbe getEyewallProbe();

    /** Replaces the probe; for {@link #addEyewallProbe}. */
    void setEyewallProbe(QueueProbe probe);

    /** Adds a probe, which is called after those that are there. */
    default void addEyewallProbe(QueueProbe probe) {
        QueueProbe first = getEyewallProbe();
        setEyewallProbe(first == null ? probe : new BothQueueProbes(first, probe));
    }
}
