package io.eyewall.client.stream.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.apache.storm.generated.Assignment;
import org.apache.storm.generated.NodeInfo;
import org.junit.jupiter.api.Test;

class InstancePlanTest {

    private static final NodeInfo A = new NodeInfo("a", Set.of(6700L));
    private static final NodeInfo B = new NodeInfo("b", Set.of(6700L));
    private static final String ACKER = "__acker";

    private final Map<Integer, String> components = new HashMap<>();
    private final Map<List<Long>, NodeInfo> executors = new HashMap<>();
    private final Map<String, Set<String>> inputs = new HashMap<>();

    @Test
    void shouldRunEachExecutorInAnInstanceOfItsOwn() {
        assign("spout", 1, 1, A);
        assign("count", 2, 3, A);
        assign("count", 4, 5, B);

        InstancePlan plan = plan(1);

        assertEquals(List.of("count-2", "spout-1"), names(plan, A));
        assertEquals(List.of("count-4"), names(plan, B));
        assertEquals(List.of(2, 3), plan.instances(A).get(0).tasks());
        assertEquals(Set.of(1, 2, 3), plan.tasks(A));
        assertEquals(Optional.of(B), plan.home(5));
        assertEquals(Optional.empty(), plan.home(6));
    }

    @Test
    void shouldLetExecutorsOfOneComponentShareAnInstance() {
        for (int task = 1; task <= 5; task++) {
            assign("count", task, task, A);
        }
        assign("spout", 6, 6, A);

        assertEquals(List.of("count-1", "count-3", "count-5", "spout-6"), names(plan(2), A));
    }

    @Test
    void shouldRunStormsOwnExecutorsInTheFirstInstanceThatIsNoSpouts() {
        assign(ACKER, 1, 1, A);
        assign("words", 2, 2, A);
        assign("spout", 3, 3, A);
        assign(ACKER, 4, 4, B);
        assign("spout", 5, 5, B);

        InstancePlan plan = plan(1);

        assertEquals(List.of("spout-3", "words-2"), names(plan, A));
        assertEquals(List.of(1, 2), plan.instances(A).get(1).tasks());
        assertEquals(List.of("spout-5", ACKER + "-4"), names(plan, B), "where there is no other instance");
    }

    @Test
    void shouldRunExecutorsWithoutWorkNowhere() {
        assign(ACKER, 1, 1, A);
        assign("count", 2, 2, A);
        assign(ACKER, 3, 3, B);

        InstancePlan plan = plan(1, ACKER);

        assertEquals(List.of("count-2"), names(plan, A));
        assertEquals(List.of(), names(plan, B));
        assertEquals(List.of(executor(1, 1)), plan.idle(A));
        assertEquals(Set.of(A, B), plan.containers());
        assertEquals(Set.of(executor(2, 2)), plan.seenBy(plan.instances(A).get(0), A).get_executor_node_port().keySet());
    }

    @Test
    void shouldShowEachTaskOfOthersAsAWorker() {
        assign("spout", 1, 1, A);
        assign("count", 2, 2, A);
        assign("count", 3, 4, B);
        InstancePlan plan = plan(1);

        Assignment seen = plan.seenBy(plan.instances(A).get(1), A);

        assertEquals(A, seen.get_executor_node_port().get(executor(1, 1)));
        assertEquals(new NodeInfo("a", Set.of(InstancePlan.PORT_OFFSET + 2L)), seen.get_executor_node_port().get(executor(2, 2)));
        assertEquals(new NodeInfo("b", Set.of(InstancePlan.PORT_OFFSET + 4L)), seen.get_executor_node_port().get(executor(4, 4)));
        assertEquals(Map.of("a", "host-a", "b", "host-b"), seen.get_node_host());
    }

    @Test
    void shouldShowAnInstanceItsOwnExecutorsThoughOthersWereAssignedElsewhere() {
        assign("count", 2, 3, A);
        Instance own = plan(1).instances(A).get(0);
        executors.clear();
        assign("count", 2, 2, A);
        assign("count", 3, 4, B);

        assertEquals(Map.of(executor(2, 3), A, executor(4, 4), new NodeInfo("b", Set.of(InstancePlan.PORT_OFFSET + 4L))),
            plan(1).seenBy(own, A).get_executor_node_port());
    }

    @Test
    void shouldFindCirclesOfBolts() {
        List<String> names = List.of("spout", "parse", "loop", "again", "sink", ACKER);
        names.forEach(name -> assign(name, names.indexOf(name) + 1, names.indexOf(name) + 1, name.equals(ACKER) ? B : A));
        inputs.put("spout", Set.of("sink")); // No topology says so, but acks go that way.
        inputs.put("parse", Set.of("spout"));
        inputs.put("loop", Set.of("parse", "again"));
        inputs.put("again", Set.of("loop"));
        inputs.put("sink", Set.of("again"));

        InstancePlan plan = plan(1, ACKER);

        assertTrue(plan.isCycle(3, 4));
        assertTrue(plan.isCycle(3, 3));
        for (int other : new int[] {1, 2, 5, 99}) {
            assertFalse(plan.isCycle(3, other), "with " + other);
            assertFalse(plan.isCycle(other, 3), "with " + other);
        }
        assertFalse(plan.isCycle(2, 2));
    }

    /** A spout, a circle of two bolts, and one behind it. */
    @Test
    void shouldKnowWhoSendsToAnInstance() {
        assign("spout", 1, 1, A);
        assign("one", 2, 2, A);
        assign("other", 3, 4, B);
        assign("last", 5, 5, B);
        inputs.put("one", Set.of("spout", "other"));
        inputs.put("other", Set.of("one"));
        inputs.put("last", Set.of("other"));

        InstancePlan plan = plan(1);

        assertEquals(Set.of(), plan.senders(plan.instances(A).get(1)), "the spout");
        assertEquals(Set.of(1), plan.senders(plan.instances(A).get(0)), "those of a circle do not wait for each other");
        assertEquals(Set.of(1), plan.senders(plan.instances(B).get(1)));
        assertEquals(Set.of(1, 2, 3, 4), plan.senders(plan.instances(B).get(0)), "directly or through others");
        assertEquals(Set.of(2, 3, 4), plan.loop(3));
        assertEquals(Set.of(), plan.loop(5));
        assertEquals(Set.of(), plan.loop(6), "there is none");
    }

    @Test
    void shouldKnowTheInstancesOfABoltThatGetsItsOwnTuples() {
        assign("spout", 1, 1, A);
        assign("one", 2, 2, A);
        assign("one", 3, 4, B);
        inputs.put("one", Set.of("spout", "one"));

        assertEquals(Set.of(2, 3, 4), plan(1).loop(2));
        assertEquals(Set.of(), plan(1).loop(1));
    }

    @Test
    void shouldKnowThatWhoeverHasStormsOwnComponentsGetsTuplesOfAll() {
        assign("spout", 1, 1, A);
        assign("parse", 2, 2, A);
        assign("sink", 3, 3, B);
        assign(ACKER, 4, 4, A);
        inputs.put("parse", Set.of("spout"));
        inputs.put("sink", Set.of("parse"));

        assertTrue(plan(1).isCycle(2, 3), "the sink acks to the acker that runs beside a parser");
        assertFalse(plan(1, ACKER).isCycle(2, 3), "where ackers have no work, nobody does");
        assertFalse(plan(1).isCycle(1, 2));
    }

    @Test
    void shouldHaveEachExecutorOnceInWhateverAssignment() {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            components.clear();
            executors.clear();
            List<String> names = List.of("spout", "count", "sink", ACKER, "__eventlogger");
            int task = 1;
            while (task < 60) {
                int last = task + random.nextInt(3);
                assign(names.get(random.nextInt(names.size())), task, last, random.nextBoolean() ? A : B);
                task = last + 1;
            }
            int size = 1 + random.nextInt(4);

            InstancePlan plan = plan(size);

            List<List<Long>> found = new ArrayList<>();
            Set<Integer> ids = new HashSet<>();
            for (NodeInfo container : plan.containers()) {
                for (Instance instance : plan.instances(container)) {
                    assertTrue(ids.add(instance.id()), "seed " + seed);
                    assertTrue(instance.tasks().contains(instance.id()), "seed " + seed);
                    instance.tasks().forEach(each -> assertEquals(Optional.of(container), plan.home(each)));
                    found.addAll(instance.executors());
                    instance.executors().forEach(executor -> assertEquals(container, executors.get(executor)));
                    assertTrue(instance.executors().stream().filter(executor ->
                        components.get(executor.get(0).intValue()).equals(instance.component())).count() <= size
                        || instance.component().startsWith("__"), "seed " + seed);
                }
            }
            assertEquals(executors.size(), found.size(), "seed " + seed);
            assertEquals(executors.keySet(), new HashSet<>(found), "seed " + seed);
            assertEquals(components.keySet(), plan.tasks(), "seed " + seed);
        }
    }

    private static List<String> names(InstancePlan plan, NodeInfo container) {
        return plan.instances(container).stream().map(Instance::name).toList();
    }

    private InstancePlan plan(int executorsPerInstance) {
        return plan(executorsPerInstance, "none");
    }

    private InstancePlan plan(int executorsPerInstance, String hasNoWork) {
        Assignment assignment = new Assignment("");
        assignment.set_executor_node_port(executors);
        assignment.set_node_host(Map.of("a", "host-a", "b", "host-b"));
        return InstancePlan.of(assignment, new TestComponents(components::get, executorsPerInstance, hasNoWork, inputs));
    }

    private void assign(String component, long first, long last, NodeInfo container) {
        LongStream.rangeClosed(first, last).forEach(task -> components.put((int) task, component));
        executors.put(executor(first, last), container);
    }

    private static List<Long> executor(long first, long last) {
        return List.of(first, last);
    }
}
