package io.eyewall.examples.measuring;

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
    public void sleepMs(long durationMs) {
        try {
            Thread.sleep(durationMs);
        } catch (InterruptedException workerStops) {
            Thread.currentThread().interrupt();
        }
    }
}
