package io.eyewall.examples.measuring;

import java.util.concurrent.locks.LockSupport;

/**
 * The clock of the host. Safe for any thread.
 */
public enum SystemClock implements Clock {
    INSTANCE;

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public long epochMs() {
        return System.currentTimeMillis();
    }

    /** Parks, since {@code Thread.sleep} rounds to whole milliseconds in JDK 17. */
    @Override
    public void sleepNs(long durationNs) {
        long startNs = nanoTime();
        for (long leftNs = durationNs; leftNs > 0 && !Thread.currentThread().isInterrupted();
                leftNs = durationNs - (nanoTime() - startNs)) {
            LockSupport.parkNanos(leftNs);
        }
    }
}
