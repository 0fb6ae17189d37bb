package io.eyewall.client.substitute;

/**
 * The capacity of a bolt's executor as last worked out, and when to do it anew. Upstream goes through the counts of ten minutes for it at
 * every tuple that its metrics sample, which takes longer than all else that it does for twenty tuples. Here it does so at the first,
 * second, fourth, eighth ... sample of each second. Used by the executor's thread.
 */
public final class CapacityMemory {

    private long second = -1;
    private int samples;
    private double capacity;

    /** Takes note of a sample in a second of the worker's life; answers whether the capacity is to be worked out anew. */
    public boolean isDue(long uptimeSecs) {
        if (uptimeSecs != second) {
            second = uptimeSecs;
            samples = 0;
        }
        samples++;
        return Integer.bitCount(samples) == 1;
    }

    /** As last worked out. */
    public double capacity() {
        return capacity;
    }

    public void workedOut(double newCapacity) {
        capacity = newCapacity;
    }
}
