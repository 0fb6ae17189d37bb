package io.eyewall.client.hot;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;

/**
 * Virtual time, and the threads that run in it: one step of one thread at a time, in an order that follows from the seed. A thread of a
 * process that is paused, as by a garbage collection, takes no step meanwhile; one of a process that has died takes none any more.
 */
final class SimSchedule {

    static final long MS = 1_000_000;
    static final long SECOND = 1_000 * MS;
    /** What a step returns to end its thread. */
    static final long ENDS = -1;

    /** What a step returns when it found nothing to do; for longer and longer, up to 32 times, if that goes on. */
    static final long IDLE_NS = MS;

    private static final int STEP_AT_MOST_NS = 50_000;
    private static final int LONGEST_IDLE = 5;

    private final Random random;
    private final List<SimThread> threads = new ArrayList<>();
    private long nowNs;

    SimSchedule(Random random) {
        this.random = random;
    }

    /** A process, whose threads share its pauses and its end. */
    static final class SimProcess {
        private final String name;
        private long pausedUntilNs;
        private boolean dead;

        SimProcess(String name) {
            this.name = name;
        }

        void pauseUntil(long untilNs) {
            pausedUntilNs = Math.max(pausedUntilNs, untilNs);
        }

        long pausedUntilNs() {
            return pausedUntilNs;
        }

        void die() {
            dead = true;
        }

        boolean isDead() {
            return dead;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** A thread: a step returns in how many nanoseconds the next one is due. */
    static final class SimThread {
        private final SimProcess process;
        private final LongSupplier step;
        private long dueNs;
        private int idleSteps;

        SimThread(SimProcess process, LongSupplier step, long dueNs) {
            this.process = process;
            this.step = step;
            this.dueNs = dueNs;
        }

        private long runnableAtNs() {
            return Math.max(dueNs, process.pausedUntilNs);
        }
    }

    long nowNs() {
        return nowNs;
    }

    /** Starts a thread. */
    SimThread start(SimProcess process, LongSupplier step) {
        SimThread thread = new SimThread(process, step, nowNs + random.nextInt(STEP_AT_MOST_NS));
        threads.add(thread);
        return thread;
    }

    /** Runs something once on a thread of its own, later. */
    void later(SimProcess process, long afterNs, Runnable action) {
        start(process, () -> {
            action.run();
            return ENDS;
        }).dueNs = nowNs + afterNs;
    }

    /** Ends a thread's wait. */
    void wake(SimThread thread) {
        if (thread != null) {
            thread.dueNs = Math.min(thread.dueNs, nowNs + random.nextInt(STEP_AT_MOST_NS));
        }
    }

    /** Takes the next step of all. */
    void step() {
        SimThread next = null;
        long nextAtNs = Long.MAX_VALUE;
        for (int i = threads.size() - 1; i >= 0; i--) {
            SimThread thread = threads.get(i);
            if (thread.process.dead) {
                threads.set(i, threads.get(threads.size() - 1));
                threads.remove(threads.size() - 1);
            } else {
                long atNs = thread.runnableAtNs();
                if (next == null || atNs < nextAtNs) {
                    next = thread;
                    nextAtNs = atNs;
                }
            }
        }
        if (next == null) {
            throw new IllegalStateException("No thread is left.");
        }
        nowNs = Math.max(nowNs, nextAtNs);
        long waitNs = next.step.getAsLong();
        if (waitNs == ENDS) {
            threads.remove(next);
        } else {
            next.idleSteps = waitNs == IDLE_NS ? next.idleSteps + 1 : 0;
            long idleNs = waitNs == IDLE_NS ? IDLE_NS << Math.min(next.idleSteps, LONGEST_IDLE) : waitNs;
            next.dueNs = nowNs + idleNs + random.nextInt(STEP_AT_MOST_NS);
        }
    }
}
