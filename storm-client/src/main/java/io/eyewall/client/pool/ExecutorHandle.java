package io.eyewall.client.pool;

import java.util.concurrent.Callable;
import org.apache.storm.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands for the thread of an executor that shares threads, when upstream starts, interrupts and joins that. As a thread it makes the
 * executor, which prepares its bolts and may take long, adds the executor to the pool, and ends.
 */
final class ExecutorHandle extends Utils.SmartThread {

    private static final Logger LOG = LoggerFactory.getLogger(ExecutorHandle.class);
    private static final long ENDS_WITHIN_MS = 2_000;
    /** As long as upstream waits for a thread. */
    private static final long NEXT_ENDS_WITHIN_MS = 100;

    private final ExecutorPool pool;
    private final Callable<PooledExecutor> maker;
    private final boolean outside;
    /** Written by this thread, read by those that interrupt it. */
    private volatile PooledExecutor executor;

    /**
     * A thread that has not started.
     *
     * @param maker makes the executor on this thread
     * @param outside whether the executor has a thread of its own at first
     */
    ExecutorHandle(ExecutorPool pool, Callable<PooledExecutor> maker, boolean outside, String name) {
        super(null);
        this.pool = pool;
        this.maker = maker;
        this.outside = outside;
        setName(getName() + "-" + name);
    }

    @Override
    public void run() {
        try {
            PooledExecutor made = maker.call();
            executor = made;
            if (Thread.interrupted()) { // Whoever interrupts this thread after that sees the executor, and stops it.
                LOG.info("{} was interrupted before it ran, and ends.", getName());
                made.stopSoon();
            }
            pool.add(made, outside);
        } catch (Exception e) {
            if (Utils.exceptionCauseIsInstanceOf(InterruptedException.class, e)) {
                LOG.info("{} was interrupted before it ran, and ends.", getName());
                return;
            }
            throw new IllegalStateException(getName() + " did not start", e);
        }
    }

    /**
     * Stops the executor, and waits until it has ended, since upstream cleans up its bolts next. Waits for two seconds at most, and for 100
     * ms, as upstream does, after another executor of the pool has not ended in time: a Supervisor kills a worker that takes long to end,
     * and the worker's other executors are to be cleaned up before that.
     */
    @Override
    public void interrupt() {
        super.interrupt();
        PooledExecutor running = executor;
        long withinMs = pool.hasOneThatGoesOn() ? NEXT_ENDS_WITHIN_MS : ENDS_WITHIN_MS;
        try {
            if (running != null && !running.stop(withinMs)) {
                pool.goesOn();
                LOG.warn("{} has not ended within {} ms. It is cleaned up nevertheless, beside a call that goes on.", getName(), withinMs);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
