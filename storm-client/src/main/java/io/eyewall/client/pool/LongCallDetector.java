package io.eyewall.client.pool;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;

/**
 * Finds out whether a thread of the pool is in a call that takes long. It looks at each tick, and counts at most one tick between two
 * looks, so that a pause of the whole process does not count as a call. The time counts in which the thread ran, or waited for something
 * else than a processor. Time in which it was preempted, or had used up a CPU quota, does not count: another thread would get no more CPU
 * time. For the watcher's thread.
 */
final class LongCallDetector {

    private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(ExecutorPool.TICK_MS);
    /** Where it is not known what a thread waits for that Java takes for one that runs, one part of this counts. */
    private static final int PARTS_IF_UNKNOWN = 5;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private long turn;
    private boolean isSameTurn;
    private boolean isInACall;
    private long calls;
    /** The thread's CPU time at the last look during a turn, in nanoseconds. */
    private long cpuNs;
    private long lookedNs;
    /** How much of the call's time counts, as far as the looks show, in nanoseconds. */
    private long lastsNs;

    /**
     * Whether that turn of the thread is in a call that takes long.
     *
     * @param current the number of the turn, which is odd, or an even number between two turns
     * @param running the executor that has that turn; null before the first one
     */
    boolean isBlocked(PoolThread thread, long current, PooledExecutor running, long nowNs, long blockedNs) {
        long called = running == null ? 0 : running.calls();
        boolean isInATurn = (current & 1) == 1;
        isSameTurn = isInATurn && current == turn;
        isInACall = isSameTurn && called == calls;
        long beforeNs = cpuNs;
        cpuNs = isInATurn ? THREADS.getThreadCpuTime(thread.getId()) : 0;
        lastsNs = isInACall ? lastsNs + counted(thread, Math.min(nowNs - lookedNs, TICK_NS), cpuNs - beforeNs) : 0;
        turn = current;
        calls = called;
        lookedNs = nowNs;
        return lastsNs >= blockedNs;
    }

    /** Whether the thread was in the same turn at two looks, perhaps in different calls. */
    boolean isSameTurn() {
        return isSameTurn;
    }

    /** Whether the thread was in the same call at two looks. */
    boolean isInACall() {
        return isInACall;
    }

    /** How much of the time since the last look counts, in nanoseconds. */
    private static long counted(PoolThread thread, long sinceNs, long ranNs) {
        return switch (thread.kernelState()) {
            case WAITING -> sinceNs;
            case RUNNABLE -> Math.min(sinceNs, ranNs);
            case UNKNOWN -> thread.getState() == Thread.State.RUNNABLE ? Math.min(sinceNs, Math.max(ranNs, sinceNs / PARTS_IF_UNKNOWN))
                : sinceNs;
        };
    }
}
