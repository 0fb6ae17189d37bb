package io.eyewall.examples.measuring;

import java.util.concurrent.TimeUnit;

/**
 * The host's clock. Any thread may use it.
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

    @Override
    public void sleepNs(long durationNs) {
        try {
            TimeUnit.NANOSECONDS.sleep(durationNs);
        } catch (InterruptedException workerStops) {
            Thread.currentThread().interrupt();
        }
    }
}
