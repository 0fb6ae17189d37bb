package io.eyewall.client.engine;

import io.eyewall.client.time.NanoClock;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.storm.shade.io.netty.channel.EventLoopGroup;
import org.apache.storm.shade.io.netty.channel.IoEventLoopGroup;
import org.apache.storm.shade.io.netty.channel.IoHandlerFactory;
import org.apache.storm.shade.io.netty.channel.SingleThreadIoEventLoop;
import org.apache.storm.shade.io.netty.util.concurrent.EventExecutor;
import org.apache.storm.shade.io.netty.util.concurrent.Future;

/**
 * A thread of Netty that also runs the worker's transfer. A separate transfer thread would have to be woken for each batch, and would then
 * have to wake this thread. The transfer runs between two rounds of Netty's own work and never within one. So it may wait for space in a
 * connection, as long as it {@linkplain #awaitSpace waits here}.
 */
public final class TransferLoop extends SingleThreadIoEventLoop {

    private static final ThreadLocal<TransferLoop> CURRENT = new ThreadLocal<>();
    private static final long TASKS_NS = TimeUnit.SECONDS.toNanos(1);

    private final NanoClock clock;
    /** The work besides Netty's, or null. This field and the next two are for the loop's thread. */
    private Work work;
    /** The work while it is being called; null at other times. */
    private Work called;
    /** When the clock reaches this time, the work is called again although nothing woke it. */
    private long dueNs;
    /** Whether to call the work again at once. Raised by any thread before it wakes this one, lowered here before the call. */
    private volatile boolean woken;

    /**
     * Called by Netty, which makes the threads of a group.
     *
     * @param clock the clock by which Netty's own timers run: {@link NanoClock#SYSTEM}, or the same in a test
     */
    public TransferLoop(IoEventLoopGroup parent, Executor executor, IoHandlerFactory handlers, NanoClock clock) {
        super(parent, executor, handlers);
        this.clock = clock;
    }

    /** The loop of a group that has a single one. */
    static Optional<TransferLoop> only(EventLoopGroup group) {
        Iterator<EventExecutor> loops = group.iterator();
        return loops.next() instanceof TransferLoop loop && !loops.hasNext() ? Optional.of(loop) : Optional.empty();
    }

    /** The loop whose work the calling code is part of, or null. */
    static TransferLoop current() {
        TransferLoop loop = CURRENT.get();
        return loop != null && loop.called != null ? loop : null;
    }

    /**
     * Makes the loop's thread call the work again and again, until the calling thread is interrupted. One work at a time.
     *
     * @param calls returns the nanoseconds after which to call it again, or sooner if {@linkplain #wake woken}
     * @throws InterruptedException when the calling thread is interrupted; a call that is under way may run on for a moment
     * @throws ExecutionException when the work throws, or the loop has ended; the work is not called again
     */
    void doUntilInterrupted(LongSupplier calls) throws InterruptedException, ExecutionException {
        Work next = new Work(calls, new CompletableFuture<>());
        execute(() -> {
            work = next;
            dueNs = clock.nanoTime();
        });
        Future<?> unused = terminationFuture().addListener(ended ->
            next.end.completeExceptionally(new IllegalStateException("The thread of the connections to other workers has ended.")));
        try {
            next.end.get();
        } finally {
            next.end.complete(null);
        }
    }

    /** Makes the loop call the work at once. For any thread. */
    void wake() {
        woken = true;
        wakeup(false);
    }

    /**
     * Does a round of Netty's work while a call of the other work waits for space in a connection, for at most {@code atMostNs}. Only that
     * call may use it.
     *
     * @throws InterruptedException when the work must end
     */
    void awaitSpace(long atMostNs) throws InterruptedException {
        if (called.end.isDone()) {
            throw new InterruptedException("interrupted while a connection is full");
        }
        woken = false; // The current call has something to send, so another one follows it.
        dueNs = clock.nanoTime() + atMostNs;
        turn();
    }

    @Override
    protected void run() {
        CURRENT.set(this);
        ioHandler().initialize();
        do {
            turn();
            doWork();
        } while (!confirmShutdown() && !canSuspend());
    }

    /**
     * Does one round of Netty's work: waits for the network, for a task, or until the other work is due, and then handles Netty's events.
     */
    private void turn() {
        runIo();
        if (isShuttingDown()) {
            ioHandler().prepareToDestroy();
        }
        runAllTasks(TASKS_NS);
    }

    private void doWork() {
        if (!isWorkDue()) {
            return;
        }
        if (work.end.isDone()) {
            work = null;
            return;
        }
        woken = false;
        called = work;
        try {
            long waitNs = called.calls.getAsLong();
            dueNs = clock.nanoTime() + waitNs;
        } catch (Throwable e) { // The thread that started the work gets every failure.
            called.end.completeExceptionally(e);
        } finally {
            called = null;
        }
    }

    private boolean isWorkDue() {
        return work != null && (woken || dueNs - clock.nanoTime() <= 0);
    }

    /** Netty calls this before it waits, and again after it has published that it will wait. */
    @Override
    protected boolean hasTasks() {
        return super.hasTasks() || isWorkDue();
    }

    @Override
    protected long delayNanos(long nowNs) {
        long delayNs = super.delayNanos(nowNs);
        return work == null ? delayNs : Math.max(0, Math.min(delayNs, dueNs - nowNs));
    }

    /**
     * A number that changes whenever one of the two deadlines changes. Netty only compares it with that of the last wait, and sets its
     * timer if they differ.
     */
    @Override
    protected long deadlineNanos() {
        return work == null ? super.deadlineNanos() : super.deadlineNanos() ^ dueNs;
    }

    /** The work besides Netty's, and a future that is complete when the work must end or has failed. */
    private record Work(LongSupplier calls, CompletableFuture<Void> end) {
    }
}
