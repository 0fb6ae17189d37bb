package io.eyewall.tail.recording;

/**
 * A clock that all workers of a host share.
 */
@FunctionalInterface
public interface NanoClock {

    /** CLOCK_MONOTONIC, which counts from the start of the host and so is the same in every process of it. */
    NanoClock SYSTEM = System::nanoTime;

    /** Nanoseconds since some moment that is the same for every process of this host. */
    long nanoTime();
}
