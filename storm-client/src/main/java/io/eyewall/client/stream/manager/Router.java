package io.eyewall.client.stream.manager;

import io.eyewall.client.stream.plan.Instance;
import io.eyewall.client.stream.plan.InstancePlan;
import io.eyewall.client.stream.wire.InstanceStatus;
import io.eyewall.client.stream.wire.Moves;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.storm.generated.NodeInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The decisions of a stream manager: where the tuples for a task go, and which status each of its own instances and the other stream
 * managers get. It has no threads, sockets or clock, and is used by one thread.
 *
 * <p>An own instance has the number by which it connects. Elsewhere there are only tasks, so it does not matter which of them share one.
 *
 * <p>Back-pressure follows section 5.4 of the paper on Heron. When a task cannot keep up, either all spouts are held back for all tasks, or
 * each executor for the tasks that cannot.
 *
 * <p>That takes effect a little later, and does not stop bolts that emit by themselves. So there is a second measure: an own instance that
 * has sent to one for which too much waits is not read until that one has room. An exception is an instance that is itself full and in a
 * circle with the other: each would wait for the other to take something.
 */
public final class Router {

    private static final Logger LOG = LoggerFactory.getLogger(Router.class);
    /**
     * How many containers may report that neither the plan nor ZooKeeper has. There are some while a plan changes. Each takes a thread and
     * a connection, and where authentication is off, anybody can send a report.
     */
    private static final int MOST_STRANGE = 64;

    private final NodeInfo self;
    private final boolean holdsStages;
    private final InstancePlan.Components components;
    private final RouterOutput output;

    private InstancePlan plan;
    /** The other containers that have a stream manager, and their hosts. Some may not be in the plan: they leave, or it is an old one. */
    private Map<NodeInfo, String> running = Map.of();
    private final Map<Integer, InstanceStatus> own = new TreeMap<>();
    /** The tasks of own instances whose sockets are full. */
    private final Set<Integer> congested = new HashSet<>();
    /** The tasks for which too much waits here. */
    private final Set<Integer> full = new HashSet<>();
    /** Other containers for which too much waits. */
    private final Set<NodeInfo> fullContainers = new HashSet<>();
    /** For which tasks each own instance waits, which is not read meanwhile. */
    private final Map<Integer, Set<Integer>> waits = new HashMap<>();
    private final Map<NodeInfo, InstanceStatus> others = new HashMap<>();
    private final Departures departures;
    /** Own instances that are not read. */
    private final Set<Integer> unread = new HashSet<>();
    /** Where each task is connected that is. */
    private final Map<Integer, NodeInfo> places = new HashMap<>();
    /** What each own instance was sent last, without loads. */
    private final Map<Integer, InstanceStatus> sent = new HashMap<>();
    private InstanceStatus reported = InstanceStatus.NONE;
    /** The tasks that are connected somewhere: the same object until they change, so that statuses can be compared at once. */
    private Set<Integer> reachable = Set.of();
    /** The loads that own instances have not been sent so far. */
    private final Map<Integer, Double> newLoads = new HashMap<>();
    /** Whether too much waits for somebody, somewhere. */
    private boolean isAnyFull;

    /**
     * Knows no instance.
     *
     * @param self this container
     * @param holdsStages whether back-pressure holds back the senders of a slow executor, and not all spouts
     * @param departures those of this container
     */
    Router(NodeInfo self, InstancePlan plan, boolean holdsStages, InstancePlan.Components components, Departures departures,
            RouterOutput output) {
        this.departures = departures;
        this.self = self;
        this.plan = plan;
        this.holdsStages = holdsStages;
        this.components = components;
        this.output = output;
    }

    /** Where the instance of a task is connected, so that it can take tuples; empty if nowhere. It may not have moved yet. */
    public Optional<NodeInfo> place(int task) {
        return Optional.ofNullable(places.get(task));
    }

    /** Whether the instance of a task is leaving, here or in another container: nobody starts the task so far. */
    public boolean isLeaving(int task) {
        return departures.isLeaving(task) || others.values().stream().anyMatch(status -> status.moves().leaving().contains(task));
    }

    /** The container of a task by the plan, this one included; empty if it has none. */
    public Optional<NodeInfo> home(int task) {
        return plan.home(task);
    }

    /** All other containers: those of the plan, those that have a stream manager, and those that report. */
    public Set<NodeInfo> otherContainers() {
        Set<NodeInfo> containers = new HashSet<>(plan.containers());
        containers.addAll(running.keySet());
        containers.addAll(others.keySet());
        containers.remove(self);
        return containers;
    }

    /** The host of a container; empty if neither the plan nor ZooKeeper has it. */
    public Optional<String> host(NodeInfo container) {
        return plan.host(container).or(() -> Optional.ofNullable(running.get(container)));
    }

    /** Takes a new plan. */
    public void plan(InstancePlan next) {
        plan = next;
        forgetEnded();
    }

    /** Takes the other containers that have a stream manager, with their hosts. */
    public void running(Map<NodeInfo, String> containers) {
        running = Map.copyOf(containers);
        forgetEnded();
    }

    /** A container that is not expected to report any longer goes on to count while its last report says that it has tasks. */
    private void forgetEnded() {
        others.entrySet().removeIf(entry -> !isExpected(entry.getKey()) && entry.getValue().isEmpty());
        fullContainers.retainAll(otherContainers());
        changed();
    }

    private boolean isExpected(NodeInfo container) {
        return running.containsKey(container) || plan.containers().contains(container);
    }

    /**
     * Whether nothing is left in this container, and nothing comes any more: it has no task and starts none, all others that there are know
     * that, and what they and this one have sent to each other has arrived.
     */
    public boolean isFinished() {
        return others.keySet().containsAll(otherContainers()) && departures.isFinished(others.values());
    }

    /** Tuples have come for a task that is not here, and go on or wait. */
    public void strayed() {
        departures.goOn();
    }

    /** An instance of this container has connected, which has these tasks. */
    public void connected(int instance, Set<Integer> tasks) {
        forget(instance);
        forget(tasks);
        departures.forget(instance);
        own.put(instance, new InstanceStatus(tasks, Set.of(), Map.of()));
        own.values().forEach(status -> newLoads.putAll(status.loads()));
        others.values().forEach(status -> newLoads.putAll(status.loads()));
        changed();
    }

    /** An instance of this container wants to leave. What others have sent to it comes, and then {@link RouterOutput#end} is called. */
    public void leaves(int instance) {
        departures.asks(instance, own.get(instance).tasks());
        changed();
    }

    /** An instance with these tasks that leaves has sent all that it had, and ends. Their tuples go to where they are started next. */
    public void left(int instance, Set<Integer> tasks) {
        departures.left(instance, tasks, ownTasks());
        changed();
    }

    /** An instance of this container is gone. */
    public void disconnected(int instance) {
        forget(instance);
        departures.forget(instance);
        changed();
    }

    /**
     * Claims the tasks of the plan, and those for which the container has a process. That was read after the container was told what
     * may be {@linkplain #startable started}.
     */
    public void claim(Set<Integer> running) {
        departures.claim(ownTasks(), running);
        changed();
    }

    /** The tasks of the plan that may be started here unless another container reports them. The container is told that at once. */
    public Set<Integer> startable() {
        Set<Integer> known = departures.knownClaims(others.values());
        known.retainAll(ownTasks());
        departures.offers(known);
        return known;
    }

    private Set<Integer> ownTasks() {
        return ownInstances().stream().flatMap(instance -> instance.tasks().stream()).collect(Collectors.toSet());
    }

    /** Looks for what has waited too long for other stream managers, and sends loads to own instances; called every second. */
    public void everySecond() {
        departures.everySecond();
        changed();
        sendLoads();
        departures.logLateMark(otherContainers().stream().collect(Collectors.toMap(container -> container, plan::where)), others);
    }

    /** All processes of this container have ended, and so does this one. Others get to know that they need not wait for any of them. */
    public void ended() {
        own.clear();
        waits.clear();
        unread.clear();
        sent.clear();
        departures.forgetAll();
        changed();
    }

    private void forget(int instance) {
        InstanceStatus before = own.remove(instance);
        if (before != null) {
            forget(before.tasks());
        }
        waits.remove(instance);
        unread.remove(instance);
        sent.remove(instance);
    }

    private void forget(Set<Integer> tasks) {
        departures.rests(tasks, false);
        congested.removeAll(tasks);
        full.removeAll(tasks);
    }

    /** An instance of this container reports its held tasks, and perhaps loads. */
    public void reported(int instance, InstanceStatus status) {
        InstanceStatus before = own.get(instance);
        if (before != null) {
            own.put(instance, new InstanceStatus(before.tasks(), status.held(), status.loads()).after(before));
            newLoads.putAll(status.loads());
            if (!before.held().equals(status.held())) {
                changed();
            }
        }
    }

    /** The own instance of these tasks, which waits for its loop, {@linkplain Exchange rests}, or no longer does. */
    public void rests(Set<Integer> tasks, boolean doesRest) {
        departures.rests(tasks, doesRest);
        changed();
    }

    /** Nothing of what these instances have sent waits any longer for a task that was connected nowhere. */
    public void absent(int task, Set<Integer> sources) {
        if (own.values().stream().noneMatch(status -> status.tasks().contains(task))) {
            forget(Set.of(task));
        }
        departures.sentOn(sources);
        changed();
    }

    /** The instance of these tasks no longer takes what it is sent, or takes it again. It need not be connected. */
    public void congested(Set<Integer> tasks, boolean isCongested) {
        if (isCongested ? congested.addAll(tasks) : congested.removeAll(tasks)) {
            changed();
        }
    }

    /** Too much waits here for the instance of these tasks, or no longer. It need not be connected. */
    public void full(Set<Integer> tasks, boolean isFull) {
        if (isFull ? full.addAll(tasks) : full.removeAll(tasks)) {
            changed();
        }
    }

    /** Too much waits for another container, or no longer. */
    public void full(NodeInfo container, boolean isFull) {
        if (isFull ? fullContainers.add(container) : fullContainers.remove(container)) {
            changed();
        }
    }

    /** An instance of this container has sent to any task, and may have to wait for it. */
    public void sent(int source, int target) {
        if (isAnyFull && isTooMuch(source, target) && waits.computeIfAbsent(source, added -> new HashSet<>()).add(target)) {
            changed();
        }
    }

    /** Whether what an own instance sends to a task cannot wait for room: it has to leave, or the other instance may be waiting for it. */
    boolean mustPass(int source, int target) {
        return !own.containsKey(source) || !plan.hasInstance(own.get(source).tasks()) || plan.isCycle(source, target);
    }

    /**
     * Takes the report of another stream manager. Returns false if the report is ignored: the container is in no list, and its report is
     * empty, or too many such containers have reported.
     */
    public boolean reported(NodeInfo container, InstanceStatus status) {
        boolean isStrange = !isExpected(container) && !others.containsKey(container);
        if (container.equals(self) || (isStrange && (status.isEmpty() || others.size() >= plan.containers().size() + MOST_STRANGE))) {
            return false;
        }
        InstanceStatus before = others.put(container, status);
        status.loads().forEach((task, load) -> {
            if (before == null || !load.equals(before.loads().get(task))) {
                newLoads.put(task, load);
            }
        });
        if (before == null || !before.equalsExceptLoads(status)) {
            changed();
        }
        if (before == null || before.moves().mark() != status.moves().mark()) {
            output.toOther(container, report());
        }
        return true;
    }

    /** The connection from the stream manager of another container is gone, or it has reported nothing for long. */
    public void lost(NodeInfo container) {
        if (others.remove(container) != null) {
            changed();
        }
    }

    /** The tasks of all containers that cannot keep up, some of which may only be waiting for others. */
    public Set<Integer> held() {
        Set<Integer> held = ownHeld();
        others.values().forEach(status -> held.addAll(status.held()));
        return held;
    }

    /** The instances of this container, by the plan. */
    public List<Instance> ownInstances() {
        return plan.instances(self);
    }

    /** What other stream managers get: the tasks here, those that are held, and loads. */
    public InstanceStatus report() {
        Map<Integer, Double> loads = new HashMap<>();
        Set<Integer> tasks = new HashSet<>();
        own.values().forEach(status -> {
            loads.putAll(status.loads());
            tasks.addAll(status.tasks());
        });
        tasks.removeAll(departures.leaving());
        return new InstanceStatus(tasks, departures.report(others.values()), ownHeld(), full, loads);
    }

    private Set<Integer> ownHeld() {
        Set<Integer> held = ownSlow();
        own.forEach((instance, status) ->
            held.addAll(holdsStages && isStopped(instance, status.tasks()) ? status.tasks() : Set.of()));
        return held;
    }

    /** The tasks of this container whose queues or sockets are full. */
    private Set<Integer> ownSlow() {
        Set<Integer> slow = new HashSet<>();
        congested.stream().filter(task -> plan.home(task).filter(self::equals).isPresent()).forEach(slow::add);
        own.values().forEach(status -> slow.addAll(status.held()));
        return slow;
    }

    /** The tasks of all containers for which others are held back, except those that only wait for somebody else. */
    public Set<Integer> causes() {
        SlowTasks slow = slow(held());
        return slow.causes(slow.all());
    }

    private Set<Integer> culprits(Set<Integer> held) {
        SlowTasks slow = slow(held);
        Set<Integer> ownSlow = ownSlow();
        slow.missed().stream().filter(task -> home(task).filter(self::equals).isPresent()).forEach(ownSlow::add);
        return slow.causes(ownSlow);
    }

    private SlowTasks slow(Set<Integer> held) {
        Set<Integer> missed = new HashSet<>(congested);
        missed.addAll(full);
        others.values().forEach(status -> missed.addAll(status.full()));
        missed.removeIf(task -> places.containsKey(task) || isLeaving(task));
        Set<Integer> waiting = unread.stream().flatMap(instance -> own.get(instance).tasks().stream()).collect(Collectors.toSet());
        return new SlowTasks(plan, holdsStages, held, missed, waiting);
    }

    /**
     * Whether a bolt of this container is not read. Such a bolt cannot report that it falls behind, so its senders are held back for it. A
     * spout takes what it gets in any case; in a circle the other component would be held back for this one.
     */
    private boolean isStopped(int instance, Set<Integer> tasks) {
        return !isSpout(instance) && (isOwed(tasks)
            || waits.getOrDefault(instance, Set.of()).stream().anyMatch(target -> !plan.isCycle(instance, target)));
    }

    private void changed() {
        departures.takeReady(others.values()).forEach(this::end);
        departures.settle(others.values(), output.waiting()::holds);
        departures.settleLoops(plan, own.values(), others.values(), output.waiting()::holdsFor);
        departures.finish(!own.isEmpty() || !output.waiting().isEmpty());
        isAnyFull = !full.isEmpty() || !fullContainers.isEmpty() || others.values().stream().anyMatch(status -> !status.full().isEmpty());
        places.clear();
        others.forEach((container, status) -> status.tasks().forEach(task -> places.put(task, container)));
        own.values().forEach(status -> status.tasks().forEach(task -> places.put(task, self)));
        read();
        if (!reachable.equals(places.keySet())) {
            reachable = Set.copyOf(places.keySet());
        }
        Set<Integer> slow = held();
        Set<Integer> ofSpouts = holdsStages || slow.isEmpty() ? slow : plan.tasks();
        Set<Integer> ofBolts = holdsStages ? slow : Set.of();
        Moves moves = departures.forInstances(others.values());
        own.keySet().forEach(instance -> {
            InstanceStatus view = new InstanceStatus(reachable, moves, isSpout(instance) ? ofSpouts : ofBolts, Set.of(), Map.of());
            if (!view.equals(sent.put(instance, view))) {
                output.toInstance(instance, view);
            }
        });
        output.culprits(culprits(slow));
        InstanceStatus report = report();
        if (!isAsBefore(report)) {
            reported = report;
            output.toOthers(report);
        }
    }

    private void end(int instance) {
        Set<NodeInfo> silent = otherContainers();
        silent.removeAll(others.keySet());
        if (!silent.isEmpty()) {
            LOG.warn("Instance {} leaves without these containers, which have not reported lately: {}. Later tuples may overtake those"
                + " that they have sent to it.", instance, silent.stream().map(plan::where).sorted().toList());
        }
        forget(instance);
        output.end(instance);
    }

    /** Whether others need not know what is new in a report now. What was seen goes to those who wait for it. */
    private boolean isAsBefore(InstanceStatus report) {
        return report.tasks().equals(reported.tasks()) && report.held().equals(reported.held())
            && report.full().equals(reported.full()) && report.moves().equalsExceptSeen(reported.moves());
    }

    /**
     * Reads the instances that wait for no other one, and only these. An instance is always read if no planned one has its tasks, so that
     * it can leave: instances with these tasks start only after that, and those that it waits for may be among them.
     */
    private void read() {
        waits.entrySet().removeIf(entry -> {
            entry.getValue().removeIf(target -> !isTooMuch(entry.getKey(), target));
            return entry.getValue().isEmpty();
        });
        own.forEach((instance, status) -> {
            boolean isRead = !plan.hasInstance(status.tasks()) || (!waits.containsKey(instance) && !isOwed(status.tasks()));
            if (isRead ? unread.remove(instance) : unread.add(instance)) {
                if (isRead && isOwed(status.tasks())) {
                    LOG.warn("The tasks of instance {} come to other instances before all tuples have arrived that they had sent"
                        + " before. These tuples may be overtaken by later ones.", instance);
                }
                output.read(instance, isRead);
            }
        });
    }

    /** Whether another container has tuples that one of these tasks has sent there. Later ones must not arrive before them. */
    private boolean isOwed(Set<Integer> tasks) {
        return others.values().stream().anyMatch(status -> !Collections.disjoint(status.moves().owed(), tasks));
    }

    private boolean isTooMuch(int source, int target) {
        NodeInfo home = place(target).or(() -> home(target)).orElse(self);
        if (fullContainers.contains(home)) {
            return true; // What waits there leaves over the network, whoever else waits.
        }
        boolean isFull = full.contains(target) || others.getOrDefault(home, InstanceStatus.NONE).full().contains(target);
        return isFull && !(own.containsKey(source) && !Collections.disjoint(full, own.get(source).tasks())
            && plan.isCycle(source, target));
    }

    /** Sends new loads to all own instances, with what they were sent last. */
    private void sendLoads() {
        if (!newLoads.isEmpty()) {
            Map<Integer, Double> loads = Map.copyOf(newLoads);
            newLoads.clear();
            sent.forEach((instance, view) -> output.toInstance(instance,
                new InstanceStatus(view.tasks(), view.moves(), view.held(), Set.of(), loads)));
        }
    }

    private boolean isSpout(int instance) {
        return components.isSpout(components.of(instance));
    }
}
