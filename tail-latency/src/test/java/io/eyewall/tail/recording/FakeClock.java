package io.eyewall.tail.recording;

import io.eyewall.client.time.NanoClock;

/** A clock that stands still until a test moves it. */
final class FakeClock implements NanoClock {

    private volatile long nowNs = 1_000_000_000L;

    @Override
    public long nanoTime() {
        return nowNs;
    }

    /** Advances by {@code ns} nanoseconds and returns the new time. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // One thread moves it, others look.
    long pass(long ns) {
        nowNs += ns;
        return nowNs;
    }
}
