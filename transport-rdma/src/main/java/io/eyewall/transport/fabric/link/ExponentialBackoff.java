package io.eyewall.transport.fabric.link;

/**
 * How long to wait before the next attempt: doubling from a first wait up to a longest. With 10 and 1000 ms: 10, 20, 40, ..., 640, 1000,
 * 1000, ...
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

    /** The wait before the next attempt, in milliseconds. */
    long next() {
        long waitMs = nextMs;
        nextMs = Math.min(longestMs, 2 * nextMs);
        return waitMs;
    }

    /** An attempt succeeded. */
    void reset() {
        nextMs = firstMs;
    }
}
