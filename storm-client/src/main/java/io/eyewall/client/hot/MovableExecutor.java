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
 * One executor of a worker, and how it ends while others go on. What it does for that it does on its own thread, between two rounds of
 * upstream's loop. Its methods are for the thread that changes the worker unless they say otherwise.
 *
 * <p>A spout first {@linkplain #quiesce quiesces}: it emits nothing and takes acks until none of its messages is pending. Then the
 * executor {@linkplain #leave leaves}, as any other: it executes its queue, or {@linkplain #handOver hands it over}, and sends what it has
 * gathered. It waits for no other thread: what it cannot send because a queue is full it hands over as well. The spout that makes
 * checkpoints may also {@linkplain #rest rest}, having ended the one that it had begun, and go on.
 */
final class MovableExecutor {

    private static final Logger LOG = LoggerFactory.getLogger(MovableExecutor.class);

    private enum Stage { RUNS, RESTS, QUIESCES, LEAVES }

    private final ExecutorAccess executor;
    private final Services services;
    /** Of its tasks that are stateful bolts. */
    private final List<MovableState> states;
    /** Whether these get their state as soon as they are prepared. */
    private final boolean restores;
    private final Queue<Runnable> commands = new ConcurrentLinkedQueue<>();

    /** Set when the executor has started. */
    private IRunningExecutor handle;
    private volatile Thread thread;

    private volatile Stage stage = Stage.RUNS;
    private volatile boolean mayEnd;
    private volatile boolean handsOver;
    /** Which of its rests this is, and in which of them it has become quiet, which the executor's thread says. */
    private volatile int rest;
    private volatile int quietRest = -1;
    private volatile boolean ended;
    private volatile boolean closed;
    private volatile long queuesSeen;
    private volatile boolean ticks = true;

    /** What is still to be deactivated, and until when messages may be pending. Written before the stage, then by the executor's thread. */
    private List<ISpout> spouts = List.of();
    private long quiesceUntilNs;
    private long quiesceAtMostNs;
    /** Null except for the checkpoint spout. Written with the spouts. */
    private CheckpointSpout checkpoints;
    /** The executor's thread alone; null for a bolt. */
    private RotatingMap<Long, TupleInfo> pending;

    /**
     * What an executor needs of its worker.
     *
     * @param clock measures how long the executor has been quiescing
     * @param wake wakes the thread that changes the worker
     * @param closers runs what may take long, apart from all other threads
     * @param remainder takes the emits that an executor leaves behind, on any thread
     */
    record Services(NanoClock clock, Runnable wake, java.util.concurrent.Executor closers, Consumer<AddressedTuple> remainder) {
    }

    /**
     * An executor that runs.
     *
     * @param states of those of its tasks that are stateful bolts
     * @param restores whether these come from another worker, which has committed them, and no checkpoint is being made
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

    /** It has started, with that generation of queues. */
    void started(IRunningExecutor running, long generation) {
        handle = running;
        queuesSeen = generation;
    }

    /** The loop that runs in the place of upstream's; made before the executor starts. */
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

    /** Where the messages of its spouts are; on the executor's thread. */
    void keeps(RotatingMap<Long, TupleInfo> messages) {
        pending = messages;
    }

    /** Whether its bolts are prepared, or its spouts open; for any thread. */
    boolean isPrepared() {
        return executor.isPrepared();
    }

    /** Whether its ticks go on; for any thread. */
    boolean hasTicks() {
        return ticks;
    }

    /** Has the executor put tuples into the queues that the worker has now, after it has flushed its batches to the earlier ones. */
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

    /** Whether it puts no tuple any more into a queue that was there before that generation of queues. */
    boolean usesQueues(long generation) {
        return ended || queuesSeen >= generation;
    }

    /** Has these spouts, which are its own, emit nothing more, and fails what is still pending after {@code atMostNs}. */
    void quiesce(List<ISpout> objects, long atMostNs) {
        if (stage != Stage.QUIESCES) {
            LOG.info("{} has to leave. It emits nothing until none of its messages is pending.", describe());
        }
        pause(Stage.QUIESCES, objects, atMostNs);
    }

    boolean isQuiescing() {
        return stage == Stage.QUIESCES;
    }

    /** Has the checkpoint spout end what it has begun, and begin nothing more for now. */
    void rest(ISpout spout, long atMostNs) {
        pause(Stage.RESTS, List.of(spout), atMostNs);
    }

    boolean isResting() {
        return stage == Stage.RESTS;
    }

    /** Has the checkpoint spout go on. */
    void resume() {
        if (stage == Stage.RESTS) {
            stage = Stage.RUNS;
            unpark();
        }
    }

    /** Whether it has no message pending and emits none. */
    boolean isQuiet() {
        return stage != Stage.RUNS && quietRest == rest;
    }

    /** Has the executor end once it {@linkplain #mayEnd() may} and has executed all that is in its queue. */
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

    /** Has the executor end when its queue is empty: no executor of the worker puts anything into it any more. */
    void mayEnd() {
        mayEnd = true;
        interrupt();
    }

    /** Has the executor end now, and hand over what is still in its queue and what it could not send. */
    void handOver() {
        handsOver = true;
        mayEnd();
    }

    boolean hasEnded() {
        return ended;
    }

    /** Has its bolts clean up, or its spouts close, once it has ended: apart from all other threads, for they may take long. */
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

    /** Whether nothing of it is open any more. */
    boolean isClosed() {
        return closed;
    }

    private void command(Runnable command) {
        commands.add(command);
        interrupt();
    }

    /** Has the executor's thread come back to {@link #round}, even from a queue that is never empty. */
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
            return body.call();
        }
        if (stage == Stage.LEAVES && mayEnd && isDone()) {
            ended = true;
            services.wake().run();
            return null;
        }
        return pending == null ? body.call() : (Object) takeOnly();
    }

    /** A round of a spout that emits nothing; returns how many milliseconds to sleep. */
    private long takeOnly() {
        int current = rest;
        spouts.forEach(ISpout::deactivate);
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

    /** True for every other spout. */
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
        executor.flushAcks();
        executor.flushEmits();
        if (hasWork()) {
            return false;
        }
        handOverEmits();
        return true;
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
