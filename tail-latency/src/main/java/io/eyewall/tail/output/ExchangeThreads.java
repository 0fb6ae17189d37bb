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
 * Runs the exchanges of the JDK's HTTP server on a few threads, and gives up one that takes too long, so that a reader who is slow, or
 * stuck, keeps a thread from others for so long and no longer. The server has deadlines of its own, but they are system properties, and
 * would hold for a topology's servers too.
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

    /** Called by the server's own thread; the exchange reads the question and writes the answer. */
    @Override
    public void execute(Runnable exchange) {
        threads.execute(() -> {
            FutureTask<?> task = new FutureTask<>(exchange, null);
            // The interrupt closes the channel that the exchange waits for, and with it the connection.
            Future<?> deadline = deadlines.schedule(() -> task.cancel(true), timeoutMs, TimeUnit.MILLISECONDS);
            task.run();
            deadline.cancel(false);
        });
    }

    /** Gives up all exchanges. */
    @Override
    public void close() {
        threads.shutdownNow();
        deadlines.shutdownNow();
    }
}
