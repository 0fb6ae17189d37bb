package io.eyewall.client.pool;

import io.eyewall.client.deadline.Urgency;
import io.eyewall.client.pool.Timers.Timer;
import java.lang.Thread.UncaughtExceptionHandler;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An executor that takes turns on the threads of a pool, or, while its calls take long, has a thread of its own.
 *
 * <p>The thread that changes the state from READY to RUNNING owns all fields that are not volatile until it changes the state again, which
 * publishes them to the next owner. A wake-up makes an idle executor READY and hands it to a thread. A wake-up during a turn leads to
 * another turn, so that none is lost.
 */
final class PooledExecutor implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(PooledExecutor.class);

    /** The value of {@link #heapPlace} of an executor that is not in a heap. */
    static final int NOT_IN_HEAP = -1;

    /** An executor that has been ready for this time is overdue. About five turns. */
    static final long TAKEN_OVER_AFTER_NS = TimeUnit.MILLISECONDS.toNanos(1);
    /** It is taken over when it has been found overdue so long ago, which is more than a turn. */
    static final long LOOKS_APART_NS = TimeUnit.MICROSECONDS.toNanos(250);

    private static final int IDLE = 0;
    private static final int READY = 1;
    private static final int RUNNING = 2;
    private static final int WOKEN = 3;
    private static final int ENDED = 4;

    private static final int NOTHING_LOGGED = 0;
    private static final int LEAVING_LOGGED = 1;
    private static final int CAUSE_LOGGED = 2;

    /** The time between two reads of the clock, approximately, in nanoseconds. */
    private static final long LOOK_NS = 8_000;
    private static final int CALLS_BETWEEN_LOOKS = 64;
    /** The value of {@link #idleNs} if the executor has not yielded. */
    private static final long NOT_IDLE = 0;
    private static final int SLOW_OUTSIDE_TIMES = 50;
    private static final long BLOCKS_NS = TimeUnit.MILLISECONDS.toNanos(1);
    /** An executor that sleeps for this long within a second must leave the pool. */
    static final long SLEEPS_AT_MOST_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final TurnScheduler turns;
    private final String name;
    private final Callable<?> body;
    private final UncaughtExceptionHandler onDeath;
    /** Null if there are no deadlines. */
    private final Urgency urgency;
    private final AtomicInteger state = new AtomicInteger(READY);
    private final CountDownLatch ended = new CountDownLatch(1);

    /** The thread that runs only this executor, or null if the pool's do. Written by the owner. */
    private volatile PoolThread own;
    /** When it last became ready while the pool's threads ran it. Written by the thread that made it ready. */
    private volatile long readySinceNs;
    /** When a thread found that it waits for too long; of no account if it became ready later. Written by any thread of the pool. */
    private volatile long overdueSinceNs = Long.MIN_VALUE;
    /** The timer that may wake it. Written by the owner. */
    private volatile Timer timer;
    private volatile boolean stopping;
    /** How much the log says of why it left the pool. Written by the watcher and by threads of the pool. */
    private final AtomicInteger logged = new AtomicInteger(NOTHING_LOGGED);
    /** How many tuples it has taken, plus how often its body was called. Written by the owner in opaque mode, for the watcher. */
    private final AtomicLong calls = new AtomicLong();

    /** At which number of calls the owner looks at the clock. Written by the owner, and by the watcher, in opaque mode. */
    private final AtomicLong nextLook = new AtomicLong();

    /** The CPU time of its turns. Written by the owner. */
    private final AtomicLong cpuNs = new AtomicLong();

    /** The time for which it has yielded, or {@link #NOT_IDLE}. This field and the next ones are for the owner. */
    private long idleNs;
    private boolean turnIsOver;
    /** Whether the last look ended before the queue was empty, so that it may have elements although the executor has yielded. */
    private boolean lookEnded;
    private long turnEndsNs;
    private long lookedNs;
    private int callsBetweenLooks = 1;
    /** When a call was last found to take long, and below, how often the executor left the pool for that reason. */
    private long slowNs;
    private int detached;
    private long joinedNs;
    /** The time for which it has slept, and below, the start of the second in which that is counted. */
    private long sleptNs;
    private long sleepsSinceNs;
    /** Its place among those that are ready, and when it should begin. For {@link MostUrgentFirst}, under its lock. */
    int heapPlace = NOT_IN_HEAP;
    long heapBeginNs;
    /** The queue of the thread on which it became ready, or null if that is none of the pool's. */
    RunQueue home;

    /**
     * An executor that is ready.
     *
     * @param body one round of its loop: returns the milliseconds to sleep before the next one, or null to end
     * @param onDeath handles an exception that ends the loop
     * @param urgency how urgent its input is; null if there are no deadlines
     */
    PooledExecutor(TurnScheduler turns, String name, Callable<?> body, UncaughtExceptionHandler onDeath, Urgency urgency) {
        this.turns = turns;
        this.name = name;
        this.body = body;
        this.onDeath = onDeath;
        this.urgency = urgency;
        if (urgency != null) {
            urgency.whenRaised(this::raised);
        }
        slowNs = turns.nowNs();
    }

    String name() {
        return name;
    }

    /** The number of calls so far; grows by each call that has ended. For any thread. */
    long calls() {
        return calls.getOpaque();
    }

    /** The CPU time of its turns so far, in nanoseconds; for any thread. */
    long cpuNs() {
        return cpuNs.get();
    }

    /** Adds the CPU time of a turn; on the turn's thread, before the turn {@linkplain #settle ends}. */
    void spent(long turnCpuNs) {
        cpuNs.lazySet(cpuNs.getPlain() + turnCpuNs);
    }

    /** Adds the time for which a turn has let its thread wait; on that thread, before the turn ends. */
    void slept(long forNs) {
        long nowNs = turns.nowNs();
        if (nowNs - sleepsSinceNs > ExecutorPool.CALM_NS) {
            sleepsSinceNs = nowNs;
            sleptNs = 0;
        }
        sleptNs += forNs;
        slowNs = nowNs;
    }

    /** Whether it has lately slept for so long that it would hold up others. On its thread, during a turn. */
    boolean sleepsOften() {
        return sleptNs > SLEEPS_AT_MOST_NS;
    }

    /**
     * Whether another thread may take it over from the one on which it became ready: it has waited for long, and a thread has noticed that
     * some time ago. After a pause of the whole process all executors have waited for long, and their own thread goes on at once. For any
     * thread; notes that the caller has noticed it.
     */
    boolean mayBeTakenOver(long nowNs) {
        long readyNs = readySinceNs;
        if (nowNs - readyNs <= TAKEN_OVER_AFTER_NS) {
            return false;
        }
        long foundNs = overdueSinceNs;
        if (foundNs <= readyNs) { // It was found while it waited for an earlier turn.
            overdueSinceNs = nowNs; // One of several threads that do so at the same time, or one whose look began before that turn.
            return false;
        }
        return nowNs - foundNs >= LOOKS_APART_NS;
    }

    /**
     * Notes that it leaves the pool since its calls take long or sleep; returns whether the log is to say so: the first time, and once more
     * if the cause was not known then. For any thread.
     */
    boolean leaves(boolean isCauseKnown) {
        int toLog = isCauseKnown ? CAUSE_LOGGED : LEAVING_LOGGED;
        return logged.getAndAccumulate(toLog, Math::max) < toLog;
    }

    /** Whether it waits to be woken. For any thread. */
    boolean isIdle() {
        return state.get() == IDLE;
    }

    /** Has it look at the clock after the current call: its calls may take longer than those before. For the watcher. */
    void lookSoon() {
        nextLook.setOpaque(0);
    }

    /** Gives it another turn. For any thread. */
    @Override
    public void run() {
        for (;;) {
            int current = state.get();
            if (current == IDLE) {
                if (state.compareAndSet(IDLE, READY)) {
                    handOver();
                    return;
                }
            } else if (current != RUNNING || state.compareAndSet(RUNNING, WOKEN)) {
                return;
            }
        }
    }

    /** When it should have its turn. Only with an urgency; for any thread. */
    long beginNs() {
        return urgency.beginNs();
    }

    private void raised() {
        if (state.get() == READY) { // One that is woken afterwards is added with its new time.
            turns.raised(this);
        }
    }

    /** Called when a timer is due. For any thread. */
    void due(Timer rung) {
        if (rung.equals(timer)) {
            run();
        }
    }

    /** Ends the executor with its next turn at the latest. For any thread. */
    void stopSoon() {
        stopping = true;
        run();
    }

    /**
     * Ends the executor, and interrupts a call that blocks: once on each thread that it has for itself meanwhile, since a thread may be
     * interrupted when it has just given the executor back to the pool. Returns whether the executor ended within that time. For any thread
     * outside the pool.
     */
    boolean stop(long atMostMs) throws InterruptedException {
        long untilNs = turns.nowNs() + TimeUnit.MILLISECONDS.toNanos(atMostMs);
        Thread interrupted = null;
        do {
            stopSoon();
            Thread alone = turns.ownThread(this);
            if (alone != null && alone != interrupted) {
                alone.interrupt();
                interrupted = alone;
            }
        } while (!ended.await(ExecutorPool.TICK_MS, TimeUnit.MILLISECONDS) && turns.nowNs() < untilNs);
        return ended.getCount() == 0;
    }

    /** Called when the executor that runs has nothing to do for this time; on its thread. */
    void yieldFor(long atMostNs) {
        if (idleNs != NOT_IDLE) { // Upstream's loop yields once a round: this waits for a full queue, and must block.
            LockSupport.parkNanos(this, Math.min(atMostNs, BLOCKS_NS));
        }
        idleNs = atMostNs;
    }

    /** Called before each tuple: whether the turn is over, so that the queue hands out no more. On its thread. */
    boolean endsLook() {
        lookEnded |= isTurnOver();
        return turnIsOver;
    }

    /** Whether the turn is over; counts a call. On its thread. */
    private boolean isTurnOver() {
        long number = calls.getPlain() + 1;
        calls.setOpaque(number);
        return number >= nextLook.getOpaque() ? look(turns.nowNs()) : turnIsOver;
    }

    /** Runs a turn on the calling thread; returns whether the executor continues. */
    boolean turn(long nowNs) {
        if (state.get() == ENDED) {
            return false;
        }
        state.set(RUNNING);
        timer = null;
        turnIsOver = false;
        lookEnded = false;
        turnEndsNs = nowNs + turns.quantumNs();
        lookedNs = nowNs;
        nextLook.setOpaque(calls.getPlain() + callsBetweenLooks);
        if (urgency != null) {
            urgency.turnBegins();
        }
        try {
            do {
                idleNs = NOT_IDLE;
                Object sleepMs = stopping ? null : body.call();
                if (sleepMs == null) {
                    end();
                    return false;
                }
                if ((Long) sleepMs > 0) {
                    idleNs = TimeUnit.MILLISECONDS.toNanos((Long) sleepMs);
                }
            } while (!isTurnOver() && idleNs == NOT_IDLE);
            if (lookEnded) {
                idleNs = NOT_IDLE;
            }
            return true;
        } catch (Throwable e) { // Any exception ends the executor and is reported, as in upstream's loop.
            end();
            die(e);
            return false;
        }
    }

    /** Ends the turn: the next one follows at once, or when the executor is woken, or later. The thread that had the turn calls it last. */
    void settle() {
        if (urgency != null) {
            urgency.turnEnds(idleNs == NOT_IDLE);
        }
        if (idleNs == NOT_IDLE) {
            state.set(READY);
            goOn();
            return;
        }
        if (idleNs != Long.MAX_VALUE) {
            timer = new Timer(this, turns.nowNs() + idleNs);
            if (own == null) {
                turns.later(timer);
            }
        }
        if (!state.compareAndSet(RUNNING, IDLE)) {
            state.set(READY);
            goOn();
        }
    }

    /** Takes the executor out of the pool: from now on that thread runs it alone. On that thread, during a turn. */
    void detach(PoolThread thread) {
        own = thread;
        slowNs = turns.nowNs();
        detached = slowNs - joinedNs > ExecutorPool.LATELY_NS ? 1 : detached + 1;
    }

    /** Gives the executor that has a thread of its own back to the pool, if no call took long lately. On that thread, during a turn. */
    boolean join() {
        long nowNs = turns.nowNs();
        if (isSlowOutside(nowNs - lookedNs)) {
            slowNs = nowNs;
        }
        if (nowNs - slowNs < ExecutorPool.CALM_NS << Math.min(detached - 1, ExecutorPool.CALM_DOUBLED_AT_MOST)) {
            return false;
        }
        own = null;
        joinedNs = nowNs;
        sleptNs = 0;
        return true;
    }

    /** Ends the executor because its own thread was interrupted, as upstream's loop does. On that thread, between two turns. */
    void interrupted() {
        LOG.info("{} was interrupted, and ends.", name);
        end();
    }

    /** Waits on its own thread until it is ready or the thread is interrupted. */
    void awaitReady(PoolThread thread) {
        for (;;) {
            Timer waiting = timer;
            if (!isIdle() || thread.isInterrupted()) {
                return;
            }
            long leftNs = waiting == null ? Long.MAX_VALUE : waiting.dueNs() - turns.nowNs();
            if (leftNs <= 0) {
                run();
            } else {
                thread.park(leftNs);
            }
        }
    }

    private void handOver() {
        PoolThread thread = own;
        if (thread == null) {
            waits();
            turns.woken(this);
        } else {
            LockSupport.unpark(thread);
        }
    }

    private void goOn() {
        if (own == null) {
            waits();
            turns.hadItsTurn(this);
        }
    }

    private void waits() {
        readySinceNs = turns.nowNs();
    }

    private boolean look(long nowNs) {
        long tookNs = nowNs - lookedNs;
        if (isSlowOutside(tookNs)) {
            slowNs = nowNs;
        }
        callsBetweenLooks = tookNs < LOOK_NS ? Math.min(CALLS_BETWEEN_LOOKS, callsBetweenLooks * 2) : Math.max(1, callsBetweenLooks / 2);
        lookedNs = nowNs;
        if (urgency != null) {
            urgency.clockRead();
        }
        nextLook.setOpaque(calls.getPlain() + callsBetweenLooks);
        turnIsOver = nowNs >= turnEndsNs;
        if (own == null) {
            turns.shareWork(nowNs);
        }
        return turnIsOver;
    }

    /**
     * Whether the executor has to stay outside for a call that took so long. Calls that sleep are {@linkplain #slept counted} in any case.
     * A call that did not may have been preempted, on a busy host for a long time; if it did block, it takes the executor out of the pool
     * again.
     */
    private boolean isSlowOutside(long tookNs) {
        return tookNs > SLOW_OUTSIDE_TIMES * turns.blockedNs();
    }

    private void end() {
        state.set(ENDED);
        turns.ended(this);
        ended.countDown();
    }

    private void die(Throwable e) {
        if (Utils.exceptionCauseIsInstanceOf(InterruptedException.class, e)) {
            LOG.info("{} was interrupted, and ends.", name);
        } else {
            LOG.error("{} failed, and ends.", name, e);
            try {
                onDeath.uncaughtException(Thread.currentThread(), new IllegalStateException(name + " failed", e));
            } catch (RuntimeException handling) {
                LOG.error("The failure of {} could not be reported.", name, handling);
            }
        }
    }
}
