package io.eyewall.tail.output;

import java.time.Clock;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes an interval every few seconds, on a thread of its own, and hands it to the outputs. When the process gets the signal to end, it
 * closes one at once, and then ten times a second until the worker has stopped: Storm kills a worker that takes too long, and the values up
 * to then must be in the log.
 */
final class LatencyReporter implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LatencyReporter.class);
    private static final long ENDING_INTERVAL_MS = 100;

    private final HopCollector collector;
    private final List<IntervalOutput> outputs;
    private final Clock clock;
    private final long intervalMs;
    private final CountDownLatch ending = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "latency-reporter");
    private final Thread hook = new Thread(this::processEnds, "latency-reporter-end");

    /** When the current interval began; used under this object's lock. */
    private long sinceMs;

    LatencyReporter(HopCollector collector, List<IntervalOutput> outputs, Clock clock, long intervalMs) {
        this.collector = collector;
        this.outputs = outputs;
        this.clock = clock;
        this.intervalMs = intervalMs;
        sinceMs = clock.millis();
    }

    void start() {
        thread.setDaemon(true);
        thread.start();
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Closes the last interval, then the outputs. */
    @Override
    public void close() {
        ending.countDown();
        report();
        synchronized (this) {
            if (closed.getCount() > 0) {
                closed.countDown();
                outputs.forEach(IntervalOutput::close);
            }
        }
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            LOG.debug("The process ends, and the hook has run or runs.", e);
        }
    }

    /** Runs when the process gets the signal to end. */
    void processEnds() {
        ending.countDown();
        report();
    }

    private void run() {
        try {
            while (!ending.await(intervalMs, TimeUnit.MILLISECONDS)) {
                report();
            }
            while (!closed.await(ENDING_INTERVAL_MS, TimeUnit.MILLISECONDS)) {
                report();
            }
        } catch (InterruptedException e) {
            LOG.warn("Latencies are no longer reported: the reporting thread was interrupted.");
        }
    }

    private synchronized void report() {
        if (closed.getCount() == 0) {
            return;
        }
        long nowMs = clock.millis();
        try {
            collector.closeInterval(sinceMs, nowMs, outputs);
        } catch (RuntimeException | LinkageError e) {
            LOG.warn("The latencies of one interval could not be reported. The next interval tries again.", e);
        }
        sinceMs = nowMs;
    }
}
