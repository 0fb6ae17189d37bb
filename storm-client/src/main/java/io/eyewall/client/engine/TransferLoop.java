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
 * A thread of Netty's that can also do what hands it messages to send: a thread of its own for that would have to be woken for each batch,
 * and then to wake this one. It does so between two rounds of Netty's own work and never within one, so that what it does may wait for room
 * in a connection, as long as it {@linkplain #awaitSpace waits here}.
 */
public final class TransferLoop extends SingleThreadIoEventLoop {

    private static final ThreadLocal<TransferLoop> CURRENT = new ThreadLocal<>();
    private static final long TASKS_NS = TimeUnit.SECONDS.toNanos(1);

    private final NanoClock clock;
    /** What is done beside Netty's work, or null. The loop's thread's, as the next two are. */
    private Work work;
    /** That work while it is called, otherwise null. */
    private Work called;
    /** When the work is to be called again though nobody wakes it, on the clock. */
    private long dueNs;
    /** Whether the work is to be called again at once. Raised by any thread before it wakes this one, lowered here before the call. */
    private volatile boolean woken;

    /**
     * For Netty, which makes the threads of a group.
     *
     * @param clock the clock by which Netty's own timers run: {@link NanoClock#SYSTEM}, or the same in a test
     */
    public TransferLoop(IoEventLoopGroup parent, Executor executor, IoHandlerFactory handlers, NanoClock clock) {
        super(parent, executor, handlers);
        this.clock = clock;
    }

    /** The loop of a group that has no other. */
    static Optional<TransferLoop> only(EventLoopGroup group) {
        Iterator<EventExecutor> loops = group.iterator();
        return loops.next() instanceof TransferLoop loop && !loops.hasNext() ? Optional.of(loop) : Optional.empty();
    }

    /** The loop that calls the work which this is part of, or null. */
    static TransferLoop current() {
        TransferLoop loop = CURRENT.get();
        return loop != null && loop.called != null ? loop : null;
    }

    /**
     * Has the loop's thread do work again and again, until the calling thread is interrupted. One such work at a time.
     *
     * @param calls answers with the nanoseconds after which it is to be called again, or sooner if {@linkplain #wake woken}
     * @throws InterruptedException when the calling thread is interrupted; a call under way may still go on for a moment
     * @throws ExecutionException when the work throws, or the loop has ended; it is not called again
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

    /** Has the work called at once. For any thread. */
    void wake() {
        woken = true;
        wakeup(false);
    }

    /**
     * Does Netty's work while a call of the other waits for room in a connection, for at most so many nanoseconds if there is none.
     * For that call.
     *
     * @throws InterruptedException when the work is to end
     */
    void awaitSpace(long atMostNs) throws InterruptedException {
        if (called.end.isDone()) {
            throw new InterruptedException("interrupted while a connection is full");
        }
        woken = false; // The call under way has something to send, and so is followed by another one.
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

    /** One round of Netty's: waits for the network, a task, or until there is other work; then does what there is. */
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
        } catch (Throwable e) { // Whoever has it done is told, whatever it is.
            called.end.completeExceptionally(e);
        } finally {
            called = null;
        }
    }

    private boolean isWorkDue() {
        return work != null && (woken || dueNs - clock.nanoTime() <= 0);
    }

    /** Asked by Netty before it waits, also after it has noted that it is about to. */
    @Override
    protected boolean hasTasks() {
        return super.hasTasks() || isWorkDue();
    }

    @Override
    protected long delayNanos(long nowNs) {
        long delayNs = super.delayNanos(nowNs);
        return work == null ? delayNs : Math.max(0, Math.min(delayNs, dueNs - nowNs));
    }

    /** Another one whenever either changes: Netty only compares it with that of the wait before, whose timer goes on if it is the same. */
    @Override
    protected long deadlineNanos() {
        return work == null ? super.deadlineNanos() : super.deadlineNanos() ^ dueNs;
    }

    /** What is done beside Netty's work, and what is done when that is to end, or has failed. */
    private record Work(LongSupplier calls, CompletableFuture<Void> end) {
    }
}
