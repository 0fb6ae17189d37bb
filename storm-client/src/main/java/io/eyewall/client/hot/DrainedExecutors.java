package io.eyewall.client.hot;

import io.eyewall.client.engine.WakingQueue;
import io.eyewall.client.seam.DrainableTransport;
import io.eyewall.client.seam.WorkerChange;
import io.eyewall.client.time.NanoClock;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.apache.storm.Config;
import org.apache.storm.StormTimer;
import org.apache.storm.daemon.worker.WorkerState;
import org.apache.storm.executor.Executor;
import org.apache.storm.executor.IRunningExecutor;
import org.apache.storm.executor.TupleInfo;
import org.apache.storm.spout.CheckpointSpout;
import org.apache.storm.spout.ISpout;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.RotatingMap;
import org.apache.storm.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The executors of a worker that end with it, where its {@link DrainableTransport} asks for that. They take the steps of {@link
 * MovableExecutor}: spouts become quiet first; then executors execute their queues, and those of Storm's own components come last, since
 * others send to them.
 *
 * <p>The worker may still be starting then, and tuples may have come. Bolts for which some have come are prepared, even if other workers
 * are not connected or the topology is inactive: to send the tuples on would be to send them behind later ones. Other bolts are not, and a
 * spout that is not open emits nothing any more.
 */
final class DrainedExecutors implements WorkerChange, DrainableTransport.Drain {

    private static final Logger LOG = LoggerFactory.getLogger(DrainedExecutors.class);
    private static final long LOOK_MS = 2;

    private final LocalExecutors local;
    private final long pendingAtMostNs;
    /** Tuples that could not be sent, or came when their executor had ended. */
    private final AtomicInteger lost = new AtomicInteger();
    /** Null if the worker cannot be drained, and before its transfer has been made. */
    private DrainableTransport transport;
    /** Whether all that was emitted has been sent. */
    private BooleanSupplier hasSentAll;
    /** Lets executors prepare their bolts that wait for other workers or for an active topology. May run often. */
    private Runnable activation;

    DrainedExecutors(Map<String, Object> topologyConf) {
        local = new LocalExecutors(new MovableExecutor.Services(NanoClock.SYSTEM, () -> { }, Runnable::run,
            tuple -> lost.incrementAndGet()));
        // Storm looks once in each timeout: a message fails by the end of the second one.
        pendingAtMostNs = TimeUnit.SECONDS.toNanos(
            2L * ObjectReader.getInt(topologyConf.get(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS)) + 1);
    }

    /** Called when the worker's transfer has been made, which says whether it has sent all that it was given. */
    void transferMade(DrainableTransport sendsOver, BooleanSupplier sentAll) {
        transport = sendsOver;
        hasSentAll = sentAll;
    }

    /** Called when the object that a task runs has been made; {@code decorated} is the object as features have decorated it. */
    void taskObjectMade(int task, Object object, Object decorated) {
        if (object instanceof CheckpointSpout spout) {
            local.register(task, spout);
        } else if (decorated instanceof ISpout spout) {
            local.register(task, spout);
        }
    }

    /** The loop of an executor that is about to start. */
    Callable<?> loop(Executor executor, Callable<?> upstream) {
        return transport == null ? upstream : loop(new StormExecutorAccess(executor), upstream);
    }

    /** The same for any executor, of a worker that can be drained. */
    Callable<?> loop(ExecutorAccess executor, Callable<?> upstream) {
        return local.register(executor).loop(upstream);
    }

    /** Notes the map in which a spout's executor keeps its messages, and returns it; on the executor's thread. */
    RotatingMap<Long, TupleInfo> keeping(List<Long> executor, RotatingMap<Long, TupleInfo> messages) {
        MovableExecutor movable = local.get(executor);
        if (movable != null) {
            movable.keeps(messages);
        }
        return messages;
    }

    @Override
    public void started(WorkerState worker, AtomicReference<List<IRunningExecutor>> executors) {
        if (transport != null) {
            started(executors, () -> {
                worker.getIsWorkerActive().countDown();
                worker.getIsTopologyActive().set(true);
            });
            transport.drainedBy(this);
        }
    }

    /** The same; {@code activate} ends the wait for other workers and for an active topology. */
    void started(AtomicReference<List<IRunningExecutor>> executors, Runnable activate) {
        local.started(executors);
        activation = activate;
    }

    @Override
    public List<IRunningExecutor> flushed(List<IRunningExecutor> executors) {
        return local.executors().isEmpty() ? executors : local.running();
    }

    @Override
    public void scheduleTicks(Executor executor, StormTimer timer, int delaySecs, int everySecs, Runnable tick) {
        MovableExecutor movable = local.get(executor.getExecutorId());
        timer.scheduleRecurring(delaySecs, everySecs, movable == null ? tick : () -> {
            if (movable.hasTicks()) {
                tick.run();
            }
        });
    }

    @Override
    public void stopSpouts(BooleanSupplier mayWait) throws InterruptedException {
        List<MovableExecutor> spouts = running().stream().filter(MovableExecutor::isSpout).toList();
        spouts.forEach(spout -> local.quiesce(spout, pendingAtMostNs));
        await(() -> !mayWait.getAsBoolean() || spouts.stream().allMatch(spout -> spout.isQuiet() || !spout.isPrepared()));
    }

    @Override
    public boolean areAtRest() {
        List<MovableExecutor> all = running();
        all.stream().filter(MovableExecutor::hasTicks).forEach(MovableExecutor::leave); // The first time.
        return areDone(all) && hasSentAll.getAsBoolean();
    }

    @Override
    public int end() throws InterruptedException {
        List<MovableExecutor> all = running();
        end(all.stream().filter(executor -> !isSystem(executor)).toList());
        end(all.stream().filter(DrainedExecutors::isSystem).toList());
        await(hasSentAll);
        all.stream().filter(MovableExecutor::hasEnded).map(MovableExecutor::queue).map(WakingQueue.class::cast)
            .forEach(queue -> queue.drain(this::notExecuted, () -> { }));
        return lost.get() + all.stream().filter(executor -> !executor.hasEnded() && !executor.isSpout())
            .mapToInt(executor -> executor.queue().size()).sum();
    }

    /** Counts a tuple that was not executed, except those of timers, which no longer matter. */
    private void notExecuted(Object element) {
        if (element instanceof AddressedTuple tuple && tuple.getTuple().getSourceTask() >= 0) {
            lost.incrementAndGet();
        }
    }

    /** The executors of components, Storm's own included, but not the worker's. */
    private List<MovableExecutor> running() {
        return local.executors().stream().filter(executor -> executor.tasks().stream().noneMatch(task -> task < 0)).toList();
    }

    private static boolean isSystem(MovableExecutor executor) {
        return Utils.isSystemId(executor.describe());
    }

    private void end(Collection<MovableExecutor> some) throws InterruptedException {
        LOG.info("These executors execute what they have, and end: {}", some.stream().map(MovableExecutor::describe).toList());
        some.forEach(MovableExecutor::leave);
        await(() -> areDone(some));
        some.forEach(MovableExecutor::mayEnd);
        await(() -> some.stream().allMatch(executor -> executor.hasEnded() || !executor.isPrepared()));
        List<MovableExecutor> ended = some.stream().filter(MovableExecutor::hasEnded).toList();
        ended.forEach(local::close);
        await(() -> ended.stream().allMatch(MovableExecutor::isClosed));
    }

    /**
     * Whether none of these executors has anything to do, so that none will send to another. None has begun a turn during the look. So none
     * was in one when all had been idle, and the queues, which are looked at after that, are empty for good.
     */
    private boolean areDone(Collection<MovableExecutor> some) {
        int before = turns(some);
        boolean areIdle = some.stream().allMatch(executor -> executor.isIdle() || !executor.isPrepared());
        if (some.stream().anyMatch(executor -> !executor.isPrepared() && hasWork(executor))) {
            activation.run(); // Again and again, since the worker may read meanwhile that the topology is inactive.
            return false;
        }
        return areIdle && some.stream().noneMatch(DrainedExecutors::hasWork) && turns(some) == before;
    }

    private static int turns(Collection<MovableExecutor> some) {
        return some.stream().mapToInt(MovableExecutor::turns).sum();
    }

    /** Whether something has come that must be executed. What comes to a spout by then is about no message that is pending. */
    private static boolean hasWork(MovableExecutor executor) {
        return !executor.isSpout() && executor.queue().size() > 0;
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MS);
        }
    }
}
