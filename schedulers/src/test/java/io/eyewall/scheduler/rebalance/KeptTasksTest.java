package io.eyewall.scheduler.rebalance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.WorkerSlot;
import org.junit.jupiter.api.Test;

class KeptTasksTest {

    private static final WorkerSlot A0 = new WorkerSlot("a", 6700);
    private static final WorkerSlot A1 = new WorkerSlot("a", 6701);
    private static final WorkerSlot B0 = new WorkerSlot("b", 6700);

    private final Map<ExecutorDetails, String> components = new HashMap<>();

    @Test
    void shouldKeepASlotForWhichTheSchedulerTookAnotherOfTheNode() {
        Set<ExecutorDetails> worker = Set.of(executor("spout", 1, 2), executor("bolt", 3, 4));
        assertEquals(Map.of(A1, worker),
            KeptTasks.of(Map.of(1, A1, 2, A1, 3, A1, 4, A1), Map.of(A0, worker), components, Set.of(A1), false));
    }

    @Test
    void shouldNotTakeASlotThatIsNotFree() {
        Set<ExecutorDetails> worker = Set.of(executor("spout", 1, 2));
        assertEquals(Map.of(A0, worker), KeptTasks.of(Map.of(1, A1, 2, A1), Map.of(A0, worker), components, Set.of(B0), true));
    }

    @Test
    void shouldLeaveNodesToASchedulerThatChoosesThem() {
        Set<ExecutorDetails> first = Set.of(executor("spout", 1, 1));
        Set<ExecutorDetails> second = Set.of(executor("bolt", 2, 2));
        Map<Integer, WorkerSlot> before = Map.of(1, B0, 2, A0);
        Map<WorkerSlot, Set<ExecutorDetails>> chosen = Map.of(A0, first, B0, second);
        assertEquals(chosen, KeptTasks.of(before, chosen, components, Set.of(), false));
        assertEquals(Map.of(B0, first, A0, second), KeptTasks.of(before, chosen, components, Set.of(), true));
    }

    @Test
    void shouldExchangeExecutorsOfAComponent() {
        ExecutorDetails s1 = executor("spout", 1, 1);
        ExecutorDetails s2 = executor("spout", 2, 2);
        ExecutorDetails b3 = executor("bolt", 3, 3);
        ExecutorDetails b4 = executor("bolt", 4, 4);
        Map<WorkerSlot, Set<ExecutorDetails>> chosen = Map.of(A0, Set.of(s1, b3), B0, Set.of(s2, b4));
        assertEquals(Map.of(A0, Set.of(s1, b4), B0, Set.of(s2, b3)),
            KeptTasks.of(Map.of(1, A0, 2, B0, 3, B0, 4, A0), chosen, components, Set.of(), true));
        assertEquals(Map.of(A0, Set.of(s1, b3), B0, Set.of(s2, b4)),
            KeptTasks.of(Map.of(1, A0, 2, A0, 3, A0, 4, A0), chosen, components, Set.of(), true),
            "a component stays spread as evenly");
    }

    @Test
    void shouldLetANodeTakeThePlaceOfAnotherThatHasNoMoreFreeSlots() {
        Set<ExecutorDetails> worker = Set.of(executor("spout", 1, 2), executor("bolt", 3, 4));
        Map<Integer, WorkerSlot> before = Map.of(1, B0, 2, B0, 3, B0, 4, B0);
        WorkerSlot b1 = new WorkerSlot("b", 6701);
        assertEquals(Map.of(B0, worker), KeptTasks.of(before, Map.of(A0, worker), components, Set.of(A1, B0, b1), true));
        assertEquals(Map.of(A0, worker), KeptTasks.of(before, Map.of(A0, worker), components, Set.of(A1, B0), true),
            "the other node has more free slots");
        assertEquals(Map.of(A0, worker), KeptTasks.of(before, Map.of(A0, worker), components, Set.of(A1, B0, b1), false));
    }

    @Test
    void shouldKeepComponentsSpreadOverNodes() {
        List<WorkerSlot> b = List.of(B0, new WorkerSlot("b", 6701), new WorkerSlot("b", 6702), new WorkerSlot("b", 6703));
        Map<Integer, WorkerSlot> before = Map.of(1, b.get(0), 2, b.get(1), 3, b.get(2), 4, b.get(3));
        Map<WorkerSlot, Set<ExecutorDetails>> kept = KeptTasks.of(before, Map.of(A0, Set.of(executor("c", 1, 1)),
            b.get(0), Set.of(executor("c", 2, 2)), A1, Set.of(executor("d", 3, 3)), b.get(1), Set.of(executor("d", 4, 4))),
            components, Set.of(b.get(2), b.get(3)), true);
        assertEquals(2, KeptTasks.count(before, kept), kept::toString);
        assertEquals(Map.of("a", Set.of("c", "d"), "b", Set.of("c", "d")), kept.entrySet().stream().collect(Collectors.groupingBy(
            worker -> worker.getKey().getNodeId(), Collectors.flatMapping(worker -> worker.getValue().stream().map(components::get),
                Collectors.toSet()))));
    }

    @Test
    void shouldExchangeExecutorsOfAComponentAfterAGreedyChoice() {
        ExecutorDetails one = executor("x", 1, 5);
        ExecutorDetails two = executor("x", 6, 7);
        assertEquals(Map.of(B0, Set.of(one), A0, Set.of(two)), KeptTasks.of(Map.of(1, A0, 2, A0, 3, A0, 4, B0, 5, B0, 6, A0, 7, A0),
            Map.of(A0, Set.of(one), B0, Set.of(two)), components, Set.of(), true), "4 tasks stay instead of 3");
    }

    @Test
    void shouldLetExecutorsOfDifferentComponentsTradePlaces() {
        ExecutorDetails spout = executor("spout", 1, 1);
        ExecutorDetails first = executor("first", 2, 3);
        ExecutorDetails second = executor("second", 4, 4);
        ExecutorDetails third = executor("third", 5, 5);
        assertEquals(Map.of(A0, Set.of(spout, third), B0, Set.of(first, second)),
            KeptTasks.of(Map.of(1, A0, 2, A0, 3, B0, 4, B0, 5, A0), Map.of(A0, Set.of(first, third), B0, Set.of(spout, second)),
                components, Set.of(), true));
    }

    @Test
    void shouldLetAnExecutorGoHomeIfWorkersOnlyExchangeTheirSizes() {
        ExecutorDetails one = executor("a", 1, 1);
        ExecutorDetails two = executor("b", 2, 2);
        ExecutorDetails three = executor("c", 3, 3);
        assertEquals(Map.of(A0, Set.of(one, two), B0, Set.of(three)),
            KeptTasks.of(Map.of(1, A0, 2, A0, 3, B0), Map.of(A0, Set.of(one), B0, Set.of(two, three)), components, Set.of(), true));
        assertEquals(Map.of(A0, Set.of(one), B0, Set.of(two, three)),
            KeptTasks.of(Map.of(1, A0, 2, B0, 3, A0), Map.of(A0, Set.of(one), B0, Set.of(two, three)), components, Set.of(), false));
    }

    @Test
    void shouldKeepASlotEvenIfNoTaskOfItsStays() {
        Set<ExecutorDetails> two = Set.of(executor("spout", 1, 1), executor("bolt", 2, 3));
        Set<ExecutorDetails> one = Set.of(executor("sink", 4, 4));
        WorkerSlot a2 = new WorkerSlot("a", 6702);
        Map<Integer, WorkerSlot> before = Map.of(1, A0, 2, A0, 3, A1, 4, B0); // B0 has gone.
        assertEquals(Map.of(A0, two, A1, one), KeptTasks.of(before, Map.of(A0, two, a2, one), components, Set.of(A1), true),
            "since its process can go on");
        assertEquals(Map.of(A0, two, a2, one), KeptTasks.of(before, Map.of(A0, two, a2, one), components, Set.of(A1), false),
            "since its process has the memory of other executors");
    }

    @Test
    void shouldKeepAllTasksIfExecutorsSplitWithinAWorker() {
        Map<Integer, WorkerSlot> before = new HashMap<>();
        for (int task = 1; task <= 12; task++) {
            before.put(task, task <= 6 ? A0 : B0);
        }
        List<ExecutorDetails> executors = new ArrayList<>();
        for (int[] tasks : new int[][] {{1, 3}, {4, 6}, {7, 8}, {9, 10}, {11, 12}}) {
            executors.add(executor("bolt", tasks[0], tasks[1]));
        }
        Map<WorkerSlot, Set<ExecutorDetails>> kept = KeptTasks.of(before, Map.of(
            A0, Set.of(executors.get(0), executors.get(2), executors.get(4)), B0, Set.of(executors.get(1), executors.get(3))),
            components, Set.of(), true);
        assertEquals(12, KeptTasks.count(before, kept), kept::toString);
    }

    @Test
    void shouldChangeNothingThatTheSchedulerDecidesOn() {
        for (long seed = 0; seed < 2_000; seed++) {
            Random random = new Random(seed);
            components.clear();
            int count = 1 + random.nextInt(20);
            for (int i = 0, task = 1; i < count; i++) {
                int size = 1 + random.nextInt(3);
                executor("component-" + random.nextInt(4), task, task + size - 1);
                task += size;
            }
            List<WorkerSlot> slots = new ArrayList<>();
            for (int i = 0; i < 9; i++) {
                slots.add(new WorkerSlot("node-" + i / 3, 6700 + i % 3));
            }
            Map<Integer, WorkerSlot> before = new HashMap<>();
            List<WorkerSlot> usedBefore = some(slots, random);
            components.keySet().forEach(executor -> {
                WorkerSlot slot = usedBefore.get(random.nextInt(usedBefore.size()));
                KeptTasks.tasks(executor).forEach(task -> before.put(task, random.nextInt(9) == 0 ? slots.get(random.nextInt(9)) : slot));
            });
            Map<WorkerSlot, Set<ExecutorDetails>> chosen = new HashMap<>();
            List<WorkerSlot> usedNow = some(slots, random);
            components.keySet().forEach(executor ->
                chosen.computeIfAbsent(usedNow.get(random.nextInt(usedNow.size())), any -> new HashSet<>()).add(executor));
            Set<WorkerSlot> free = new HashSet<>(some(slots, random));
            free.removeAll(usedNow);
            boolean anyNode = random.nextBoolean();

            Map<WorkerSlot, Set<ExecutorDetails>> kept = KeptTasks.of(before, chosen, components, free, anyNode);

            String about = "seed " + seed + ": " + before + " and " + chosen + " became " + kept;
            assertEquals(components.keySet(), kept.values().stream().flatMap(Set::stream).collect(Collectors.toSet()), about);
            assertEquals(count, kept.values().stream().mapToInt(Set::size).sum(), about);
            assertTrue(kept.keySet().stream().allMatch(slot -> free.contains(slot) || chosen.containsKey(slot)), about);
            assertEquals(anyNode ? List.copyOf(workersPerNode(chosen).values()).stream().sorted().toList() : workersPerNode(chosen),
                anyNode ? List.copyOf(workersPerNode(kept).values()).stream().sorted().toList() : workersPerNode(kept), about);
            assertTrue(KeptTasks.count(before, kept) >= KeptTasks.count(before, chosen), about);
            if (anyNode) {
                assertEquals(spread(chosen, false), spread(kept, false), about);
                assertEquals(spread(chosen, true), spread(kept, true), about);
            } else {
                assertEquals(workersByNode(chosen), workersByNode(kept), about);
            }
        }
    }

    private ExecutorDetails executor(String component, int first, int last) {
        ExecutorDetails executor = new ExecutorDetails(first, last);
        components.put(executor, component);
        return executor;
    }

    private static List<WorkerSlot> some(List<WorkerSlot> slots, Random random) {
        List<WorkerSlot> some = new ArrayList<>(slots);
        Collections.shuffle(some, random);
        return some.subList(0, 1 + random.nextInt(some.size()));
    }

    private static Map<String, Long> workersPerNode(Map<WorkerSlot, Set<ExecutorDetails>> placed) {
        return placed.keySet().stream().collect(Collectors.groupingBy(WorkerSlot::getNodeId, Collectors.counting()));
    }

    private static Map<String, Set<Set<ExecutorDetails>>> workersByNode(Map<WorkerSlot, Set<ExecutorDetails>> placed) {
        return placed.entrySet().stream().collect(Collectors.groupingBy(worker -> worker.getKey().getNodeId(),
            Collectors.mapping(Map.Entry::getValue, Collectors.toSet())));
    }

    /** How many executors workers, or nodes, have, and how many of each component. */
    private Map<String, List<Integer>> spread(Map<WorkerSlot, Set<ExecutorDetails>> placed, boolean overNodes) {
        Map<String, Map<Object, Integer>> counts = new TreeMap<>();
        placed.forEach((slot, executors) -> executors.forEach(executor -> List.of("all", components.get(executor)).forEach(component ->
            counts.computeIfAbsent(component, any -> new HashMap<>()).merge(overNodes ? slot.getNodeId() : slot, 1, Integer::sum))));
        Map<String, List<Integer>> spread = new TreeMap<>();
        counts.forEach((component, places) -> spread.put(component, places.values().stream().sorted().toList()));
        return spread;
    }
}
