package io.eyewall.client.hot;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.storm.Constants;
import org.apache.storm.daemon.StormCommon;
import org.apache.storm.generated.Assignment;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.utils.JCQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves the executors of one worker: compares what it runs with what it is assigned, and what the other workers announce, and takes the
 * next step of each executor that leaves or arrives. Nothing here waits for another thread or worker; what cannot be done yet is tried
 * again at the next round. {@link TopologyView} says what may be done when.
 *
 * <p>Used by one thread but for {@link #wake()}, {@link #nudge()} and {@link #localTasks()}.
 */
final class WorkerMoves {

    private static final Logger LOG = LoggerFactory.getLogger(WorkerMoves.class);

    private static final long MOVING_NS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long CONNECTING_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long AGAIN_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(10);
    /** For a Supervisor that is there to end a worker. */
    private static final long ORPHANED_NS = TimeUnit.SECONDS.toNanos(30);

    private final HotContext context;
    private final WorkerParts parts;
    private final Forwarder forwarder;
    private final LocalExecutors local;
    /** Null for a topology without stateful bolts. */
    private final Checkpoints checkpoints;

    /** What this worker is to run, each with the queue in which its tuples wait for it. */
    private final Map<List<Long>, JCQueue> awaited = new HashMap<>();
    private final List<MovableExecutor> leavers = new ArrayList<>();
    /** From when on nothing may be put into the queue of each of them. */
    private final Map<MovableExecutor, Long> leftAt = new HashMap<>();
    private final Map<MovableExecutor, Long> leavingSinceNs = new HashMap<>();
    /** Queues of executors that have left, since when: a thread of the network's may have been about to put something into one. */
    private final Map<JCQueue, Long> abandonedSinceNs = new HashMap<>();

    private TopologyView view;
    private Map<Integer, WorkerPlace> homes = Map.of();
    private final Map<String, String> hosts = new HashMap<>();
    private Set<List<Long>> assigned = Set.of();
    private long generation;
    private long readAtNs;
    /** How often {@link #view} was read. */
    private long reads;
    private long busyAtNs;
    private long forwardedBefore;
    private boolean isLeaving;
    private boolean hasLeft;

    private volatile Thread thread;
    private volatile boolean changed = true;
    private volatile Set<Integer> localTasks = Set.of();

    /** Moves executors between this worker, which has started, or is about to, and others. */
    WorkerMoves(HotContext context, WorkerParts parts, Forwarder forwarder, LocalExecutors local, Checkpoints checkpoints) {
        this.context = context;
        this.parts = parts;
        this.forwarder = forwarder;
        this.local = local;
        this.checkpoints = checkpoints;
    }

    /** There may be something new in ZooKeeper; for any thread. */
    void wake() {
        changed = true;
        LockSupport.unpark(thread);
    }

    /** An executor has come further; for any thread. */
    void nudge() {
        LockSupport.unpark(thread);
    }

    /** The tasks whose tuples go to this worker, another set whenever they have changed; for any thread. */
    Set<Integer> localTasks() {
        return localTasks;
    }

    /** Connects to the other workers before this one's executors are made; they are to be these. */
    void connect(Set<List<Long>> starting) {
        if (!read()) {
            throw new IllegalStateException("ZooKeeper does not tell the assignment of " + context.topologyId() + " to its worker.");
        }
        Set<List<Long>> own = new HashSet<>(starting);
        own.remove(Constants.SYSTEM_EXECUTOR_ID); // Each worker has one.
        Set<Integer> served = tasks(own);
        route(served);
        localTasks = Set.copyOf(served);
        if (!context.board().claim(own).equals(own)) {
            throw new IllegalStateException("Another worker has begun to run executors of this one, which is to be started again.");
        }
    }

    /** Runs until it is interrupted; from the moment that all executors have started. */
    void run() {
        thread = Thread.currentThread();
        while (!Thread.currentThread().isInterrupted()) {
            long parkNs = round();
            if (!changed) {
                LockSupport.parkNanos(parkNs);
            }
        }
    }

    /** One round; answers how long the next one has time. */
    private long round() {
        long nowNs = context.nowNs();
        if (changed || nowNs - readAtNs > LOOK_NS) {
            changed = false;
            if (!read()) {
                changed = true;
                LockSupport.parkNanos(AGAIN_NS);
                return AGAIN_NS;
            }
        }
        ExecutorChange change = ExecutorChange.between(local.staying(), assigned);
        awaitArriving(change);
        boolean anyLeft = leave(change, nowNs);
        Set<Integer> served = tasks(local.all());
        boolean reachable = route(served);
        if (setQueues(served) || anyLeft) {
            generation++;
            Stream.concat(local.executors().stream(), leavers.stream()).forEach(executor -> executor.useQueues(generation));
            leavers.forEach(leaver -> leftAt.putIfAbsent(leaver, generation));
        }
        finishLeaving(nowNs);
        abandonedSinceNs.keySet().forEach(queue -> MovableExecutor.leftOver(queue).forEach(forwarder::accept));
        abandonedSinceNs.values().removeIf(sinceNs -> nowNs - sinceNs > AGAIN_NS);
        boolean started = announce(served) && start();
        tellIfNothingIsLeft(nowNs);
        if (started || !leavers.isEmpty() || !awaited.isEmpty() || local.isAnyQuiescing()) {
            return MOVING_NS;
        }
        return reachable && !isLeaving && abandonedSinceNs.isEmpty() ? LOOK_NS : CONNECTING_NS;
    }

    /** Learns what there is to know; false if ZooKeeper does not tell. */
    private boolean read() {
        try {
            Assignment assignment = context.readAssignment(this::wake);
            if (assignment == null) {
                awaitEnd();
                return false;
            }
            if (thread != null && !context.isKnown()) {
                context.restart("its Supervisor has given it up");
                return false;
            }
            Map<Integer, WorkerPlace> places = new HashMap<>();
            Set<List<Long>> mine = new HashSet<>();
            assignment.get_executor_node_port().forEach((executor, info) -> {
                WorkerPlace place = WorkerPlace.of(info);
                StormCommon.executorIdToTasks(executor).forEach(task -> places.put(task, place));
                if (place.equals(context.here())) {
                    mine.add(executor);
                }
            });
            assigned = mine;
            view = new TopologyView(context.here(), places, context.board().others());
            hosts.putAll(assignment.get_node_host());
            for (WorkerPlace place : view.others().keySet()) {
                hosts.computeIfAbsent(place.node(), context::readHost);
            }
            readAtNs = context.nowNs();
            reads++;
            return true;
        } catch (RuntimeException e) {
            LOG.warn("ZooKeeper does not tell where the tasks of this topology are; this worker goes on as before: {}", e.getMessage(), e);
            return false;
        }
    }

    /** The topology is gone: the Supervisor, which may not have heard yet, is to end this worker, which ends itself if nobody does. */
    private void awaitEnd() {
        if (thread == null || context.nowNs() - readAtNs > ORPHANED_NS) {
            context.restart("the topology is no longer assigned");
        } else if (!hasLeft) {
            hasLeft = true;
            context.setMovable(false);
        }
    }

    private void awaitArriving(ExecutorChange change) {
        for (List<Long> executor : List.copyOf(awaited.keySet())) {
            if (!change.arriving().contains(executor)) {
                JCQueue queue = awaited.remove(executor);
                checkpoints.forget(executor);
                parts.remove(executor, queue);
                abandonedSinceNs.put(queue, context.nowNs());
            }
        }
        for (List<Long> executor : change.arriving()) {
            if (!awaited.containsKey(executor)) {
                LOG.info("Executor {} is to come to this worker.", executor);
                awaited.put(executor, parts.makeQueue(executor));
            }
        }
    }

    /** Has those leave that can; answers whether any did. */
    private boolean leave(ExecutorChange change, long nowNs) {
        List<MovableExecutor> able = new ArrayList<>();
        if (context.isTopologyActive() && local.areAllPrepared()) {
            local.executors().stream().filter(executor -> change.leaving().contains(executor.id()) || executor.isQuiescing())
                .filter(executor -> view.mayLeave(executor.tasks(), context::isReachable)).forEach(able::add);
        }
        boolean anyBolts = able.stream().anyMatch(executor -> context.isBolt(executor.tasks().get(0)));
        checkpoints.update(view, reads, anyBolts, announcement(tasks(local.all())));
        able.removeIf(executor -> !mayLeave(executor.tasks().get(0)));
        List<MovableExecutor> leaving = new ArrayList<>();
        for (MovableExecutor executor : able) {
            if (executor.isSpout() && !(executor.isQuiescing() && executor.isQuiet())) {
                local.quiesce(executor, context.quiesceAtMostNs());
            } else {
                leaving.add(executor);
            }
        }
        for (MovableExecutor executor : leaving) {
            LOG.info("{} leaves this worker.", executor.describe());
            executor.leave();
            local.remove(executor);
            leavers.add(executor);
            leavingSinceNs.put(executor, nowNs);
        }
        return !leaving.isEmpty();
    }

    /** Whether checkpoints let an executor leave, of which this is a task. */
    private boolean mayLeave(int task) {
        if (context.isBolt(task)) {
            return checkpoints.mayBoltsLeave(view, reads);
        }
        return !context.checkpointTask().equals(Optional.of(task)) || checkpoints.maySpoutLeave(reads);
    }

    /** Sends tuples where their tasks are; answers whether all of these workers can be reached. */
    private boolean route(Set<Integer> served) {
        Set<NodeInfo> places = Stream.concat(view.assigned().values().stream(), view.others().keySet().stream())
            .filter(place -> !place.equals(context.here())).map(WorkerPlace::nodeInfo).collect(Collectors.toSet());
        context.connections().connect(places, hosts);
        Map<Integer, WorkerPlace> next = view.homes(served, homes, context::isReachable);
        if (!next.equals(homes)) {
            Map<Integer, NodeInfo> nodes = new HashMap<>();
            next.forEach((task, place) -> nodes.put(task, place.nodeInfo()));
            context.connections().route(nodes);
            homes = next;
        }
        context.connections().retain(places);
        return places.stream().allMatch(context.connections()::isReachable);
    }

    /** Has tuples of this worker's tasks put into their queues; answers whether these are others than before. */
    private boolean setQueues(Set<Integer> served) {
        Map<Integer, JCQueue> queues = new HashMap<>();
        local.executors().forEach(executor -> executor.tasks().forEach(task -> queues.put(task, executor.queue())));
        awaited.forEach((executor, queue) -> StormCommon.executorIdToTasks(executor).forEach(task -> {
            if (!served.contains(task) && context.here().equals(homes.get(task))) {
                queues.put(task, queue);
            }
        }));
        Set<List<Long>> named = new HashSet<>(local.all());
        leavers.forEach(leaver -> named.add(leaver.id()));
        named.addAll(awaited.keySet());
        parts.setExecutors(named);
        boolean others = parts.setQueues(queues);
        if (others) {
            localTasks = Set.copyOf(queues.keySet());
        }
        forwarder.setRoutes(new Routes(queues, tasks(assigned), homes));
        return others;
    }

    /** Tells the other workers; false if ZooKeeper does not take it, which is tried again. */
    private boolean announce(Set<Integer> served) {
        try {
            context.board().announce(announcement(served));
            if (checkpoints.announced(reads)) {
                changed = true;
            }
            return true;
        } catch (RuntimeException e) {
            LOG.warn("ZooKeeper does not take what this worker tells the others; it tries again: {}", e.getMessage(), e);
            changed = true;
            LockSupport.parkNanos(AGAIN_NS);
            return false;
        }
    }

    private Announcement announcement(Set<Integer> served) {
        Set<Integer> held = new HashSet<>();
        leavers.forEach(leaver -> held.addAll(leaver.tasks()));
        return new Announcement(served, held, tasks(awaited.keySet()), checkpoints.asks(), checkpoints.rests());
    }

    private void finishLeaving(long nowNs) {
        for (MovableExecutor leaver : List.copyOf(leavers)) {
            if (leaver.hasEnded()) {
                local.close(leaver);
                abandonedSinceNs.put(leaver.queue(), nowNs);
            }
            if (leaver.isClosed()) {
                leavers.remove(leaver);
                leftAt.remove(leaver);
                leavingSinceNs.remove(leaver);
                parts.remove(leaver.id(), leaver.queue());
                LOG.info("{} has left this worker.", leaver.describe());
            } else if (leftAt.containsKey(leaver) && Stream.concat(local.executors().stream(), leavers.stream())
                    .allMatch(executor -> executor.usesQueues(leftAt.get(leaver)))) {
                leaver.mayEnd();
                if (nowNs - leavingSinceNs.get(leaver) > context.handOverAfterNs()) {
                    leaver.handOver();
                }
            }
            if (leavingSinceNs.containsKey(leaver) && nowNs - leavingSinceNs.get(leaver) > context.leaveAtMostNs()) {
                context.restart(leaver.describe() + (leaver.hasEnded() ? " has not cleaned up" : " has not executed what is in its queue")
                    + " for " + TimeUnit.NANOSECONDS.toSeconds(context.leaveAtMostNs()) + " s");
            }
        }
    }

    /** Starts those whose tasks nobody else runs any more; answers whether it did. */
    private boolean start() {
        boolean anyStarted = false;
        for (List<Long> executor : List.copyOf(awaited.keySet())) {
            List<Integer> tasks = StormCommon.executorIdToTasks(executor);
            boolean alone = view.mayStart(tasks) && Stream.concat(local.executors().stream(), leavers.stream())
                .noneMatch(other -> other.tasks().stream().anyMatch(tasks::contains));
            boolean certain = checkpoints.isCertain(executor, alone, reads);
            if (alone && !certain) {
                changed = true;
            } else if (alone && tasks.stream().allMatch(task -> context.here().equals(homes.get(task)))) {
                local.start(parts.makeExecutor(executor), generation, checkpoints.areResting(view));
                awaited.remove(executor);
                checkpoints.forget(executor);
                anyStarted = true;
                LOG.info("Executor {} has come to this worker.", executor);
            }
        }
        return anyStarted;
    }

    /**
     * Tells the Supervisor whether this worker, which has nothing to run any more, still brings its executors to others, or has done so and
     * no tuple has come for them for a while: then it is to be ended. It does not end itself, for a Supervisor that has not heard yet that
     * its slot is free would start it again; unless there is no Supervisor that could.
     */
    private void tellIfNothingIsLeft(long nowNs) {
        if (isLeaving != assigned.isEmpty()) {
            isLeaving = assigned.isEmpty();
            context.setLeaving(isLeaving);
        }
        boolean busy = !assigned.isEmpty() || !local.all().isEmpty() || !leavers.isEmpty() || !awaited.isEmpty()
            || forwarder.forwarded() != forwardedBefore;
        forwardedBefore = forwarder.forwarded();
        if (busy) {
            busyAtNs = nowNs;
        }
        boolean isDone = nowNs - busyAtNs > context.lingerNs();
        if (isDone != hasLeft) {
            hasLeft = isDone;
            context.setMovable(!isDone);
        }
        if (nowNs - busyAtNs > ORPHANED_NS) {
            context.restart("all its executors have gone to others, and no Supervisor ends it");
        }
    }

    private static Set<Integer> tasks(Collection<List<Long>> executors) {
        Set<Integer> tasks = new HashSet<>();
        executors.forEach(executor -> tasks.addAll(StormCommon.executorIdToTasks(executor)));
        return tasks;
    }
}
