package io.eyewall.client.hot;

import io.eyewall.client.engine.WakingQueue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.storm.Constants;
import org.apache.storm.daemon.StormCommon;
import org.apache.storm.generated.Assignment;
import org.apache.storm.utils.JCQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves the executors of one worker: compares what it runs with its assignment and with what the other workers announce, and takes the
 * next step of each executor that leaves or arrives. Nothing here waits for another thread or worker; a step that cannot be taken yet is
 * tried again in the next round. {@link TopologyView} says which step may be taken when, {@link LeavingExecutors} how executors leave, and
 * {@link Departure} when a worker that has lost all its executors may end.
 *
 * <p>Used by one thread, except {@link #wake()}, {@link #nudge()} and {@link #placement()}.
 */
final class RebalanceConductor {

    private static final Logger LOG = LoggerFactory.getLogger(RebalanceConductor.class);

    private static final long MOVING_NS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long CONNECTING_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long AGAIN_NS = TimeUnit.SECONDS.toNanos(1);
    /** How long a worker that may end waits for its Supervisor to end it. */
    private static final long ORPHANED_NS = TimeUnit.SECONDS.toNanos(30);

    private final WorkerEnvironment environment;
    private final AnnouncementBoard board;
    private final PeerConnections connections;
    private final WorkerQueues queues;
    private final Forwarder forwarder;
    private final LocalExecutors local;
    private final LeavingExecutors leavers;
    private final Checkpoints checkpoints;
    private final TransferFence fence;
    private final Departure departure;

    /** The executors that must arrive here, each with the queue in which its tuples wait for it. */
    private final Map<List<Long>, JCQueue> awaited = new HashMap<>();
    private final Map<String, String> hosts = new HashMap<>();

    private TopologyView view;
    private Map<Integer, WorkerPlace> homes = Map.of();
    private Set<List<Long>> assigned = Set.of();
    private Set<List<Long>> reported = Set.of();
    private long generation;
    private long readAtNs;
    /** How often {@link #view} was read. */
    private long reads;
    /** When this worker was found to hold no more tuples. */
    private long doneAtNs;
    /** Whether the Supervisor has been notified that it may end this worker. */
    private boolean mayBeEnded;

    private final Runnable waker;
    private boolean started;
    private volatile boolean changed = true;
    private volatile TaskPlacement placement = TaskPlacement.UNKNOWN;

    /**
     * Moves executors between this worker, which is about to start, and others.
     *
     * @param waker ends the wait of the thread that uses this; for any thread
     */
    RebalanceConductor(WorkerEnvironment environment, AnnouncementBoard board, PeerConnections connections, WorkerQueues queues,
            Forwarder forwarder, LocalExecutors local, Checkpoints checkpoints, Runnable waker) {
        this.environment = environment;
        this.waker = waker;
        this.board = board;
        this.connections = connections;
        this.queues = queues;
        this.forwarder = forwarder;
        this.local = local;
        this.checkpoints = checkpoints;
        leavers = new LeavingExecutors(local, queues, forwarder, environment.returnAtMostNs());
        fence = new TransferFence(connections, this::nudge);
        departure = new Departure(environment, connections, fence, this::nudge);
    }

    /** Called when something may have changed in ZooKeeper; for any thread. */
    void wake() {
        changed = true;
        nudge();
    }

    /** Called when an executor or a message may allow the next step; for any thread. */
    void nudge() {
        waker.run();
    }

    /** Called when a fence came out of the queue of outgoing tuples; on the thread that empties it. */
    void fencePassed() {
        fence.passed();
    }

    /** Called when a marker of another worker has arrived, behind its tuples; on the threads of the network. */
    void markerArrived(Marker marker) {
        departure.received(marker);
    }

    /** What shuffles must know about tasks, another object whenever it has changed; for any thread. */
    TaskPlacement placement() {
        return placement;
    }

    /**
     * Connects to the other workers before this one's executors are made. This worker keeps to its announcement, even if its assignment has
     * changed since: others may have sent it tuples.
     *
     * @param starting the executors that are to be made, which this worker has announced
     * @throws IllegalStateException if ZooKeeper cannot be reached, or if the session of this worker has ended since the announcement, so
     *     that another worker may run some of the executors
     */
    void connect(Set<List<Long>> starting) {
        readOrFail();
        Set<List<Long>> own = new HashSet<>(starting);
        own.remove(Constants.SYSTEM_EXECUTOR_ID); // Each worker has one.
        if (!board.isUp() && !(assigned.containsAll(own) && board.claim(own).equals(own))) {
            throw new IllegalStateException("The session of this worker in ZooKeeper ended while it started, and its executors may run"
                + " elsewhere by now. Its Supervisor starts it again.");
        }
        Set<Integer> served = tasks(own);
        route(served);
        placement = placement.withLocal(served);
        readOrFail(); // A worker that departs has either seen the announcement of this one, or is seen now.
        route(served);
        environment.setMovable(own);
    }

    /**
     * Does one round. Called from the moment at which all executors have started.
     *
     * @return for how many nanoseconds to wait before the next round, unless it is woken
     */
    long doWork() {
        started = true;
        long nowNs = environment.nowNs();
        boolean due = changed || nowNs - readAtNs > environment.lookEveryNs();
        if (due) {
            changed = false;
            if (!read()) {
                changed = true;
                leavers.advance(nowNs).ifPresent(environment::restart);
                return AGAIN_NS;
            }
        }
        if (departure.isDone()) {
            awaitEnd(nowNs);
            departure.reply(view, homes);
            fence.advance();
            return CONNECTING_NS;
        }
        ExecutorChange change = ExecutorChange.between(local.staying(), assigned);
        awaitArriving(change);
        boolean anyLeft = leave(change, nowNs);
        Set<Integer> served = tasks(local.all());
        boolean reachable = route(served);
        report(due);
        if (setQueues(served) || anyLeft) {
            generation++;
            Stream.concat(local.executors().stream(), leavers.executors().stream()).forEach(executor -> executor.useQueues(generation));
            leavers.queuesChanged(generation);
        }
        leavers.advance(nowNs).ifPresent(environment::restart);
        departure.update(assigned.isEmpty() && local.all().isEmpty() && leavers.isEmpty() && awaited.isEmpty()
            && !homes.containsValue(environment.here()));
        boolean announced = announce(served);
        boolean anyStarted = announced && start();
        departure.advance(view, reads, forwarder.backlog());
        if (departure.isDone()) {
            LOG.info("All tuples of this worker have gone to other workers. It held {} of them at most at a time.",
                forwarder.largestBacklog());
        }
        departure.reply(view, homes);
        boolean fencing = fence.advance();
        if (!announced) {
            return AGAIN_NS;
        }
        if (changed) {
            return 0;
        }
        if (anyStarted || fencing || !leavers.isEmpty() || local.isAnyQuiescing()) {
            return MOVING_NS;
        }
        // An executor that has to arrive needs an announcement, which wakes this thread, or a connection.
        return reachable && awaited.isEmpty() && departure.id() == 0 && !view.anyDeparts() ? environment.lookEveryNs() : CONNECTING_NS;
    }

    /** Reads the assignment and the announcements; false if ZooKeeper cannot be reached. */
    private boolean read() {
        try {
            Assignment assignment = environment.readAssignment(this::wake);
            if (assignment == null) {
                awaitRemoval();
                return false;
            }
            if (started && !environment.isKnown()) {
                environment.restart("its Supervisor has removed its directory");
                return false;
            }
            Map<Integer, WorkerPlace> places = new HashMap<>();
            Map<Integer, TaskPlacement.Home> executors = new HashMap<>();
            assignment.get_executor_node_port().forEach((executor, info) -> {
                TaskPlacement.Home home = new TaskPlacement.Home(executor.get(0).intValue(), WorkerPlace.of(info));
                StormCommon.executorIdToTasks(executor).forEach(task -> {
                    places.put(task, home.place());
                    executors.put(task, home);
                });
            });
            if (!executors.equals(placement.executors())) {
                placement = new TaskPlacement(Optional.of(environment.here()), placement.local(), Map.copyOf(executors));
            }
            assigned = environment.here().executors(assignment);
            view = new TopologyView(environment.here(), places, awaited.isEmpty() ? board.others() : board.othersAfresh());
            hosts.putAll(assignment.get_node_host());
            for (WorkerPlace place : view.others().keySet()) {
                hosts.computeIfAbsent(place.node(), environment::readHost);
            }
            readAtNs = environment.nowNs();
            reads++;
            return true;
        } catch (RuntimeException e) {
            LOG.warn("Cannot read the assignment from ZooKeeper. This worker goes on as before and tries again: {}",
                e.getMessage(), e);
            return false;
        }
    }

    private void readOrFail() {
        if (!read()) {
            throw new IllegalStateException("The worker of " + environment.topologyId() + " cannot read its assignment from ZooKeeper.");
        }
    }

    /**
     * Waits for the end after the topology is gone. The Supervisor, which may not know this yet, ends this worker; if it does not, the
     * worker ends itself.
     */
    private void awaitRemoval() {
        if (!started || environment.nowNs() - readAtNs > ORPHANED_NS) {
            environment.restart("the topology is no longer assigned");
        } else if (!mayBeEnded) {
            mayBeEnded = true;
            environment.clearMovable();
        }
    }

    /** Waits for the end after this worker has handed over everything. It may be ended at any moment, so it takes over nothing. */
    private void awaitEnd(long nowNs) {
        if (!mayBeEnded) {
            mayBeEnded = true;
            doneAtNs = nowNs;
            environment.clearMovable();
            LOG.info("All executors and tuples of this worker have gone to others.");
        }
        if (!assigned.isEmpty()) {
            environment.restart("executors were assigned to it after it had handed over all that it had");
        } else if (nowNs - doneAtNs > ORPHANED_NS) {
            environment.restart("all its executors have gone to others, and no Supervisor ends it");
        }
    }

    private void awaitArriving(ExecutorChange change) {
        for (List<Long> executor : List.copyOf(awaited.keySet())) {
            if (!change.arriving().contains(executor)) {
                JCQueue queue = awaited.remove(executor);
                checkpoints.forget(executor);
                queues.remove(executor, queue);
                forwarder.abandon((WakingQueue) queue);
            }
        }
        change.arriving().stream().filter(executor -> !awaited.containsKey(executor))
            .sorted(Comparator.comparing(executor -> executor.get(0))).forEach(executor -> {
                LOG.info("Executor {} has to arrive in this worker.", executor);
                awaited.put(executor, queues.makeQueue(executor));
            });
    }

    /** Lets the executors leave that can; returns whether any did. */
    private boolean leave(ExecutorChange change, long nowNs) {
        List<MovableExecutor> able = new ArrayList<>();
        local.executors().stream().filter(executor -> change.leaving().contains(executor.id()) || executor.isQuiescing())
            .filter(executor -> executor.isPrepared() || !environment.isActive())
            .filter(executor -> view.mayLeave(executor.tasks(), connections::isReachable)).forEach(able::add);
        boolean anyBolts = able.stream().anyMatch(executor -> environment.isBolt(executor.tasks().get(0)));
        checkpoints.update(view, reads, anyBolts, announcement(tasks(local.all())));
        able.removeIf(executor -> !mayLeave(executor.tasks().get(0)));
        boolean anyLeft = false;
        for (MovableExecutor executor : able) {
            if (executor.isSpout() && executor.isPrepared() && !(executor.isQuiescing() && executor.isQuiet())) {
                local.quiesce(executor, environment.quiesceAtMostNs());
            } else {
                leavers.add(executor, nowNs);
                anyLeft = true;
            }
        }
        return anyLeft;
    }

    /** Whether checkpoints allow the executor of this task to leave. */
    private boolean mayLeave(int task) {
        if (environment.isBolt(task)) {
            return checkpoints.mayBoltsLeave(view, reads);
        }
        return !environment.checkpointTask().equals(Optional.of(task)) || checkpoints.maySpoutLeave(reads);
    }

    /** Routes tuples to the workers of their tasks; returns whether all of these workers can be reached. */
    private boolean route(Set<Integer> served) {
        Set<WorkerPlace> places = Stream.concat(view.assigned().values().stream(), view.others().keySet().stream())
            .filter(place -> !place.equals(environment.here())).collect(Collectors.toSet());
        connections.connect(places, hosts);
        Map<Integer, WorkerPlace> next = view.homes(served, homes, connections::isReachable);
        if (!next.equals(homes)) {
            connections.route(next);
            homes = next;
        }
        Set<WorkerPlace> used = new HashSet<>(places);
        used.addAll(homes.values());
        connections.retain(used);
        return places.stream().allMatch(connections::isReachable);
    }

    /**
     * Reports the executors of this worker to Nimbus and to the Supervisor, and to the latter whether the worker has just reached
     * ZooKeeper.
     */
    private void report(boolean isRead) {
        Set<List<Long>> has = new HashSet<>(local.all());
        leavers.executors().forEach(leaver -> has.add(leaver.id()));
        has.addAll(awaited.keySet());
        if (isRead || !has.equals(reported)) {
            queues.setExecutors(has);
            environment.setMovable(has);
            reported = has;
        }
    }

    /** Sets the queues into which the tuples of this worker's tasks are put; returns whether the queues have changed. */
    private boolean setQueues(Set<Integer> served) {
        Map<Integer, JCQueue> next = new HashMap<>();
        local.executors().forEach(executor -> executor.tasks().forEach(task -> next.put(task, executor.queue())));
        awaited.forEach((executor, queue) -> StormCommon.executorIdToTasks(executor).forEach(task -> {
            if (!served.contains(task) && !view.isServedElsewhere(task) && environment.here().equals(homes.get(task))) {
                next.put(task, queue);
            }
        }));
        boolean others = queues.setQueues(next);
        if (others) {
            placement = placement.withLocal(next.keySet());
        }
        forwarder.setRoutes(new Routes(next, tasks(assigned), homes));
        return others;
    }

    /** Announces this worker's tasks; returns false if ZooKeeper cannot be reached, and then the next round tries again. */
    private boolean announce(Set<Integer> served) {
        try {
            board.announce(announcement(served));
            boolean checkpointsAgain = checkpoints.announced(reads);
            if (departure.announced(reads) || checkpointsAgain) {
                changed = true;
            }
            return true;
        } catch (RuntimeException e) {
            LOG.warn("Cannot announce this worker's tasks in ZooKeeper. It goes on as before and tries again: {}", e.getMessage(), e);
            changed = true;
            return false;
        }
    }

    private Announcement announcement(Set<Integer> served) {
        return new Announcement(served, leavers.tasks(), tasks(awaited.keySet()), checkpoints.asks(), checkpoints.rests(), departure.id());
    }

    /** Starts the awaited executors whose tasks no other worker runs; returns whether there were any. */
    private boolean start() {
        boolean anyStarted = false;
        for (List<Long> executor : List.copyOf(awaited.keySet())) {
            List<Integer> tasks = StormCommon.executorIdToTasks(executor);
            boolean alone = view.mayStart(tasks) && Stream.concat(local.executors().stream(), leavers.executors().stream())
                .noneMatch(other -> other.tasks().stream().anyMatch(tasks::contains));
            boolean certain = checkpoints.isCertain(executor, alone, reads);
            if (alone && !certain) {
                changed = true;
            } else if (alone && tasks.stream().allMatch(task -> environment.here().equals(homes.get(task)))) {
                local.start(executor, queues, generation, checkpoints.areResting(view));
                awaited.remove(executor);
                checkpoints.forget(executor);
                anyStarted = true;
                LOG.info("Executor {} has arrived in this worker.", executor);
            }
        }
        return anyStarted;
    }

    private static Set<Integer> tasks(Collection<List<Long>> executors) {
        Set<Integer> tasks = new HashSet<>();
        executors.forEach(executor -> tasks.addAll(StormCommon.executorIdToTasks(executor)));
        return tasks;
    }
}
