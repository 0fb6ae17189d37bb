package io.eyewall.examples;

import io.eyewall.examples.measuring.Clock;
import java.util.concurrent.TimeUnit;

/**
 * A clock that moves only when a test advances it, or when a thread sleeps. For one thread.
 */
public final class ManualClock implements Clock {

    private static final long serialVersionUID = 1;

    private long nowNs;
    private long epochMs;

    public ManualClock(long nowNs, long epochMs) {
        this.nowNs = nowNs;
        this.epochMs = epochMs;
    }

    public void advanceMs(long durationMs) {
        nowNs += TimeUnit.MILLISECONDS.toNanos(durationMs);
        epochMs += durationMs;
    }

    @Override
    public long nanoTime() {
        return nowNs;
    }

    @Override
    public long epochMs() {
        return epochMs;
    }

    @Override
    public void sleepNs(long durationNs) {
        nowNs += durationNs;
        epochMs += TimeUnit.NANOSECONDS.toMillis(durationNs);
    }
}
