package io.eyewall.tail.output;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * Runs the exchanges of the JDK's HTTP server on a few threads. It aborts an exchange that takes too long, so that a slow or stuck reader
 * occupies a thread for a limited time only. The server has deadlines of its own, but these are system properties and would apply to a
 * topology's servers, too.
 */
final class ExchangeThreads implements Executor, AutoCloseable {

    private final ExecutorService threads;
    private final ScheduledThreadPoolExecutor deadlines;
    private final long timeoutMs;

    ExchangeThreads(int count, long timeoutMs, ThreadFactory factory) {
        threads = Executors.newFixedThreadPool(count, factory);
        deadlines = new ScheduledThreadPoolExecutor(1, factory);
        deadlines.setRemoveOnCancelPolicy(true);
        this.timeoutMs = timeoutMs;
    }

    /** Called by the server's own thread; the exchange reads the request and writes the response. */
    @Override
    public void execute(Runnable exchange) {
        threads.execute(() -> {
            FutureTask<?> task = new FutureTask<>(exchange, null);
            // The interrupt closes the channel that the exchange waits for, and so the connection.
            Future<?> deadline = deadlines.schedule(() -> task.cancel(true), timeoutMs, TimeUnit.MILLISECONDS);
            task.run();
            deadline.cancel(false);
        });
    }

    /** Aborts all exchanges. */
    @Override
    public void close() {
        threads.shutdownNow();
        deadlines.shutdownNow();
    }
}
