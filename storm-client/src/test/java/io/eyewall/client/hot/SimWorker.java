package io.eyewall.client.hot;

import io.eyewall.client.engine.FullQueueWaitStrategy;
import io.eyewall.client.engine.SpaceSignal;
import io.eyewall.client.engine.WakingQueue;
import io.eyewall.client.seam.QueueRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.storm.Config;
import org.apache.storm.Constants;
import org.apache.storm.daemon.StormCommon;
import org.apache.storm.daemon.worker.HoldBackFlags;
import org.apache.storm.executor.IRunningExecutor;
import org.apache.storm.generated.Assignment;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.utils.JCQueue;

/**
 * A worker of the simulation: the real parts that move executors, put together as {@link HotWorker} does, with queues, connections and
 * executors that are simulated where they have threads or sockets.
 */
final class SimWorker implements WorkerEnvironment, WorkerQueues, PeerConnections, TupleTransfer {

    private static final Map<String, Object> CONF =
        Map.of(Config.TOPOLOGY_BACKPRESSURE_WAIT_STRATEGY, FullQueueWaitStrategy.class.getName());
    private static final int TRANSFER_BATCH = 4;
    private static final int LOADS_MS = 500;
    /** A step of a start on a busy host. */
    private static final int LOADS_AT_MOST_MS = 60_000;
    /** By how much the conductor's thread may be late on a busy host. */
    private static final int LATE_AT_MOST_NS = 50_000_000;
    private static final AddressedTuple FENCE = new AddressedTuple(Marker.TASK, null);

    private final Simulation simulation;
    private final SimSchedule.SimProcess process;
    private final WorkerPlace here;
    private final SimZooKeeper.Client zooKeeper;
    private final Map<WorkerPlace, SimLink> links = new HashMap<>();
    private final AtomicBoolean[] holdBack;
    private final WakingQueue transferQueue;
    private final Map<List<Long>, JCQueue> executorQueues = new HashMap<>();
    private final SimInput input;
    private final LocalExecutors local;
    private final List<AddressedTuple> batch = new ArrayList<>();
    /** What is left of the batch that is being sent: of each group the place, as routed when the batch was complete, and the tuples. */
    private final Deque<Map.Entry<WorkerPlace, List<AddressedTuple>>> groups = new ArrayDeque<>();

    private Forwarder forwarder;
    private HoldBackFlags flags;
    private RebalanceConductor conductor;
    private SimSchedule.SimThread conducting;
    private Map<Integer, WorkerPlace> routes = Map.of();
    private Map<Integer, JCQueue> localQueues = Map.of();
    private boolean listens;
    private boolean started;
    private boolean connected;
    /** What the Supervisor reads: the executors that the worker has, and when it wrote that; null if it cannot change. */
    private Set<List<Long>> mark;
    private long markedAtNs;
    /** When its Supervisor last found other executors assigned than these. */
    private long reassignedAtNs = -1;
    private long silentSinceNs;
    private long lastBacklog;
    private long departureId;
    /** Whether the first of two fences is in the queue of outgoing tuples, or has been. */
    private boolean isFenced;

    SimWorker(Simulation simulation, WorkerPlace here, String name) {
        this.simulation = simulation;
        this.here = here;
        process = new SimSchedule.SimProcess(name);
        zooKeeper = simulation.zooKeeper.connect(process);
        holdBack = new AtomicBoolean[simulation.plan.tasks() + 1];
        Arrays.setAll(holdBack, task -> new AtomicBoolean());
        transferQueue = new WakingQueue(request("transfer", List.of(), simulation.plan.transferTuples()), true, new SpaceSignal());
        input = new SimInput(simulation, this);
        local = new LocalExecutors(new MovableExecutor.Services(simulation.schedule::nowNs, this::wake, this::close,
            tuple -> forwarder.acceptOwn(tuple)));
    }

    /** Starts, in steps, each of which may end it. */
    void start() {
        int loadsMs = simulation.random.nextInt(5) == 0 ? LOADS_AT_MOST_MS : LOADS_MS;
        afterwards(loadsMs, () -> {
            Set<List<Long>> assigned = readAssigned(this::wake);
            afterwards(LOADS_MS, () -> claim(assigned));
        });
    }

    /** Runs the next step of the start, which ends the worker if it fails. */
    private void afterwards(int atMostMs, Runnable step) {
        simulation.schedule.later(process, simulation.random.nextInt(atMostMs) * SimSchedule.MS, () -> {
            try {
                step.run();
            } catch (IllegalStateException e) {
                if (zooKeeper.isStalled()) {
                    afterwards(LOADS_MS, step); // As upstream's client does, for a while.
                    return;
                }
                simulation.ended(this, "it cannot start: " + e.getMessage());
            }
        });
    }

    private void claim(Set<List<Long>> assigned) {
        AnnouncementBoard board = new AnnouncementBoard(zooKeeper.storage(), "simulated-1", Map.of(), here, true, () -> {
            if (conductor != null) {
                conductor.wake();
            }
        });
        Set<List<Long>> own = new HashSet<>(board.claim(assigned, () -> readAssigned(this::wake)));
        setMovable(own);
        afterwards(LOADS_MS, () -> open(board, own));
    }

    private void open(AnnouncementBoard board, Set<List<Long>> own) {
        forwarder = new Forwarder(here, this, this::isReachable, simulation.plan.queueTuples(), input::tellSpace);
        flags = new HoldBackFlags(holdBack, forwarder.full());
        own.forEach(this::makeQueue);
        Map<Integer, JCQueue> queues = new HashMap<>();
        own.forEach(executor -> StormCommon.executorIdToTasks(executor)
            .forEach(task -> queues.put(task, executorQueues.get(executor))));
        localQueues = queues;
        conductor = new RebalanceConductor(this, board, this, this, forwarder, local, Checkpoints.none(), this::wake);
        input.open(queues, new DetourQueue("simulated-1", here.port(), CONF, forwarder, marker -> conductor.markerArrived(marker)));
        listens = true;
        afterwards(LOADS_MS, () -> connect(own));
    }

    private void connect(Set<List<Long>> own) {
        conductor.connect(own);
        own.add(Constants.SYSTEM_EXECUTOR_ID);
        makeQueue(Constants.SYSTEM_EXECUTOR_ID);
        List<IRunningExecutor> handles = new ArrayList<>();
        own.forEach(executor -> handles.add(start(executor)));
        local.started(new AtomicReference<>(handles));
        simulation.schedule.start(process, this::transfer);
        simulation.schedule.start(process, () -> forwarder.doWork() == 0 ? 0 : SimSchedule.IDLE_NS);
        simulation.schedule.start(process, input::notifySenders);
        conducting = simulation.schedule.start(process, this::conduct);
        started = true;
    }

    /** Whether it has come so far that it sends heartbeats. */
    boolean hasStarted() {
        return started;
    }

    /** One of its connections breaks. */
    void breakLink() {
        List<SimLink> made = links.values().stream().filter(SimLink::isReady).toList();
        if (!made.isEmpty()) {
            made.get(simulation.random.nextInt(made.size())).breakUp();
        }
    }

    SimSchedule.SimProcess process() {
        return process;
    }

    SimZooKeeper.Client zooKeeper() {
        return zooKeeper;
    }

    boolean listens() {
        return listens;
    }

    /** The end at which it receives. */
    SimInput input() {
        return input;
    }

    /** Whether it has the mark by which a Supervisor lets it live. */
    boolean isMovable() {
        return mark != null;
    }

    /** Whether its Supervisor, which has just looked, lets it run: it has what it is assigned, or may yet come to that. */
    boolean mayFollow(Set<List<Long>> assigned) {
        if (!mark.equals(assigned)) {
            reassignedAtNs = simulation.schedule.nowNs();
        }
        return simulation.schedule.nowNs() - markedAtNs <= SimZooKeeper.SESSION_NS || reassignedAtNs < markedAtNs
            || simulation.mutation == Mutation.MARK_THAT_IS_NEVER_STALE;
    }

    /** Whether it has had connections to all other workers: its executors wait for that before they do anything. */
    boolean isConnected() {
        connected |= links.values().stream().allMatch(SimLink::isReady);
        return connected;
    }

    /** The ids of the executors that it runs. */
    Set<List<Long>> running() {
        return local.all();
    }

    Set<Integer> localTasks() {
        return conductor.placement().local();
    }

    /** Whether its shuffles know that an executor is there. */
    boolean finds(List<Long> executor, WorkerPlace place) {
        TaskPlacement.Home home = new TaskPlacement.Home(executor.get(0).intValue(), place);
        return StormCommon.executorIdToTasks(executor).stream().allMatch(task -> home.equals(conductor.placement().executors().get(task)));
    }

    Map<Integer, JCQueue> localQueues() {
        return localQueues;
    }

    long backlog() {
        return forwarder == null ? 0 : forwarder.backlog();
    }

    /** Whether it neither holds a tuple nor has one on a connection. */
    boolean isEmpty() {
        return backlog() == 0 && transferQueue.size() == 0 && batch.isEmpty() && groups.isEmpty()
            && links.values().stream().allMatch(SimLink::isEmpty);
    }

    /** The thread that sends, as upstream's: takes a batch, looks up all routes, and then sends to one place after the other. */
    private long transfer() {
        if (!groups.isEmpty()) {
            Map.Entry<WorkerPlace, List<AddressedTuple>> group = groups.remove();
            group.getValue().forEach(tuple -> sendTo(group.getKey(), tuple));
        } else if (batch.isEmpty()) {
            transferQueue.consume(new SimConsumer(element -> batch.add((AddressedTuple) element)), () -> batch.size() < TRANSFER_BATCH);
            return batch.isEmpty() ? SimSchedule.IDLE_NS : 0;
        } else {
            Map<WorkerPlace, List<AddressedTuple>> byPlace = new LinkedHashMap<>();
            batch.forEach(tuple -> byPlace.computeIfAbsent(tuple.dest == Marker.TASK ? here : routes.get(tuple.dest),
                place -> new ArrayList<>()).add(tuple));
            batch.clear();
            List<Map.Entry<WorkerPlace, List<AddressedTuple>>> order = new ArrayList<>(byPlace.entrySet());
            Collections.shuffle(order, simulation.random);
            groups.addAll(order);
        }
        return !groups.isEmpty() && links.containsKey(groups.peek().getKey()) ? links.get(groups.peek().getKey()).cloggedNs() : 0;
    }

    private void sendTo(WorkerPlace place, AddressedTuple tuple) {
        if (tuple.dest == Marker.TASK) {
            conductor.fencePassed();
        } else if (here.equals(place)) {
            forwarder.acceptOwn(tuple);
        } else if (links.containsKey(place)) {
            links.get(place).send(tuple, null);
        } else {
            simulation.dropped(tuple, this + " does not know the way to " + place);
        }
    }

    /** The conductor's thread; with the mutation it ends the worker by what it has sent on lately. */
    private long conduct() {
        long waitNs = conductor.doWork();
        if (simulation.mutation == Mutation.LAST_MARKER_NOT_AWAITED) {
            links.keySet().forEach(place -> conductor.markerArrived(new Marker(Marker.Kind.LAST, place, departureId)));
        }
        if (simulation.mutation == Mutation.DEPARTURE_BY_SILENCE && mark != null) {
            if (!mark.isEmpty() || !local.all().isEmpty() || backlog() < lastBacklog) {
                silentSinceNs = nowNs();
            }
            lastBacklog = backlog();
            if (nowNs() - silentSinceNs > 2 * SimSchedule.SECOND) {
                mark = null;
            }
            return Math.min(waitNs, 50 * SimSchedule.MS);
        }
        return waitNs > LATE_AT_MOST_NS ? waitNs : waitNs + simulation.random.nextInt(LATE_AT_MOST_NS);
    }

    private void wake() {
        simulation.schedule.wake(conducting);
    }

    private void close(Runnable closing) {
        simulation.schedule.later(process, simulation.random.nextInt((int) (300 * SimSchedule.MS)), closing);
    }

    private QueueRequest request(String name, List<Integer> tasks, int size) {
        return new QueueRequest(name, name, size, 0, 1, new FullQueueWaitStrategy(), "simulated-1",
            tasks.isEmpty() ? "any" : simulation.plan.component(tasks.get(0)), tasks, here.port(), new StormMetricRegistry());
    }

    // What the conductor needs.

    @Override
    public String topologyId() {
        return "simulated-1";
    }

    @Override
    public WorkerPlace here() {
        return here;
    }

    @Override
    public long nowNs() {
        return simulation.schedule.nowNs();
    }

    @Override
    public long newDeparture() {
        departureId = 1L + simulation.random.nextInt(Integer.MAX_VALUE);
        return departureId;
    }

    @Override
    public boolean isActive() {
        return simulation.isActive() && isConnected();
    }

    @Override
    public Optional<Integer> checkpointTask() {
        return Optional.empty();
    }

    @Override
    public boolean isBolt(int task) {
        return !simulation.plan.isSpout(task);
    }

    @Override
    public Assignment readAssignment(Runnable changed) {
        return zooKeeper.readAssignment(changed);
    }

    @Override
    public String readHost(String node) {
        return node;
    }

    @Override
    public long quiesceAtMostNs() {
        return 300 * SimSchedule.SECOND;
    }

    @Override
    public long returnAtMostNs() {
        return 30 * SimSchedule.SECOND;
    }

    @Override
    public long lookEveryNs() {
        return SimZooKeeper.SESSION_NS / 4;
    }

    @Override
    public void setMovable(Set<List<Long>> executors) {
        mark = executors;
        markedAtNs = nowNs();
    }

    @Override
    public void clearMovable() {
        mark = null;
    }

    @Override
    public boolean isKnown() {
        return true;
    }

    @Override
    public void restart(String reason) {
        simulation.ended(this, reason);
    }

    @Override
    public void connect(Set<WorkerPlace> places, Map<String, String> hosts) {
        for (WorkerPlace place : places) {
            if (!links.containsKey(place)) {
                links.put(place, new SimLink(simulation, this, place, flags.connecting(place.nodeInfo())));
            }
        }
    }

    @Override
    public boolean isReachable(WorkerPlace place) {
        return links.containsKey(place) && links.get(place).isReady();
    }

    @Override
    public void route(Map<Integer, WorkerPlace> homes) {
        routes = homes;
        Map<Integer, NodeInfo> nodes = new HashMap<>();
        homes.forEach((task, place) -> nodes.put(task, place.nodeInfo()));
        flags.follow(nodes);
    }

    @Override
    public void retain(Collection<WorkerPlace> places) {
        List<WorkerPlace> gone = links.keySet().stream().filter(place -> !places.contains(place)).toList();
        gone.forEach(place -> links.remove(place).close());
        flags.retain(links.keySet().stream().map(WorkerPlace::nodeInfo).toList());
    }

    @Override
    public boolean tryFence() {
        if (simulation.mutation == Mutation.ONE_FENCE && isFenced) {
            isFenced = false;
            conductor.fencePassed();
            return true;
        }
        isFenced = transferQueue.tryPublishDirect(FENCE);
        return isFenced;
    }

    @Override
    public void send(WorkerPlace place, Marker marker) {
        if (simulation.mutation == Mutation.DEPARTURE_BEFORE_RECEIPT && marker.kind() == Marker.Kind.FAREWELL) {
            conductor.markerArrived(new Marker(Marker.Kind.RECEIVED, place, marker.departure()));
        }
        if (links.containsKey(place)) {
            links.get(place).send(null, marker);
        }
    }

    @Override
    public boolean trySend(AddressedTuple tuple) {
        return !holdBack[tuple.dest].get() && transferQueue.tryPublish(tuple);
    }

    @Override
    public void flush() {
        // There are no batches.
    }

    @Override
    public JCQueue makeQueue(List<Long> executor) {
        List<Integer> tasks = executor.get(0) < 0 ? List.of() : StormCommon.executorIdToTasks(executor);
        WakingQueue queue = simulation.queues.make(this, request("queue" + executor, tasks, simulation.plan.queueTuples()));
        executorQueues.put(executor, queue);
        return queue;
    }

    @Override
    public IRunningExecutor start(List<Long> id) {
        if (started) {
            simulation.comesLater(id);
        }
        SimExecutor executor = new SimExecutor(simulation, this, id, (WakingQueue) executorQueues.get(id));
        try {
            if (executor.isSpout()) {
                executor.tasks().forEach(task -> local.register(task, executor.spout()));
            }
            executor.start(local.register(executor));
            return executor;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void remove(List<Long> executor, JCQueue queue) {
        executorQueues.remove(executor, queue);
        queue.close();
    }

    @Override
    public void setExecutors(Set<List<Long>> executors) {
        // No heartbeat names them.
    }

    @Override
    public boolean setQueues(Map<Integer, JCQueue> next) {
        if (!input.setQueues(next)) {
            return false;
        }
        localQueues = next;
        return true;
    }

    @Override
    public String toString() {
        return process.toString();
    }
}
