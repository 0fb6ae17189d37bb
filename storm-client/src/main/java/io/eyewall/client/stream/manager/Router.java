package io.eyewall.client.stream.manager;

import io.eyewall.client.stream.plan.Instance;
import io.eyewall.client.stream.plan.InstancePlan;
import io.eyewall.client.stream.wire.InstanceStatus;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.storm.generated.NodeInfo;

/**
 * The decisions of a stream manager: where the tuples of an instance go, and which status each of its own instances and the other stream
 * managers get. It has no threads, sockets or clock, and is used by one thread.
 *
 * <p>Back-pressure follows section 5.4 of the paper on Heron. When a task cannot keep up, either all spouts stop sending to any task, or
 * each executor stops sending to that task.
 */
public final class Router {

    private final NodeInfo self;
    private final boolean holdsStages;
    private final Predicate<String> isSpout;
    private final Output output;

    private InstancePlan plan;
    private final Map<Integer, InstanceStatus> own = new TreeMap<>();
    /** Own instances whose sockets are full. */
    private final Set<Integer> congested = new HashSet<>();
    private final Map<NodeInfo, InstanceStatus> others = new HashMap<>();
    /** What each own instance was sent last, without loads. */
    private final Map<Integer, InstanceStatus> sent = new HashMap<>();
    private InstanceStatus reported = InstanceStatus.NONE;

    /** Receives the statuses to send. */
    public interface Output {

        /** Sends a status to an instance of this container. */
        void toInstance(int instance, InstanceStatus status);

        /** Sends a status to all other stream managers. */
        void toOthers(InstanceStatus status);
    }

    /**
     * Knows no instance.
     *
     * @param self this container
     * @param holdsStages whether back-pressure holds back the senders of a slow executor, and not all spouts
     * @param isSpout whether a component is a spout
     */
    public Router(NodeInfo self, InstancePlan plan, boolean holdsStages, Predicate<String> isSpout, Output output) {
        this.self = self;
        this.plan = plan;
        this.holdsStages = holdsStages;
        this.isSpout = isSpout;
        this.output = output;
    }

    /** The container of an instance, this one included; empty if it has none. */
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
        changed();
    }

    /** Whether an instance belongs to this container by the plan. */
    public boolean isOwn(int instance) {
        return plan.home(instance).filter(self::equals).isPresent();
    }

    /** An instance of this container has connected. */
    public void connected(int instance) {
        own.put(instance, new InstanceStatus(Set.of(instance), Set.of(), Map.of()));
        congested.remove(instance);
        sent.remove(instance);
        changed();
    }

    /** An instance of this container is gone. */
    public void disconnected(int instance) {
        own.remove(instance);
        congested.remove(instance);
        sent.remove(instance);
        changed();
    }

    /** An instance of this container reports its held tasks, and perhaps loads. */
    public void reported(int instance, InstanceStatus status) {
        InstanceStatus before = own.get(instance);
        if (before != null) {
            own.put(instance, new InstanceStatus(before.instances(), status.held(), joined(before.loads(), status.loads())));
            changed();
            send(status.loads());
        }
    }

    /** An instance of this container no longer takes what it is sent, or takes it again. */
    public void congested(int instance, boolean isCongested) {
        if (own.containsKey(instance) && (isCongested ? congested.add(instance) : congested.remove(instance))) {
            changed();
        }
    }

    /** The stream manager of another container reports. */
    public void reported(NodeInfo container, InstanceStatus status) {
        if (!plan.containers().contains(container)) {
            return;
        }
        InstanceStatus before = others.put(container, status);
        if (before == null || !before.equals(status)) {
            changed();
            if (before == null || !before.loads().equals(status.loads())) {
                send(status.loads());
            }
        }
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

    /** What other stream managers get: the instances here, their held tasks and loads. */
    public InstanceStatus report() {
        Map<Integer, Double> loads = new HashMap<>();
        own.values().forEach(status -> loads.putAll(status.loads()));
        return new InstanceStatus(own.keySet(), ownHeld(), loads);
    }

    private Set<Integer> ownHeld() {
        Set<Integer> held = new HashSet<>();
        own.values().forEach(status -> held.addAll(status.held()));
        for (Instance instance : plan.instances(self)) {
            if (congested.contains(instance.id())) {
                held.addAll(instance.tasks());
            }
        }
        return held;
    }

    private void changed() {
        Set<Integer> reachable = new HashSet<>(own.keySet());
        others.values().forEach(status -> reachable.addAll(status.instances()));
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
        if (!report.instances().equals(reported.instances()) || !report.held().equals(reported.held())) {
            reported = report;
            output.toOthers(report);
        }
    }

    /** Sends loads to all own instances, with what they were sent last. */
    private void send(Map<Integer, Double> loads) {
        if (!loads.isEmpty()) {
            sent.forEach((instance, view) ->
                output.toInstance(instance, new InstanceStatus(view.instances(), view.held(), loads)));
        }
    }

    private boolean isSpout(int id) {
        return plan.instances(self).stream().anyMatch(instance -> instance.id() == id && isSpout.test(instance.component()));
    }

    private static Map<Integer, Double> joined(Map<Integer, Double> first, Map<Integer, Double> then) {
        Map<Integer, Double> all = new HashMap<>(first);
        all.putAll(then);
        return all;
    }
}
