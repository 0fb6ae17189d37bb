package io.eyewall.client.hot;

import io.eyewall.client.seam.CheckpointSpoutAccess;
import io.eyewall.client.time.NanoClock;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.storm.daemon.Shutdownable;
import org.apache.storm.executor.IRunningExecutor;
import org.apache.storm.executor.TupleInfo;
import org.apache.storm.spout.CheckPointState;
import org.apache.storm.spout.CheckpointSpout;
import org.apache.storm.spout.ISpout;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.utils.JCQueue;
import org.apache.storm.utils.RotatingMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One executor of a worker, which can end while others continue. It takes the steps to its end on its own thread, between two rounds of
 * upstream's loop. Its methods are for the thread that changes the worker, except where they name another thread.
 *
 * <p>A spout first {@linkplain #quiesce quiesces}: it emits nothing and takes acks until none of its messages is pending. Then the executor
 * {@linkplain #leave leaves}, as any other: it executes its queue, or {@linkplain #handOver hands it over}, and sends the tuples and acks
 * that it has gathered. It waits for no other thread: tuples that it cannot send because a queue is full are handed over as well. The
 * checkpoint spout may also {@linkplain #rest rest} after it has ended its current checkpoint, and continue later.
 */
final class MovableExecutor {

    private static final Logger LOG = LoggerFactory.getLogger(MovableExecutor.class);

    private enum Stage { RUNS, RESTS, QUIESCES, LEAVES }

    private final ExecutorAccess executor;
    private final Services services;
    /** The states of those of its tasks that are stateful bolts. */
    private final List<MovableState> states;
    /** Whether these bolts get their state as soon as they are prepared. */
    private final boolean restores;
    private final Queue<Runnable> commands = new ConcurrentLinkedQueue<>();

    /** Set when the executor has started. */
    private IRunningExecutor handle;
    private volatile Thread thread;

    private volatile Stage stage = Stage.RUNS;
    private volatile boolean mayEnd;
    private volatile boolean handsOver;
    /** How often it has begun to do something since it leaves. Written by the executor's thread, as the next one. */
    private volatile int turns;
    /** Whether it has done all that it had, since it leaves. Not true in a turn. */
    private volatile boolean idle;
    /**
     * The number of the current rest, and below, the number of the rest in which the spout last became quiet, written by the executor's
     * thread.
     */
    private volatile int rest;
    private volatile int quietRest = -1;
    private volatile boolean ended;
    private volatile boolean closed;
    private volatile long queuesSeen;
    private volatile boolean ticks = true;

    /**
     * The spouts that are still to be deactivated, and until when messages may be pending. Written before the stage, then by the executor's
     * thread.
     */
    private List<ISpout> spouts = List.of();
    private long quiesceUntilNs;
    private long quiesceAtMostNs;
    /** Null unless this executor runs the checkpoint spout. Written with the spouts. */
    private CheckpointSpout checkpoints;
    /** Only for the executor's thread; null for a bolt. */
    private RotatingMap<Long, TupleInfo> pending;
    /** Whether upstream's loop has run, which activates spouts. Only for the executor's thread. */
    private boolean hasRun;

    /**
     * The services of the worker that an executor needs.
     *
     * @param clock measures how long the executor has been quiescing
     * @param wake wakes the thread that changes the worker
     * @param closers runs calls of user code that may take long, on threads of their own
     * @param remainder takes the tuples that an executor could not send before it ended, on any thread
     */
    record Services(NanoClock clock, Runnable wake, java.util.concurrent.Executor closers, Consumer<AddressedTuple> remainder) {
    }

    /**
     * Wraps an executor that runs.
     *
     * @param states of those of its tasks that are stateful bolts
     * @param restores whether another worker has committed these states and no checkpoint is being made
     */
    MovableExecutor(ExecutorAccess executor, List<MovableState> states, boolean restores, Services services) {
        this.executor = executor;
        this.states = states;
        this.restores = restores;
        this.services = services;
    }

    List<Long> id() {
        return executor.id();
    }

    List<Integer> tasks() {
        return executor.tasks();
    }

    JCQueue queue() {
        return executor.queue();
    }

    boolean isSpout() {
        return executor.isSpout();
    }

    String describe() {
        return executor.describe();
    }

    IRunningExecutor handle() {
        return handle;
    }

    /** Called when the executor has started, with that generation of queues. */
    void started(IRunningExecutor running, long generation) {
        handle = running;
        queuesSeen = generation;
    }

    /** The loop that replaces upstream's; made before the executor starts. */
    Callable<Object> loop(Callable<?> upstream) {
        return () -> {
            thread = Thread.currentThread();
            Callable<?> body = (Callable<?>) upstream.call();
            if (restores) {
                states.forEach(MovableState::restore);
            }
            return (Callable<Object>) () -> round(body);
        };
    }

    /** Sets the map that keeps the pending messages of its spouts; on the executor's thread. */
    void keeps(RotatingMap<Long, TupleInfo> messages) {
        pending = messages;
    }

    /** Whether its bolts are prepared, or its spouts open; for any thread. */
    boolean isPrepared() {
        return executor.isPrepared();
    }

    /** Whether the executor still gets ticks; for any thread. */
    boolean hasTicks() {
        return ticks;
    }

    /** Makes the executor put tuples into the queues that the worker has now, after it has flushed its batches to the earlier ones. */
    void useQueues(long generation) {
        command(() -> {
            try {
                executor.flushEmits();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            executor.lookUpQueues();
            queuesSeen = generation;
            services.wake().run();
        });
    }

    /** Whether the executor has stopped inserting into queues that are older than that generation. */
    boolean usesQueues(long generation) {
        return ended || queuesSeen >= generation;
    }

    /** Makes these spouts, which are its own, stop emitting. Messages that are still pending after {@code atMostNs} nanoseconds fail. */
    void quiesce(List<ISpout> objects, long atMostNs) {
        if (stage != Stage.QUIESCES) {
            LOG.info("{} has to leave. It emits nothing until none of its messages is pending.", describe());
        }
        pause(Stage.QUIESCES, objects, atMostNs);
    }

    boolean isQuiescing() {
        return stage == Stage.QUIESCES;
    }

    /** Makes the checkpoint spout end the checkpoint that it has begun, and begin no other until {@link #resume}. */
    void rest(ISpout spout, long atMostNs) {
        pause(Stage.RESTS, List.of(spout), atMostNs);
    }

    boolean isResting() {
        return stage == Stage.RESTS;
    }

    /** Makes the checkpoint spout continue. */
    void resume() {
        if (stage == Stage.RESTS) {
            stage = Stage.RUNS;
            unpark();
        }
    }

    /** Whether the executor has no message pending and emits none. */
    boolean isQuiet() {
        return stage != Stage.RUNS && quietRest == rest;
    }

    /** Makes the executor end once it {@linkplain #mayEnd() may} and has executed all elements of its queue. */
    void leave() {
        ticks = false;
        executor.queue().retire();
        stage = Stage.LEAVES;
        interrupt();
    }

    /** Whether it neither quiesces nor leaves. */
    boolean isStaying() {
        return stage == Stage.RUNS || stage == Stage.RESTS;
    }

    /** How many turns it has begun since it leaves; for any thread. */
    int turns() {
        return turns;
    }

    /** Whether it leaves, is not in a turn, and has sent what it has emitted. What comes makes it begin another turn. For any thread. */
    boolean isIdle() {
        return idle;
    }

    /** Lets the executor end when its queue is empty, since no executor of the worker inserts into it. */
    void mayEnd() {
        mayEnd = true;
        interrupt();
    }

    /** Makes the executor end now, and hand over the rest of its queue and the tuples that it could not send. */
    void handOver() {
        handsOver = true;
        mayEnd();
    }

    boolean hasEnded() {
        return ended;
    }

    /** Cleans up its bolts, or closes its spouts, once the executor has ended. This runs on a thread of its own, since it may take long. */
    void close() {
        services.closers().execute(() -> {
            try {
                ((Shutdownable) handle).shutdown();
            } catch (RuntimeException e) {
                LOG.error("{} failed to close or clean up. It leaves nevertheless.", describe(), e);
            }
            try {
                executor.flushEmits(); // A bolt may emit until it has cleaned up.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            handOverEmits();
            closed = true;
            services.wake().run();
        });
    }

    /** Whether all its objects are closed. */
    boolean isClosed() {
        return closed;
    }

    private void command(Runnable command) {
        commands.add(command);
        interrupt();
    }

    /** Makes the executor's thread return to {@link #round}, even from a queue that is never empty. */
    private void interrupt() {
        executor.queue().askToReturn();
        unpark();
    }

    private void unpark() {
        LockSupport.unpark(thread);
    }

    private void pause(Stage next, List<ISpout> objects, long atMostNs) {
        if (stage == Stage.RUNS) {
            spouts = objects;
            checkpoints = objects.stream().filter(CheckpointSpout.class::isInstance).map(CheckpointSpout.class::cast).findFirst()
                .orElse(null);
            quiesceAtMostNs = atMostNs;
            quiesceUntilNs = services.clock().nanoTime() + atMostNs;
            int last = rest;
            rest = last + 1;
            stage = next;
            interrupt();
        } else if (stage == Stage.RESTS) {
            stage = next;
        }
    }

    private Object round(Callable<?> body) throws Exception {
        executor.queue().goOn();
        for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
            command.run();
        }
        if (stage == Stage.RUNS) {
            hasRun = true;
            return body.call();
        }
        if (stage == Stage.LEAVES) {
            if (mayEnd && isDone()) {
                ended = true;
                services.wake().run();
                return null;
            }
            if (!mayEnd && !hasWorkBehindBatches()) {
                idle = true;
                return 1L;
            }
            idle = false;
            int begun = turns + 1;
            turns = begun;
        }
        return pending == null ? body.call() : (Object) takeOnly();
    }

    /** Does a round of a spout that emits nothing; returns how many milliseconds to sleep. */
    private long takeOnly() {
        int current = rest;
        if (hasRun) {
            spouts.forEach(ISpout::deactivate);
        }
        spouts = List.of();
        int taken = executor.executeInput();
        executor.sendPendingEmits();
        boolean quiet = quietRest == current;
        if (!quiet && pending.size() > 0 && services.clock().nanoTime() > quiesceUntilNs) {
            LOG.warn("{} has to leave, and {} of its messages are still pending after the message timeout. They fail.", describe(),
                pending.size());
            pending.rotate();
            pending.rotate();
            quiesceUntilNs += quiesceAtMostNs; // A spout may have emitted them once more, since they were reported as failed.
        }
        if (!quiet && pending.size() == 0 && (checkpoints == null || executor.pendingEmits().isEmpty())) {
            if (isBetweenCheckpoints()) {
                quietRest = current;
                services.wake().run();
            } else {
                checkpoints.nextTuple();
            }
        }
        return taken == 0 ? 1L : 0L;
    }

    /** Whether the checkpoint spout has ended its checkpoint; true for every other spout. */
    private boolean isBetweenCheckpoints() {
        if (checkpoints == null) {
            return true;
        }
        CheckpointSpoutAccess parts = (CheckpointSpoutAccess) checkpoints;
        return !parts.isRecovering() && parts.getCurTxState().getState() == CheckPointState.State.COMMITTED;
    }

    /** Whether nothing is left to do; on the executor's thread. */
    private boolean isDone() throws InterruptedException {
        if (hasWork()) {
            return false;
        }
        states.forEach(MovableState::commit);
        if (hasWorkBehindBatches()) {
            return false;
        }
        handOverEmits();
        return true;
    }

    /** Whether it has something to do after it has sent its batches. */
    private boolean hasWorkBehindBatches() throws InterruptedException {
        if (hasWork()) {
            return true;
        }
        executor.flushAcks();
        executor.flushEmits();
        return hasWork();
    }

    private boolean hasWork() {
        return !handsOver && (queue().size() > 0 || !executor.pendingEmits().isEmpty());
    }

    private void handOverEmits() {
        for (AddressedTuple emit = executor.pendingEmits().poll(); emit != null; emit = executor.pendingEmits().poll()) {
            services.remainder().accept(emit);
        }
    }
}
