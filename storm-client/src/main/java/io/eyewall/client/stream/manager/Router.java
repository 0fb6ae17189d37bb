package io.eyewall.client.stream.manager;

import io.eyewall.client.stream.plan.Instance;
import io.eyewall.client.stream.plan.InstancePlan;
import io.eyewall.client.stream.wire.InstanceStatus;
import io.eyewall.client.stream.wire.Moves;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.storm.generated.NodeInfo;

/**
 * The decisions of a stream manager: where the tuples of an instance go, and which status each of its own instances and the other stream
 * managers get. It has no threads, sockets or clock, and is used by one thread.
 *
 * <p>Back-pressure follows section 5.4 of the paper on Heron. When a task cannot keep up, either all spouts are held back for all tasks, or
 * each executor for the tasks that cannot.
 *
 * <p>That takes effect a little later, and does not stop bolts that emit by themselves. So there is a second measure: an own instance that
 * has sent to one for which too much waits is not read until it has room. Others are, and so is one that is itself full and in a
 * circle with the other: each would wait for the other to take something.
 */
public final class Router {

    private final NodeInfo self;
    private final boolean holdsStages;
    private final InstancePlan.Components components;
    private final Output output;

    private InstancePlan plan;
    private final Map<Integer, InstanceStatus> own = new TreeMap<>();
    /** Own instances whose sockets are full. */
    private final Set<Integer> congested = new HashSet<>();
    /** Own instances for which too much waits. */
    private final Set<Integer> full = new HashSet<>();
    /** Other containers for which too much waits. */
    private final Set<NodeInfo> fullContainers = new HashSet<>();
    /** For whom each own instance waits, which is not read meanwhile. */
    private final Map<Integer, Set<Integer>> waits = new HashMap<>();
    private final Map<NodeInfo, InstanceStatus> others = new HashMap<>();
    private final Departures departures;
    /** Own instances that are not read. */
    private final Set<Integer> unread = new HashSet<>();
    /** Where each instance is connected that is. */
    private final Map<Integer, NodeInfo> places = new HashMap<>();
    /** What each own instance was sent last, without loads. */
    private final Map<Integer, InstanceStatus> sent = new HashMap<>();
    private InstanceStatus reported = InstanceStatus.NONE;
    /** Whether too much waits for somebody, somewhere. */
    private boolean isAnyFull;

    /** Receives the statuses to send. */
    public interface Output {

        /** Sends a status to an instance of this container. */
        void toInstance(int instance, InstanceStatus status);

        /** Sends a status to all other stream managers. */
        void toOthers(InstanceStatus status);

        /** Sends a status to another stream manager, which waits for what it has to say. */
        void toOther(NodeInfo container, InstanceStatus status);

        /** Reads what an instance of this container sends, or no longer. */
        void read(int instance, boolean isRead);

        /** Sends nothing more to an instance of this container, which wants to leave. The router takes it for disconnected. */
        void end(int instance);

        /** Whether tuples of an instance wait here for others that are connected nowhere. */
        boolean holdsTuplesOf(int instance);
    }

    /**
     * Knows no instance.
     *
     * @param self this container
     * @param holdsStages whether back-pressure holds back the senders of a slow executor, and not all spouts
     * @param departures those of this container
     */
    Router(NodeInfo self, InstancePlan plan, boolean holdsStages, InstancePlan.Components components, Departures departures,
            Output output) {
        this.departures = departures;
        this.self = self;
        this.plan = plan;
        this.holdsStages = holdsStages;
        this.components = components;
        this.output = output;
    }

    /** Where an instance is connected, so that it can take tuples; empty if nowhere. It may not have moved yet. */
    public Optional<NodeInfo> place(int instance) {
        return Optional.ofNullable(places.get(instance));
    }

    /** Whether an instance is leaving, here or in another container: nobody starts it so far. */
    public boolean isLeaving(int instance) {
        return departures.isLeaving(instance) || others.values().stream().anyMatch(status -> status.moves().leaving().contains(instance));
    }

    /** The container of an instance by the plan, this one included; empty if it has none. */
    public Optional<NodeInfo> home(int instance) {
        return plan.home(instance);
    }

    /** The containers of the plan, except this one. */
    public Set<NodeInfo> otherContainers() {
        Set<NodeInfo> containers = new HashSet<>(plan.containers());
        containers.remove(self);
        return containers;
    }

    /** The host of a container. */
    public Optional<String> host(NodeInfo container) {
        return plan.host(container);
    }

    /** Takes a new plan, and forgets the reports of containers that are no longer in it. */
    public void plan(InstancePlan next) {
        plan = next;
        others.keySet().retainAll(next.containers());
        fullContainers.retainAll(next.containers());
        changed();
    }

    /** An instance of this container has connected. */
    public void connected(int instance) {
        forget(instance);
        departures.forget(instance);
        own.put(instance, new InstanceStatus(Set.of(instance), Set.of(), Map.of()));
        changed();
    }

    /** An instance of this container wants to leave. What others have sent to it comes, and then {@link Output#end} is called. */
    public void leaves(int instance) {
        departures.asks(instance);
        changed();
    }

    /** An instance that leaves has sent all that it had, and ends. Its tuples go to where it is started next. */
    public void left(int instance) {
        departures.left(instance, ownIds().contains(instance));
        changed();
    }

    /** An instance of this container is gone. */
    public void disconnected(int instance) {
        forget(instance);
        departures.forget(instance);
        own.remove(instance);
        changed();
    }

    /** Claims the instances of the plan, and those of which the container has a process. */
    public void claim(Set<Integer> running) {
        departures.claim(ownIds(), running);
        changed();
    }

    /** The instances of the plan that may be started here unless another container reports them. */
    public Set<Integer> startable() {
        Set<Integer> known = departures.knownClaims(others.values());
        known.retainAll(ownIds());
        return known;
    }

    private Set<Integer> ownIds() {
        return ownInstances().stream().map(Instance::id).collect(Collectors.toSet());
    }

    /** Looks for what has waited too long for other stream managers; called every second. */
    public void second() {
        departures.second();
        changed();
    }

    private void forget(int instance) {
        congested.remove(instance);
        full.remove(instance);
        waits.remove(instance);
        unread.remove(instance);
        sent.remove(instance);
    }

    /** An instance of this container reports its held tasks, and perhaps loads. */
    public void reported(int instance, InstanceStatus status) {
        InstanceStatus before = own.get(instance);
        if (before != null) {
            own.put(instance, new InstanceStatus(before.instances(), status.held(), status.loads()).after(before));
            changed();
            send(status.loads());
        }
    }

    /** Nothing of what these sources have sent waits any longer for an instance that was connected nowhere. */
    public void absent(int instance, Set<Integer> sources) {
        if (!own.containsKey(instance)) {
            forget(instance);
        }
        departures.sentOn(sources);
        changed();
    }

    /** An instance no longer takes what it is sent, or takes it again. It need not be connected. */
    public void congested(int instance, boolean isCongested) {
        if (isCongested ? congested.add(instance) : congested.remove(instance)) {
            changed();
        }
    }

    /** Too much waits here for an instance, or no longer. It need not be connected. */
    public void full(int instance, boolean isFull) {
        if (isFull ? full.add(instance) : full.remove(instance)) {
            changed();
        }
    }

    /** Too much waits for another container, or no longer. */
    public void full(NodeInfo container, boolean isFull) {
        if (isFull ? fullContainers.add(container) : fullContainers.remove(container)) {
            changed();
        }
    }

    /** An instance of this container has sent to any instance, and may have to wait for it. */
    public void sent(int source, int target) {
        if (!isAnyFull || !isTooMuch(source, target)) {
            return;
        }
        if (waits.computeIfAbsent(source, added -> new HashSet<>()).add(target)) {
            changed();
        }
    }

    /** The stream manager of another container reports; returns false if the plan has no such container. */
    public boolean reported(NodeInfo container, InstanceStatus status) {
        if (container.equals(self) || !plan.containers().contains(container)) {
            return false;
        }
        InstanceStatus before = others.put(container, status);
        if (before == null || !before.equals(status)) {
            changed();
            if (before == null || !before.loads().equals(status.loads())) {
                send(status.loads());
            }
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

    /** The tasks of all containers that cannot keep up: the culprits of back-pressure. */
    public Set<Integer> held() {
        Set<Integer> held = new HashSet<>(ownHeld());
        others.values().forEach(status -> held.addAll(status.held()));
        return held;
    }

    /** The instances of this container, by the plan. */
    public List<Instance> ownInstances() {
        return plan.instances(self);
    }

    /** What other stream managers get: the instances here, their held tasks and loads. */
    public InstanceStatus report() {
        Map<Integer, Double> loads = new HashMap<>();
        own.values().forEach(status -> loads.putAll(status.loads()));
        Set<Integer> instances = new HashSet<>(own.keySet());
        instances.removeAll(departures.leaving());
        return new InstanceStatus(instances, departures.report(others.values()), ownHeld(), full, loads);
    }

    private Set<Integer> ownHeld() {
        Set<Integer> held = new HashSet<>();
        own.values().forEach(status -> held.addAll(status.held()));
        for (Instance instance : plan.instances(self)) {
            if (congested.contains(instance.id()) || (holdsStages && isStopped(instance))) {
                held.addAll(instance.tasks());
            }
        }
        return held;
    }

    /**
     * Whether a bolt of this container is not read. It cannot say then that it does not keep up, and goes on reading if stages are held. A
     * spout takes what it gets in any case, and in a circle the other would be held back for this one.
     */
    private boolean isStopped(Instance instance) {
        return !components.isSpout(instance.component()) && (isOwed(instance.id())
            || waits.getOrDefault(instance.id(), Set.of()).stream().anyMatch(target -> !plan.isCircle(instance.id(), target)));
    }

    private void changed() {
        departures.takeReady(others.values()).forEach(instance -> {
            forget(instance);
            own.remove(instance);
            output.end(instance);
        });
        departures.settle(others.values(), output::holdsTuplesOf);
        isAnyFull = !full.isEmpty() || !fullContainers.isEmpty() || others.values().stream().anyMatch(status -> !status.full().isEmpty());
        places.clear();
        others.forEach((container, status) -> status.instances().forEach(instance -> places.put(instance, container)));
        own.keySet().forEach(instance -> places.put(instance, self));
        read();
        Set<Integer> reachable = Set.copyOf(places.keySet());
        Set<Integer> slow = held();
        Set<Integer> ofSpouts = holdsStages || slow.isEmpty() ? slow : plan.tasks();
        Set<Integer> ofBolts = holdsStages ? slow : Set.of();
        own.keySet().forEach(instance -> {
            InstanceStatus view = new InstanceStatus(reachable, isSpout(instance) ? ofSpouts : ofBolts, Map.of());
            if (!view.equals(sent.put(instance, view))) {
                output.toInstance(instance, view);
            }
        });
        InstanceStatus report = report();
        if (!isAsBefore(report)) {
            reported = report;
            output.toOthers(report);
        }
    }

    /** Whether others need not know what is new in a report now. What was seen goes to those who wait for it. */
    private boolean isAsBefore(InstanceStatus report) {
        Moves before = reported.moves();
        Moves now = report.moves();
        return report.instances().equals(reported.instances()) && report.held().equals(reported.held())
            && report.full().equals(reported.full()) && now.leaving().equals(before.leaving()) && now.owed().equals(before.owed())
            && now.claimed().equals(before.claimed()) && now.mark() == before.mark();
    }

    /** Has those read that wait for nobody, and no others. */
    private void read() {
        waits.entrySet().removeIf(entry -> {
            entry.getValue().removeIf(target -> !isTooMuch(entry.getKey(), target));
            return entry.getValue().isEmpty();
        });
        for (int instance : own.keySet()) {
            boolean isRead = !waits.containsKey(instance) && !isOwed(instance);
            if (isRead ? unread.remove(instance) : unread.add(instance)) {
                output.read(instance, isRead);
            }
        }
    }

    /** Whether another container has tuples of the process that this instance was there. Later ones must not arrive before them. */
    private boolean isOwed(int instance) {
        return others.values().stream().anyMatch(status -> status.moves().owed().contains(instance));
    }

    private boolean isTooMuch(int source, int target) {
        NodeInfo home = place(target).or(() -> home(target)).orElse(self);
        if (fullContainers.contains(home)) {
            return true; // What waits there leaves over the network, whoever else waits.
        }
        boolean isFull = full.contains(target) || others.getOrDefault(home, InstanceStatus.NONE).full().contains(target);
        return isFull && !(full.contains(source) && plan.isCircle(source, target));
    }

    /** Sends loads to all own instances, with what they were sent last. */
    private void send(Map<Integer, Double> loads) {
        if (!loads.isEmpty()) {
            sent.forEach((instance, view) ->
                output.toInstance(instance, new InstanceStatus(view.instances(), view.held(), loads)));
        }
    }

    private boolean isSpout(int id) {
        return plan.instances(self).stream().anyMatch(instance -> instance.id() == id && components.isSpout(instance.component()));
    }
}
