package io.eyewall.client.time;

/**
 * The clock by which Eyewall measures durations and deadlines. Classes take it as a constructor argument, so that a test can move the
 * time. Safe for any thread.
 */
@FunctionalInterface
public interface NanoClock {

    /**
     * The host's monotonic clock ({@link System#nanoTime}). On Linux all processes of a host read the same value, so that one worker can
     * compare its time with that of another worker of the same host.
     */
    NanoClock SYSTEM = System::nanoTime;

    /** Nanoseconds since an arbitrary moment, which is the same for all processes of a host. Compare two times by their difference. */
    long nanoTime();
}
