package io.eyewall.client.stream.slot;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work that is done again and again on a thread of its own, a second after it was done last. A call of the Supervisor, Nimbus or ZooKeeper
 * may take tens of seconds while they cannot be reached, for which nothing else may wait. An exception is logged, and the work goes on.
 */
public final class BackgroundWork implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(BackgroundWork.class);
    private static final long PAUSE_MS = 1_000;

    private final String name;
    private final Runnable work;
    private final String failure;
    private final CountDownLatch closed = new CountDownLatch(1);

    /**
     * Starts at once.
     *
     * @param name of the thread
     * @param work what is done
     * @param failure what is logged before an exception of the work
     */
    public BackgroundWork(String name, Runnable work, String failure) {
        this.name = name;
        this.work = work;
        this.failure = failure;
        Thread thread = new Thread(this::run, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            do {
                runOnce();
            } while (!closed.await(PAUSE_MS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void runOnce() {
        try {
            work.run();
        } catch (RuntimeException e) {
            if (closed.getCount() > 0) {
                LOG.warn("{}: {}", failure, e.toString());
            }
        }
    }

    /** Does not begin again. What has begun may go on for a while, and nobody waits for it. */
    @Override
    public void close() {
        closed.countDown();
    }

    @Override
    public String toString() {
        return name;
    }
}
