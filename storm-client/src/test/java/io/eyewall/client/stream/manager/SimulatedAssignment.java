package io.eyewall.client.stream.manager;

import io.eyewall.client.stream.plan.InstancePlan;
import io.eyewall.client.stream.plan.TestComponents;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.storm.generated.Assignment;
import org.apache.storm.generated.NodeInfo;

/** Where tasks are in the simulation, and in which executors. */
final class SimulatedAssignment {

    static final List<NodeInfo> PLACES = List.of(new NodeInfo("a", Set.of(1L)), new NodeInfo("b", Set.of(2L)),
        new NodeInfo("c", Set.of(3L)));
    static final int TASKS = 10;
    private static final int OF_OTHER_COMPONENT = 3;
    private static final int MAX_MOVES = 3;

    final TestComponents components;
    private final Random random;
    private final boolean hasOtherExecutors;
    private final Map<Integer, Integer> homes = new TreeMap<>();
    /** The first tasks of executors. */
    private final Set<Integer> firstTasks = new TreeSet<>();

    /** In the first two containers, each task with an instance of its own unless {@code hasOtherExecutors}. */
    SimulatedAssignment(Random random, boolean hasOtherExecutors) {
        this.random = random;
        this.hasOtherExecutors = hasOtherExecutors;
        components = new TestComponents(task -> task <= OF_OTHER_COMPONENT ? "other" : "bolt",
            hasOtherExecutors ? 1 + random.nextInt(2) : 1, "none",
            Map.of("bolt", Set.of("bolt", "other"), "other", Set.of("bolt", "other")));
        for (int task = 1; task <= TASKS; task++) {
            homes.put(task, random.nextInt(PLACES.size() - 1));
        }
        split();
    }

    /** Moves some tasks, or all of a container, and has other executors run them now and then. */
    void change() {
        for (int many = 1 + random.nextInt(MAX_MOVES); many > 0; many--) {
            homes.put(1 + random.nextInt(TASKS), random.nextInt(PLACES.size()));
        }
        int left = random.nextInt(2 * PLACES.size());
        homes.replaceAll((task, home) -> home != left ? home : (home + 1 + random.nextInt(PLACES.size() - 1)) % PLACES.size());
        if (random.nextInt(2) == 0) {
            split();
        }
    }

    private void split() {
        firstTasks.clear();
        for (int task = 1; task <= TASKS; task++) {
            if (!hasOtherExecutors || task == 1 || task == OF_OTHER_COMPONENT + 1 || random.nextBoolean()) {
                firstTasks.add(task);
            }
        }
    }

    InstancePlan plan() {
        Map<List<Long>, NodeInfo> executors = new HashMap<>();
        List<Integer> firsts = new ArrayList<>(firstTasks);
        firsts.add(TASKS + 1);
        for (int i = 0; i < firstTasks.size(); i++) {
            executors.put(List.of((long) firsts.get(i), firsts.get(i + 1) - 1L), PLACES.get(homes.get(firsts.get(i))));
        }
        Assignment assignment = new Assignment("");
        assignment.set_executor_node_port(executors);
        assignment.set_node_host(Map.of());
        return InstancePlan.of(assignment, components);
    }

    @Override
    public String toString() {
        return "homes " + homes + ", executors from " + firstTasks;
    }
}
