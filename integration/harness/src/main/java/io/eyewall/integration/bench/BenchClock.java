package io.eyewall.integration.bench;

/**
 * Time for benchmarks, so that tests need not wait.
 */
public interface BenchClock {

    /** The machine's. */
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

    long epochMs();

    void sleep(long durationMs) throws InterruptedException;
}
