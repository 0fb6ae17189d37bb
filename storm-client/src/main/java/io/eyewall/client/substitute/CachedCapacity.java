package io.eyewall.client.substitute;

/**
 * The last computed capacity of a bolt's executor, and when to compute it again. Upstream sums up the counts of ten minutes at every tuple
 * that its metrics sample. That takes longer than all other work of upstream for twenty tuples. With this cache it computes the capacity at
 * the first, second, fourth, eighth ... sample of each second. Used by the executor's thread.
 */
public final class CachedCapacity {

    private long second = -1;
    private int samples;
    private double capacity;

    /** Counts a sample in that second of the worker's uptime; returns whether the capacity must be computed again. */
    public boolean isDue(long uptimeSecs) {
        if (uptimeSecs != second) {
            second = uptimeSecs;
            samples = 0;
        }
        samples++;
        return Integer.bitCount(samples) == 1;
    }

    /** The last computed capacity: the share of its time in which the executor was busy. */
    public double capacity() {
        return capacity;
    }

    public void update(double newCapacity) {
        capacity = newCapacity;
    }
}
