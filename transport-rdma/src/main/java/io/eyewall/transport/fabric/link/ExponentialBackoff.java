package io.eyewall.transport.fabric.link;

/**
 * The pauses between attempts: each is twice the one before, up to a longest pause. With 10 ms and 1000 ms: 10, 20, 40, ..., 640, 1000,
 * 1000, ... For one thread at a time.
 */
final class ExponentialBackoff {

    private final long firstMs;
    private final long longestMs;
    private long nextMs;

    ExponentialBackoff(long firstMs, long longestMs) {
        this.firstMs = Math.min(firstMs, longestMs);
        this.longestMs = longestMs;
        reset();
    }

    /** The pause before the next attempt, in milliseconds. */
    long next() {
        long pauseMs = nextMs;
        nextMs = Math.min(longestMs, 2 * nextMs);
        return pauseMs;
    }

    /** Begins with the first pause again, after an attempt that succeeded. */
    void reset() {
        nextMs = firstMs;
    }
}
