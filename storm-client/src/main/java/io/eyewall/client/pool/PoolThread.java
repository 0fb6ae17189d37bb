package io.eyewall.client.pool;

import io.eyewall.client.engine.SharedThread;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.storm.utils.Time;
import org.apache.storm.utils.Utils;

/**
 * A thread of a pool. It runs executors in turns until one of them is in a call that takes long. Then the thread belongs to that executor,
 * and a spare takes its place and its {@link RunQueue}. A thread of one executor ends when the executor goes back to the pool.
 */
final class PoolThread extends SharedThread {

    private static final long DETACHED = -1;
    private static final int NEXT_IN_A_ROW = 32;
    private static final long SHORT_TURN_NS = 20_000;
    /** A turn that takes longer and hardly any CPU time may have slept. */
    private static final long SLEEP_NS = TimeUnit.MILLISECONDS.toNanos(1);
    /** How old the watcher's note of preemptions may be. */
    private static final long NOTE_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final String STORMS_EXECUTORS = "org.apache.storm.executor.";
    /** How many of the last calls, and of the first ones, are shown. */
    private static final int CALLS_SHOWN = 4;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final ExecutorPool pool;
    /** Null for a thread that has always belonged to one executor. */
    private final RunQueue queue;
    /** Odd during a turn, and different for each; {@link #DETACHED} from when the watcher has taken the thread out of the pool. */
    private final AtomicLong turn = new AtomicLong();
    /** The executor that has a turn. Written by this thread, read by the watcher. */
    private volatile PooledExecutor running;
    /** How often in a row this thread took the executor that was woken last, and below, how often in a row another one. For this thread. */
    private int nextInARow;
    private int others;
    private PooledExecutor named;
    /** The thread's CPU time when it was last read, and below, the part of the time since then that short turns and watches took. */
    private long cpuNs;
    private long shortTurnsNs;
    /**
     * How often this class has parked the thread, and below, how often the thread had waited elsewhere when a long turn was last checked.
     */
    private long parks;
    private long waits;
    /** Written when the thread starts. */
    private volatile KernelThread kernel;
    /** For how long the thread had been preempted at the last look at that. Written by the watcher, or by this thread in a long turn. */
    private volatile long preemptedNs;
    /** When the watcher looked last. For the watcher. */
    private long notedNs;

    PoolThread(ExecutorPool pool, RunQueue queue, PooledExecutor running, String name) {
        super(name);
        this.pool = pool;
        this.queue = queue;
        this.running = running;
        setDaemon(true);
    }

    @Override
    public void run() {
        kernel = KernelThread.current();
        PooledExecutor executor = running;
        while (queue != null && executor == null) {
            PooledExecutor taken = pool.take(this);
            if (taken == null) {
                return;
            }
            if (!runTurn(taken)) {
                executor = taken;
            }
        }
        runAlone(executor);
    }

    @Override
    public void yieldFor(long atMostNs) {
        running.yieldFor(atMostNs);
    }

    @Override
    public Runnable wakeUp() {
        return running;
    }

    /** Parks this thread, on which it is called, for {@code atMostNs} nanoseconds at most. */
    void park(long atMostNs) {
        if (atMostNs > 0) {
            parks++;
            LockSupport.parkNanos(pool, atMostNs);
        }
    }

    /** Notes that it has watched rings for so long, which is no executor's CPU time. On this thread. */
    void watched(long forNs) {
        shortTurnsNs += forNs;
    }

    RunQueue queue() {
        return queue;
    }

    @Override
    public boolean isInPool() {
        return queue != null && turn.get() != DETACHED;
    }

    /** What Linux knows of the thread; nothing if it has not started. For the watcher. */
    KernelThread.State kernelState() {
        KernelThread started = kernel;
        return started == null ? KernelThread.State.UNKNOWN : started.state();
    }

    /** Notes for how long it has been preempted, so that a long turn sees little more than its own part. For the watcher, between turns. */
    void notePreempted(long nowNs) {
        KernelThread started = kernel;
        if (started != null && nowNs - notedNs >= NOTE_NS) {
            notedNs = nowNs;
            preemptedNs = started.preemptedNs();
        }
    }

    /**
     * The calls that the thread is in, from the last one to that of the component, without those in the middle of many. An empty text if no
     * executor has a turn, or the turn is in no call of the component. No text while Storm lets the executor of an inactive topology
     * sleep. For any thread.
     */
    Optional<String> calls() {
        List<StackTraceElement> stack = List.of(getStackTrace());
        int caller = 0;
        while (caller < stack.size() && !callsComponent(stack.get(caller))) {
            caller++;
        }
        if (caller < stack.size() && caller > 0 && isStormsPause(stack.get(caller - 1))) {
            return Optional.empty();
        }
        boolean isInCall = caller < stack.size() && caller > 0 && !isExecutors(stack.get(caller - 1));
        List<String> calls = !isInCall ? List.of() : stack.subList(0, caller).stream()
            .filter(call -> !call.getClassName().contains("$$Lambda")).map(PoolThread::shown).toList();
        if (calls.size() > 2 * CALLS_SHOWN) {
            calls = Stream.of(calls.subList(0, CALLS_SHOWN), List.of("..."), calls.subList(calls.size() - CALLS_SHOWN, calls.size()))
                .flatMap(List::stream).toList();
        }
        return Optional.of(String.join(", called by ", calls));
    }

    /** The turn that it has, which is odd, or an even number. For the watcher. */
    long turn() {
        return turn.get();
    }

    /** The executor that has, or had, that turn. For the watcher. */
    PooledExecutor running() {
        return running;
    }

    /** Takes the thread out of the pool if it still has that turn. For the watcher. */
    boolean detach(long during) {
        return turn.compareAndSet(during, DETACHED);
    }

    /** Whether it may take the executor that was woken last once more before one that has waited longer. */
    boolean mayTakeNext() {
        if (nextInARow < NEXT_IN_A_ROW) {
            nextInARow++;
            return true;
        }
        nextInARow = 0;
        return false;
    }

    /** Whether to look first for an executor that was woken from outside, which alternates with those that have had a turn here. */
    boolean looksOutsideFirst() {
        return (others++ & 1) == 0;
    }

    private static boolean callsComponent(StackTraceElement call) {
        return call.getClassName().startsWith(STORMS_EXECUTORS)
            || (isExecutors(call) && call.getMethodName().equals("turn"));
    }

    private static boolean isStormsPause(StackTraceElement called) {
        return called.getClassName().equals(Time.class.getName()) || called.getClassName().equals(Utils.class.getName());
    }

    private static boolean isExecutors(StackTraceElement call) {
        return call.getClassName().equals(PooledExecutor.class.getName());
    }

    /** Without the class loader and the module. */
    private static String shown(StackTraceElement call) {
        return new StackTraceElement(call.getClassName(), call.getMethodName(), call.getFileName(), call.getLineNumber()).toString();
    }

    /** Runs a turn; returns whether the thread still belongs to the pool. */
    private boolean runTurn(PooledExecutor executor) {
        long nowNs = pool.nowNs();
        running = executor;
        name(executor);
        long number = turn.get() + 1;
        turn.setRelease(number);
        boolean goesOn = turn(executor, nowNs);
        boolean stays = turn.compareAndSet(number, number + 1);
        if (stays && interrupted()) {
            pool.wakeOne(); // The interrupt was meant for a call that has ended since.
        }
        if (stays && goesOn && executor.sleepsOften()) {
            pool.giveThread(executor);
            return true;
        }
        if (!stays && goesOn) {
            executor.detach(this);
        }
        if (goesOn) {
            executor.settle();
        }
        return stays;
    }

    private void runAlone(PooledExecutor executor) {
        name(executor);
        boolean alone = true;
        while (alone) {
            executor.awaitReady(this);
            if (interrupted()) {
                executor.interrupted();
                break;
            }
            if (!turn(executor, pool.nowNs())) {
                break;
            }
            alone = !executor.join();
            executor.settle();
        }
        pool.endedThread(this);
    }

    /** Gives an executor its turn, and attributes the CPU time to it; returns whether the executor goes on. */
    private boolean turn(PooledExecutor executor, long nowNs) {
        boolean goesOn = executor.turn(nowNs);
        attribute(executor, pool.nowNs() - nowNs);
        return goesOn;
    }

    /** Attributes CPU time to an executor. Reading it takes longer than many a turn, so a short turn counts by its duration. */
    private void attribute(PooledExecutor executor, long turnNs) {
        if (turnNs < SHORT_TURN_NS) {
            executor.spent(turnNs);
            shortTurnsNs += turnNs;
        } else {
            long readNs = THREADS.getCurrentThreadCpuTime();
            long turnCpuNs = Math.max(0, Math.min(turnNs, readNs - cpuNs - shortTurnsNs));
            executor.spent(turnCpuNs);
            long notRunningNs = turnNs - turnCpuNs;
            if (turnNs > SLEEP_NS && notRunningNs > turnNs / 2) {
                long waitedNs = waitedNs(notRunningNs);
                if (waitedNs > notRunningNs / 2) {
                    executor.slept(waitedNs);
                }
            }
            cpuNs = readNs;
            shortTurnsNs = 0;
        }
    }

    /**
     * For how much of the time in which the thread did not run it waited for something else than a processor, in nanoseconds. Time that it
     * has waited for a processor since the last look counts as such, too, so a few sleeps may be missed. A thread of the pool that waits
     * in native code is the watcher's to find.
     */
    private long waitedNs(long notRunningNs) {
        if (isInPool() && !hasWaited()) {
            return 0;
        }
        long before = preemptedNs;
        preemptedNs = kernel.preemptedNs();
        return notRunningNs - Math.min(notRunningNs, preemptedNs - before);
    }

    /** Whether the executor had the thread wait in Java since the last call. */
    private boolean hasWaited() {
        ThreadInfo info = THREADS.getThreadInfo(getId());
        long before = waits;
        waits = info.getWaitedCount() + info.getBlockedCount() - parks;
        return waits > before;
    }

    private void name(PooledExecutor executor) {
        if (executor != named) {
            named = executor;
            setName(executor.name());
        }
    }
}
