package io.eyewall.client.stream.plan;

import io.eyewall.client.settings.ComponentGraph;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.storm.generated.Assignment;
import org.apache.storm.generated.NodeInfo;

/**
 * The instances of a topology in each container, which is a slot. Every process computes the plan from the assignment for itself, so
 * processes need not agree on it. Executors of Storm's own components run in the first instance of their container without a spout,
 * since back-pressure may stop everything that a spout's instance emits. Ackers run nowhere if ledgers keep the
 * trees. Immutable.
 */
public final class InstancePlan {

    /**
     * Added to a task to make the port by which other instances know it. The sum is above all ports of the network, so it is never taken
     * for one of these.
     */
    public static final int PORT_OFFSET = 1 << 16;

    private static final String SYSTEM_PREFIX = "__";

    private final Assignment assignment;
    private final Map<NodeInfo, List<Instance>> containers;
    private final Map<NodeInfo, List<List<Long>>> idle;
    /** By task. */
    private final Map<Integer, NodeInfo> homes = new HashMap<>();
    /** The component of each task's instance. */
    private final Map<Integer, String> names = new HashMap<>();
    private final ComponentGraph graph;
    /** The tasks of each instance. */
    private final Set<Set<Integer>> groups = new HashSet<>();

    private InstancePlan(Assignment assignment, Map<NodeInfo, List<Instance>> containers, Map<NodeInfo, List<List<Long>>> idle,
            ComponentGraph graph) {
        this.assignment = assignment;
        this.containers = containers;
        this.idle = idle;
        this.graph = graph;
        containers.forEach((container, instances) -> instances.forEach(instance -> {
            groups.add(Set.copyOf(instance.tasks()));
            instance.tasks().forEach(task -> {
                homes.put(task, container);
                names.put(task, instance.component());
            });
        }));
    }

    /**
     * The plan of an assignment.
     *
     * @param components those of the topology
     */
    public static InstancePlan of(Assignment assignment, Components components) {
        Map<NodeInfo, Set<List<Long>>> executors = new HashMap<>();
        Map<NodeInfo, List<List<Long>>> idle = new HashMap<>();
        assignment.get_executor_node_port().forEach((executor, container) -> {
            Set<List<Long>> working = executors.computeIfAbsent(container, added -> new TreeSet<>(Instance.BY_FIRST_TASK));
            if (components.hasNoWork(components.of(executor.get(0).intValue()))) {
                idle.computeIfAbsent(container, added -> new ArrayList<>()).add(executor);
            } else {
                working.add(executor);
            }
        });
        Map<NodeInfo, List<Instance>> containers = new HashMap<>();
        executors.forEach((container, all) -> containers.put(container, instances(all, components)));
        return new InstancePlan(assignment, containers, idle, graph(containers, components));
    }

    /** Storm's own components get tuples from all others, over the socket of the instance in which they run. */
    private static ComponentGraph graph(Map<NodeInfo, List<Instance>> containers, Components components) {
        Map<String, Set<String>> targets = new HashMap<>();
        Set<String> hosts = new HashSet<>();
        containers.values().forEach(instances -> instances.forEach(instance -> {
            String component = instance.component();
            targets.computeIfAbsent(component, added -> new HashSet<>());
            if (instance.executors().stream().anyMatch(executor -> isSystem(components.of(executor.get(0).intValue())))) {
                hosts.add(component);
            }
            if (!components.isSpout(component)) {
                components.sources(component).forEach(source -> targets.computeIfAbsent(source, added -> new HashSet<>()).add(component));
            }
        }));
        targets.values().forEach(its -> its.addAll(hosts));
        return new ComponentGraph(targets);
    }

    private static boolean isSystem(String component) {
        return component.startsWith(SYSTEM_PREFIX);
    }

    private static List<Instance> instances(Set<List<Long>> executors, Components components) {
        Map<String, List<List<Long>>> byComponent = new TreeMap<>();
        List<List<Long>> systems = new ArrayList<>();
        for (List<Long> executor : executors) {
            String component = components.of(executor.get(0).intValue());
            (isSystem(component) ? systems : byComponent.computeIfAbsent(component, added -> new ArrayList<>()))
                .add(executor);
        }
        List<Instance> instances = new ArrayList<>();
        byComponent.forEach((component, own) ->
            instances.addAll(Instance.sharing(component, own, components.executorsPerInstance(component))));
        if (!systems.isEmpty()) {
            addSystems(systems, instances, components);
        }
        return List.copyOf(instances);
    }

    private static void addSystems(List<List<Long>> systems, List<Instance> instances, Components components) {
        for (int i = 0; i < instances.size(); i++) {
            Instance instance = instances.get(i);
            if (!components.isSpout(instance.component())) {
                List<List<Long>> together = new ArrayList<>(systems);
                together.addAll(instance.executors());
                instances.set(i, new Instance(instance.id(), instance.component(), together));
                return;
            }
        }
        int id = systems.get(0).get(0).intValue();
        instances.add(new Instance(id, components.of(id), systems));
    }

    /** Whether this is the plan of that assignment. */
    public boolean isOf(Assignment other) {
        return assignment.equals(other);
    }

    /** The instances of a container, none if it is not in the assignment. */
    public List<Instance> instances(NodeInfo container) {
        return containers.getOrDefault(container, List.of());
    }

    /** The tasks of the instances of a container. */
    public Set<Integer> tasks(NodeInfo container) {
        return instances(container).stream().flatMap(instance -> instance.tasks().stream()).collect(Collectors.toUnmodifiableSet());
    }

    /** The executors that are assigned to a container and run nowhere. */
    public List<List<Long>> idle(NodeInfo container) {
        return idle.getOrDefault(container, List.of());
    }

    /** All containers. */
    public Set<NodeInfo> containers() {
        return Set.copyOf(containers.keySet());
    }

    /** Where a task runs; empty if it runs nowhere. */
    public Optional<NodeInfo> home(int task) {
        return Optional.ofNullable(homes.get(task));
    }

    /** Whether an instance has exactly these tasks, in whatever container. */
    public boolean hasInstance(Set<Integer> tasks) {
        return groups.contains(tasks);
    }

    /** Whether tuples of the instances of two tasks can lead to tuples for each other. */
    public boolean isCycle(int one, int other) {
        String first = names.get(one);
        String second = names.get(other);
        return first != null && second != null && graph.hasCycle(first, second);
    }

    /** The tasks of those instances whose tuples can lead to tuples for that one, and not the other way round. */
    public Set<Integer> senders(Instance to) {
        return tasksOf(component -> graph.isBefore(component, to.component()));
    }

    /** The tasks of the loop of instances that a task belongs to: tuples of each can lead to tuples for each. Empty if it is in none. */
    public Set<Integer> loop(int task) {
        String own = names.get(task);
        return own == null ? Set.of() : tasksOf(component -> graph.hasCycle(own, component));
    }

    private Set<Integer> tasksOf(Predicate<String> condition) {
        Set<String> components = names.values().stream().distinct().filter(condition).collect(Collectors.toSet());
        return names.entrySet().stream().filter(entry -> components.contains(entry.getValue())).map(Map.Entry::getKey)
            .collect(Collectors.toUnmodifiableSet());
    }

    /** Whether the instance of a task that cannot keep up may only be waiting for others of these tasks, which cannot keep up either. */
    public boolean mayWait(int task, Set<Integer> slow) {
        String component = names.get(task);
        Set<String> slowNames = slow.stream().map(names::get).filter(Objects::nonNull).collect(Collectors.toSet());
        return component != null && graph.mayWait(component, slowNames);
    }

    /** The host of a container, as the assignment names it; empty if it does not. */
    public Optional<String> host(NodeInfo container) {
        return Optional.ofNullable(assignment.get_node_host().get(container.get_node()));
    }

    /** Where a container is, for a log: its host and port, with the id of its Supervisor in place of a host that is not known. */
    public String where(NodeInfo container) {
        return host(container).orElseGet(container::get_node) + ":" + container.get_port().iterator().next();
    }

    /** All tasks of the instances. */
    public Set<Integer> tasks() {
        return Set.copyOf(homes.keySet());
    }

    /**
     * The assignment as an instance sees it, whose code is a worker's: its own executors are at the container's slot, and each task of
     * others is a worker with {@link #PORT_OFFSET a port of its own}. So it does not matter to the instance which tasks share a process.
     *
     * @param own the instance, which may no longer be in the plan
     * @param container where it runs
     */
    public Assignment seenBy(Instance own, NodeInfo container) {
        Map<List<Long>, NodeInfo> seen = new HashMap<>();
        Set<Integer> ownTasks = Set.copyOf(own.tasks());
        homes.forEach((task, home) -> {
            if (!ownTasks.contains(task)) {
                seen.put(List.of((long) task, (long) task), new NodeInfo(home.get_node(), Set.of((long) PORT_OFFSET + task)));
            }
        });
        own.executors().forEach(executor -> seen.put(executor, container));
        Assignment view = new Assignment(assignment);
        view.set_executor_node_port(seen);
        return view;
    }

    /** The components of a topology, Storm's own included. */
    public interface Components {

        /** The component of a task. */
        String of(int task);

        /** How many executors of a component share an instance. */
        int executorsPerInstance(String component);

        /** The components whose tuples a component gets by its own declaration, none for Storm's own. */
        Set<String> sources(String component);

        /** Whether a component is a spout. */
        boolean isSpout(String component);

        /** Whether the executors of a component run nowhere. */
        boolean hasNoWork(String component);
    }
}
