package io.eyewall.examples.measuring;

import java.io.Serializable;

/**
 * The clock of a component. Serializable, because Storm sends components to the workers together with their clock.
 */
public interface Clock extends Serializable {

    /**
     * Nanoseconds since an arbitrary origin that all processes of a host share.
     */
    long nanoTime();

    /**
     * Milliseconds since 1970.
     */
    long epochMs();

    /**
     * Puts the calling thread to sleep. If the thread is interrupted, returns early and keeps the thread's interrupt flag set.
     */
    void sleepNs(long durationNs);
}
