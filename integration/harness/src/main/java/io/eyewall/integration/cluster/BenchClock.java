package io.eyewall.integration.cluster;

/** The time of day and waiting, for benchmarks: a test passes a clock of its own and does not wait. */
public interface BenchClock {

    /** The machine's own clock. */
    BenchClock SYSTEM = new BenchClock() {
        @Override
        public long epochMs() {
            return System.currentTimeMillis();
        }

        @Override
        public void sleep(long durationMs) throws InterruptedException {
            Thread.sleep(durationMs);
        }
    };

    /** Milliseconds since 1970. */
    long epochMs();

    /** Returns after {@code durationMs}; throws {@link InterruptedException} if the thread is interrupted meanwhile. */
    void sleep(long durationMs) throws InterruptedException;
}
