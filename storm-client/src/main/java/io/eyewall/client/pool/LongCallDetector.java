package io.eyewall.client.pool;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;

/**
 * Finds out whether a thread of the pool is in a call that takes long. It looks at each tick, and counts at most one tick between two
 * looks, so that a pause of the whole process does not count as a call. A thread that has had no CPU time since the last look, and does not
 * {@linkplain KernelThread wait}, may only have been preempted, and is given more time. For the watcher's thread.
 */
final class LongCallDetector {

    private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(ExecutorPool.TICK_MS);
    private static final int TIMES_IF_PREEMPTED = 5;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private long turn;
    private boolean isSameTurn;
    private long calls;
    private long cpuNs;
    private long lookedNs;
    /** How long the call has lasted, as far as the looks show, in nanoseconds. */
    private long lastsNs;

    /**
     * Whether that turn of the thread is in a call that takes long.
     *
     * @param current the number of the turn, which is odd, or an even number between two turns
     * @param running the executor that has that turn; null before the first one
     */
    boolean isBlocked(PoolThread thread, long current, PooledExecutor running, long nowNs, long blockedNs) {
        long called = running == null ? 0 : running.calls();
        isSameTurn = current == turn && (current & 1) == 1;
        if (current != turn || called != calls || (current & 1) == 0) {
            turn = current;
            calls = called;
            lastsNs = 0;
        } else {
            if (lastsNs == 0) {
                cpuNs = THREADS.getThreadCpuTime(thread.getId());
            }
            lastsNs += Math.min(nowNs - lookedNs, TICK_NS);
        }
        lookedNs = nowNs;
        return lastsNs >= blockedNs && (lastsNs >= TIMES_IF_PREEMPTED * blockedNs || isWaitingOrComputing(thread));
    }

    /** Whether the thread was in the same turn at two looks, perhaps in different calls. */
    boolean isSameTurn() {
        return isSameTurn;
    }

    /** Whether the thread was in the same call at two looks. */
    boolean isInACall() {
        return lastsNs > 0;
    }

    private boolean isWaitingOrComputing(PoolThread thread) {
        return thread.getState() != Thread.State.RUNNABLE || thread.isWaitingInKernel()
            || THREADS.getThreadCpuTime(thread.getId()) - cpuNs > lastsNs / 4;
    }
}
