package io.eyewall.examples.measuring;

import java.io.Serializable;

/**
 * Time, as components are given it. Serializable, because components travel to the workers with their clock.
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
     * Puts the calling thread to sleep. Returns early, with the thread's interrupt flag set, when it is interrupted.
     */
    void sleepNs(long durationNs);
}
