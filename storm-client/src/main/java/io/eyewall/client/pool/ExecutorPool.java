package io.eyewall.client.pool;

import io.eyewall.client.pool.Timers.Timer;
import io.eyewall.client.ring.WatchedRings;
import io.eyewall.client.time.NanoClock;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A pool of as many threads as there are cores, on which the executors of a worker take turns.
 *
 * <p>An executor that is woken by another executor of the pool gets its turn on the same thread: at low load one wake-up of a thread
 * carries a tuple through all its hops. A thread that has nothing to do takes over executors that have waited for another thread. It
 * naps while others are busy, so that a batch gathers. When all are idle it watches the rings for a moment, and parks. An executor whose
 * call takes long keeps the thread, and another thread replaces that one in the pool.
 */
final class ExecutorPool implements TurnScheduler {

    static final long TICK_MS = 5;
    /** Each executor has a turn once a second at least. */
    private static final int TICKS_BETWEEN_TURNS = 200;
    /**
     * An executor joins the pool again when none of its calls took long for this time. The time doubles each time that the executor joins
     * and leaves again within {@link #LATELY_NS}.
     */
    static final long CALM_NS = TimeUnit.SECONDS.toNanos(1);
    static final int CALM_DOUBLED_AT_MOST = 6;
    static final long LATELY_NS = TimeUnit.MINUTES.toNanos(2);

    private static final Logger LOG = LoggerFactory.getLogger(ExecutorPool.class);

    private static final long NAP_NS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long LONG_NAP_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int NAPS = 10;
    /** The least time between two looks of busy threads for what others should take. */
    private static final long LOOKS_FOR_OTHERS_NS = TimeUnit.MICROSECONDS.toNanos(50);

    private final NanoClock clock;
    private final long startedNs;
    private final long quantumNs;
    private final long blockedNs;
    private final AtomicReferenceArray<PoolThread> threads;
    private final List<RunQueue> queues = new ArrayList<>();
    private final TurnOrder order;
    private final Timers timers = new Timers();
    /** Null if no thread watches rings. */
    private final WatchedRings rings;
    /** Threads that have nothing to do and are about to park, or have parked. */
    private final Deque<PoolThread> parked = new ConcurrentLinkedDeque<>();
    private final Set<PooledExecutor> executors = ConcurrentHashMap.newKeySet();
    /** The threads that belong to a single executor each. */
    private final Set<PoolThread> outside = ConcurrentHashMap.newKeySet();
    private final LongCallDetector[] watches;
    private final Thread watcher = new Thread(this::watch, "executor-pool-watcher");
    /** Until when a parked thread waits for a timer. A thread that is awake looks at the timers before each turn. */
    private volatile long keptNs = Timers.NONE;
    /** When a busy thread last looked for what others should take. */
    private volatile long lookedForOthersNs;
    /** Whether an executor went on although it was stopped. Written by the threads that stop executors. */
    private volatile boolean oneGoesOn;
    private volatile boolean closed;

    /**
     * Starts the threads.
     *
     * @param size the number of threads
     * @param quantumNs after how long an executor that still has input lets others have a turn
     * @param blockedNs how long a call may take before the thread is taken out of the pool
     * @param passed if not null, the most urgent executor is next, rather than the one that was woken last; all executors then have an
     *     urgency. See {@link MostUrgentFirst}
     * @param rings what a thread watches for a moment before it parks. A pool with one thread does not: the worker that it would wait for
     *     has no other processor
     */
    ExecutorPool(int size, long quantumNs, long blockedNs, NanoClock clock, LongConsumer passed, WatchedRings rings) {
        this.clock = clock;
        this.quantumNs = quantumNs;
        this.blockedNs = blockedNs;
        this.rings = size > 1 ? rings : null;
        startedNs = clock.nanoTime();
        threads = new AtomicReferenceArray<>(size);
        order = passed != null ? new MostUrgentFirst(this::nowNs, queues, passed) : new LastWokenFirst(threads, queues, this::nowNs);
        watches = Stream.generate(LongCallDetector::new).limit(size).toArray(LongCallDetector[]::new);
        for (int i = 0; i < size; i++) {
            queues.add(new RunQueue());
            threads.set(i, newThread(i));
        }
        for (int i = 0; i < size; i++) {
            threads.get(i).start();
        }
        watcher.setDaemon(true);
        watcher.start();
    }

    @Override
    public long nowNs() {
        return clock.nanoTime() - startedNs;
    }

    @Override
    public long quantumNs() {
        return quantumNs;
    }

    @Override
    public long blockedNs() {
        return blockedNs;
    }

    @Override
    public void later(Timer timer) {
        timers.add(timer);
        if (currentThread() == null) {
            wakeOne(); // A thread of the pool looks at the timers before it parks.
        }
    }

    /** Adds an executor that is ready, with a thread of its own if its calls may take long. */
    void add(PooledExecutor executor, boolean outside) {
        executors.add(executor);
        if (outside) {
            startThread(executor, () -> { });
        } else {
            woken(executor);
        }
    }

    /** Gives an executor that sleeps often a thread of its own; on the thread that has had its turn, which settles the executor here. */
    void giveThread(PooledExecutor executor) {
        if (executor.leaves(true)) {
            LOG.info("{} has its own thread while calls sleep or wait for locks for more than {} ms in a second. Only the first time"
                + " is logged.", executor.name(), TimeUnit.NANOSECONDS.toMillis(PooledExecutor.SLEEPS_AT_MOST_NS));
        }
        startThread(executor, executor::settle);
    }

    @Override
    public void ended(PooledExecutor executor) {
        executors.remove(executor);
    }

    /** Notes that an executor goes on although it was stopped. For any thread. */
    void goesOn() {
        oneGoesOn = true;
    }

    /** Whether an executor went on although it was stopped. For any thread. */
    boolean hasOneThatGoesOn() {
        return oneGoesOn;
    }

    /** Whether an executor has a thread of its own. For any thread. */
    boolean hasOwnThread(PooledExecutor executor) {
        return outside.stream().anyMatch(thread -> thread.running().equals(executor));
    }

    /** The number of executors that have a thread of their own. */
    int outside() {
        return outside.size();
    }

    @Override
    public void woken(PooledExecutor executor) {
        if (!order.addWoken(executor, currentThread())) {
            wakeOne();
        }
    }

    @Override
    public void hadItsTurn(PooledExecutor executor) {
        if (!order.addAfterTurn(executor, currentThread())) {
            wakeOne();
        }
    }

    @Override
    public void raised(PooledExecutor executor) {
        order.raised(executor);
    }

    /** Wakes a thread that has nothing to do, if there is one. */
    void wakeOne() {
        PoolThread thread = parked.pollFirst();
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    @Override
    public void shareWork(long nowNs) {
        if (nowNs - lookedForOthersNs < LOOKS_FOR_OTHERS_NS || parked.isEmpty()) {
            return;
        }
        lookedForOthersNs = nowNs;
        if (Thread.currentThread() instanceof PoolThread thread && thread.isInPool()
            && (order.hasWorkForOthers(thread, nowNs) || timers.nextNs() < nowNs - quantumNs)) {
            wakeOne();
        }
    }

    /** The next executor for a thread of the pool, which waits for it; null when the pool is closed. */
    PooledExecutor take(PoolThread thread) {
        PooledExecutor found = closed ? null : find(thread);
        if (found != null) {
            return found;
        }
        int shortNaps = 0;
        while (!closed) {
            boolean naps = isAnotherBusy(thread);
            if (naps && shortNaps < NAPS) {
                shortNaps++;
                thread.park(NAP_NS);
                found = find(thread);
            } else {
                found = naps ? null : watchRings(thread);
                if (found == null) {
                    parked.addFirst(thread);
                    found = find(thread);
                    if (found == null && !closed) {
                        park(thread, naps ? LONG_NAP_NS : Timers.NONE);
                    }
                    parked.remove(thread);
                    found = found == null ? find(thread) : found;
                }
            }
            if (found != null) {
                if (order.isAnotherWoken()) {
                    wakeOne(); // This thread may have been woken for another executor than the one that it takes.
                }
                return found;
            }
        }
        return null;
    }

    @Override
    public Thread ownThread(PooledExecutor executor) {
        // The watcher adds a thread before it knows whether the call still lasts.
        return outside.stream().filter(thread -> !thread.isInPool() && thread.running().equals(executor)).findFirst().orElse(null);
    }

    /** A thread that belonged to one executor ends. */
    void endedThread(PoolThread thread) {
        outside.remove(thread);
    }

    void close() {
        closed = true;
        watcher.interrupt();
        outside.forEach(Thread::interrupt);
        for (int i = 0; i < threads.length(); i++) {
            LockSupport.unpark(threads.get(i));
        }
    }

    /**
     * Parks the thread, which calls it, for that time at most. It ends when the thread is woken, or when the next timer is due unless
     * another thread waits for that.
     */
    private void park(PoolThread thread, long atMostNs) {
        long nextNs = timers.nextNs();
        if (nextNs < keptNs) {
            keptNs = nextNs;
            thread.park(Math.min(atMostNs, Math.max(0, nextNs - nowNs())));
            keptNs = Timers.NONE;
        } else {
            thread.park(atMostNs);
        }
    }

    /** Watches the rings if that is worth it. Returns an executor that is ready by the end, or null. */
    private PooledExecutor watchRings(PoolThread thread) {
        if (rings == null) {
            return null;
        }
        long sinceNs = nowNs();
        if (!rings.tryBegin(sinceNs)) {
            return null;
        }
        PooledExecutor found = null;
        boolean came = false;
        long nowNs = sinceNs;
        try {
            do {
                Thread.onSpinWait();
                came = rings.read();
                found = find(thread);
                nowNs = nowNs();
            } while (found == null && !came && !rings.isOver(nowNs) && !isAnotherBusy(thread));
        } finally {
            rings.end(nowNs, came);
            thread.watched(nowNs() - sinceNs);
        }
        if (came && order.hasWorkForOthers(thread, nowNs)) {
            wakeOne();
        }
        return found == null ? find(thread) : found;
    }

    private PooledExecutor find(PoolThread thread) {
        if (timers.nextNs() != Timers.NONE) {
            wakeDue();
        }
        return order.take(thread);
    }

    /** The thread of the pool that calls this, or null. */
    private static PoolThread currentThread() {
        return Thread.currentThread() instanceof PoolThread thread && thread.isInPool() ? thread : null;
    }

    private void wakeDue() {
        long nowNs = nowNs();
        while (timers.nextNs() <= nowNs) {
            Timer timer = timers.take(nowNs);
            if (timer != null) {
                timer.executor().due(timer);
            }
        }
    }

    private boolean isAnotherBusy(PoolThread thread) {
        for (int i = 0; i < threads.length(); i++) {
            PoolThread other = threads.get(i);
            if (other != thread && (other.turn() & 1) == 1) {
                return true;
            }
        }
        return false;
    }

    private void watch() {
        try {
            for (int tick = 1; !closed; tick++) {
                Thread.sleep(TICK_MS);
                long nowNs = nowNs();
                for (int i = 0; i < threads.length(); i++) {
                    watch(i, nowNs);
                }
                if (tick % TICKS_BETWEEN_TURNS == 0) {
                    executors.forEach(PooledExecutor::run); // New credentials, for instance, do not wake an executor.
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // The pool is closed.
        } catch (OutOfMemoryError e) { // The queue of the thread that was replaced has no owner now. The worker's handler ends the worker.
            LOG.error("Cannot start a thread: raise ulimit -u or the pids limit.", e);
            throw e;
        }
    }

    private void watch(int index, long nowNs) {
        PoolThread thread = threads.get(index);
        long turn = thread.turn();
        PooledExecutor running = thread.running();
        boolean isBlocked = watches[index].isBlocked(thread, turn, running, nowNs, blockedNs);
        if (watches[index].isSameTurn()) {
            running.lookSoon();
        } else {
            thread.notePreempted(nowNs);
        }
        if (isBlocked) {
            PoolThread spare = newThread(index);
            // Before the thread is detached: if it still has that turn then, these are calls of that turn.
            Optional<String> inCalls = thread.calls();
            outside.add(thread);
            if (!thread.detach(turn)) {
                outside.remove(thread);
                return;
            }
            threads.set(index, spare);
            watches[index] = new LongCallDetector();
            spare.start();
            String calls = inCalls.orElse("");
            if (inCalls.isPresent() && running.leaves(!calls.isEmpty())) {
                LOG.info("{} has its own thread while calls take longer than {} ms.{}", running.name(),
                    TimeUnit.NANOSECONDS.toMillis(blockedNs), calls.isEmpty() ? ""
                        : " This one is in " + calls + ". Only the first such call of this executor is logged.");
            }
        } else if (watches[index].isInACall()) {
            wakeOne(); // To take what waits for the thread.
        }
    }

    private void startThread(PooledExecutor executor, Runnable beforeStart) {
        PoolThread thread = new PoolThread(this, null, executor, executor.name());
        executor.detach(thread);
        outside.add(thread);
        beforeStart.run();
        thread.start();
    }

    private PoolThread newThread(int index) {
        return new PoolThread(this, queues.get(index), null, "executor-pool-" + index);
    }
}
