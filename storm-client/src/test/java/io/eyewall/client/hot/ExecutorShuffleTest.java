package io.eyewall.client.hot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.seam.Groupings;
import io.eyewall.client.substitute.SingleTaskGrouping;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.storm.Config;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.Grouping;
import org.apache.storm.generated.NullStruct;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.grouping.LoadAwareCustomStreamGrouping;
import org.apache.storm.grouping.LoadAwareShuffleGrouping;
import org.apache.storm.grouping.LoadMapping;
import org.apache.storm.task.WorkerTopologyContext;
import org.apache.storm.tuple.Fields;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;

class ExecutorShuffleTest {

    private static final Map<String, Object> CONF = Map.of(Config.TOPOLOGY_DISABLE_LOADAWARE_MESSAGING, true);
    private static final Map<String, Object> LOAD_AWARE = Map.of();
    private static final int SOURCE = 1;
    private static final int OTHER_SOURCE = 2;
    private static final int PORT = 6700;
    private static final int FEW = 12;
    private static final int MANY = 3_000;
    /** After so many, Storm's shuffle gives nothing to a task that it takes for full. */
    private static final int REFRESHES = 10;

    private final AtomicReference<TaskPlacement> placement = new AtomicReference<>(local(1, 7));
    private final List<Groupings.Request> shuffles = new ArrayList<>();
    private final Groupings next = request -> {
        shuffles.add(request);
        return request.upstreamGrouping();
    };
    private final LoadMapping loads = new LoadMapping();

    @Test
    void shouldChooseAmongTheTasksThatItsWorkerHasNow() {
        ExecutorShuffle grouping = new ExecutorShuffle(localOrShuffle(), next, placement::get);
        assertEquals(Set.of(7), counts(grouping, FEW).keySet());

        placement.set(local(1, 7, 8));
        assertEquals(Set.of(7, 8), counts(grouping, FEW).keySet());

        placement.set(local(1));
        assertEquals(Set.of(7, 8, 9), counts(grouping, FEW).keySet());
        assertEquals(List.of(List.of(7), List.of(7, 8), List.of(7, 8, 9)), shuffles.stream().map(Groupings.Request::targetTasks).toList());
    }

    @Test
    void shouldChooseAmongTheTasksOfTheSlotWhereAProcessIsOneOfSeveral() {
        SlotGroupings groupings = new SlotGroupings();
        assertNull(groupings.of(next).grouping(localOrShuffle()), "a worker by itself has upstream's");

        AtomicReference<Set<Integer>> tasks = new AtomicReference<>(Set.of(1, 7));
        groupings.sendsOver(new SlotTransport(tasks::get));
        ExecutorShuffle ofSlot = assertInstanceOf(ExecutorShuffle.class, groupings.of(next).grouping(localOrShuffle()));
        tasks.set(Set.of(8, 9));
        assertEquals(Set.of(8, 9), counts(ofSlot, FEW).keySet());

        assertNull(groupings.of(next).grouping(request(Grouping.shuffle(new NullStruct()), LOAD_AWARE, null)),
            "other groupings stay upstream's");
    }

    @Test
    void shouldStayAsItIsWhenOtherTasksComeOrGo() {
        ExecutorShuffle grouping = new ExecutorShuffle(localOrShuffle(), next, placement::get);
        placement.set(local(2, 7));
        assertEquals(Set.of(7), counts(grouping, FEW).keySet());
        assertEquals(1, shuffles.size(), "the shuffle knows the loads of its tasks");
    }

    @Test
    void shouldNotChooseAmongOne() {
        new ExecutorShuffle(localOrShuffle(), next, placement::get);
        assertInstanceOf(SingleTaskGrouping.class, shuffles.get(0).upstreamGrouping());
    }

    @Test
    void shouldGiveEachTaskOfAnExecutorItsTurnThoughOnlyTheLoadOfTheFirstIsKnown() {
        loads.setLocal(Map.of(7, 0.0));
        LoadAwareShuffleGrouping storms = new LoadAwareShuffleGrouping();
        storms.prepare(context(), new GlobalStreamId("words", "default"), List.of(7, 8, 9));
        placement.set(executors(Map.of(7, 7, 8, 7, 9, 7)));
        ExecutorShuffle grouping = shuffle();

        refresh(storms);
        refresh(grouping);

        assertEquals(Map.of(7, FEW), counts(storms, FEW), "Storm's own uses the first task only");
        assertEquals(Map.of(7, MANY / 3, 8, MANY / 3, 9, MANY / 3), rounded(counts(grouping, MANY)));
    }

    @Test
    void shouldGiveEachExecutorTheSameShareThoughOneHasMoreTasks() {
        loads.setLocal(Map.of(7, 0.0, 9, 0.0));
        placement.set(executors(Map.of(7, 7, 8, 7, 9, 9)));
        ExecutorShuffle grouping = shuffle();

        refresh(grouping);

        assertEquals(Map.of(7, MANY / 4, 8, MANY / 4, 9, MANY / 2), rounded(counts(grouping, MANY)));
    }

    @Test
    void shouldGiveTheExecutorsIntoWhichOneIsSplitTheirSharesAtOnce() {
        loads.setLocal(Map.of(7, 0.0));
        placement.set(executors(Map.of(7, 7, 8, 7, 9, 7)));
        ExecutorShuffle grouping = shuffle();
        refresh(grouping);

        placement.set(executors(Map.of(7, 7, 8, 8, 9, 9)));

        assertEquals(Map.of(7, MANY / 3, 8, MANY / 3, 9, MANY / 3), rounded(counts(grouping, MANY)));
    }

    @Test
    void shouldKeepItsTuplesInTheWorkerUnlessExecutorsElsewhereWouldGetLess() {
        placement.set(placed(Map.of(SOURCE, "here", OTHER_SOURCE, "there", 7, "here", 8, "here", 9, "there")));
        ExecutorShuffle grouping = shuffle();
        assertEquals(Map.of(7, MANY / 2, 8, MANY / 2), rounded(counts(grouping, MANY)));

        placement.set(placed(Map.of(SOURCE, "here", OTHER_SOURCE, "here", 7, "here", 8, "here", 9, "there")));
        assertEquals(Map.of(7, MANY / 3, 8, MANY / 3, 9, MANY / 3), rounded(counts(grouping, MANY)));
        assertEquals(1, shuffles.size(), "features that decorate it keep what they know");
    }

    @Test
    void shouldSendNothingToAnExecutorThatIsNotAssigned() {
        placement.set(placed(Map.of(SOURCE, "here", 7, "here", 8, "there")));
        assertEquals(Map.of(7, MANY / 2, 8, MANY / 2), rounded(counts(shuffle(), MANY)));

        placement.set(placed(Map.of(SOURCE, "here")));
        assertEquals(Set.of(7, 8, 9), counts(shuffle(), FEW).keySet(), "none of them is");
    }

    @Test
    void shouldPreferLocalTasksThoughOthersWouldGetLess() {
        TaskPlacement placed = placed(Map.of(SOURCE, "here", 7, "here", 8, "here", 9, "there"));
        placement.set(placed.withLocal(Set.of(SOURCE, 7, 8)));
        ExecutorShuffle grouping =
            new ExecutorShuffle(request(Grouping.local_or_shuffle(new NullStruct()), LOAD_AWARE, context()), next, placement::get);
        assertEquals(Map.of(7, MANY / 2, 8, MANY / 2), rounded(counts(grouping, MANY)));

        placement.set(placed.withLocal(Set.of(SOURCE)));
        assertEquals(Set.of(7, 8, 9), counts(grouping, FEW).keySet());
    }

    @Test
    void shouldStayAsItIsWhenOtherComponentsMove() {
        placement.set(placed(Map.of(SOURCE, "here", 5, "here", 7, "here", 8, "there", 9, "there")));
        ExecutorShuffle grouping = shuffle();
        placement.set(placed(Map.of(SOURCE, "here", 5, "there", 7, "here", 8, "there", 9, "there")));
        counts(grouping, FEW);
        assertEquals(1, shuffles.size(), "the shuffle knows the loads of its tasks");
    }

    /** What a worker knows when it has read its assignment: the first task of the executor of each task, all here. */
    private static TaskPlacement executors(Map<Integer, Integer> firstTasks) {
        Map<Integer, TaskPlacement.Home> executors = new TreeMap<>();
        firstTasks.forEach((task, first) -> executors.put(task, new TaskPlacement.Home(first, place("here"))));
        return new TaskPlacement(Optional.of(place("here")), Set.of(), executors);
    }

    /** The same, if each task is an executor in one of two workers. */
    private static TaskPlacement placed(Map<Integer, String> workers) {
        Map<Integer, TaskPlacement.Home> executors = new TreeMap<>();
        workers.forEach((task, worker) -> executors.put(task, new TaskPlacement.Home(task, place(worker))));
        return new TaskPlacement(Optional.of(place("here")), Set.of(), executors);
    }

    private static WorkerPlace place(String node) {
        return new WorkerPlace(node, PORT);
    }

    private static TaskPlacement local(Integer... tasks) {
        return new TaskPlacement(Optional.empty(), Set.of(tasks), Map.of());
    }

    private ExecutorShuffle shuffle() {
        Groupings.Request request = request(Grouping.shuffle(new NullStruct()), LOAD_AWARE, context());
        assertTrue(ExecutorShuffle.isAbout(request));
        return new ExecutorShuffle(request, next, placement::get);
    }

    private static Groupings.Request localOrShuffle() {
        return request(Grouping.local_or_shuffle(new NullStruct()), CONF, null);
    }

    private static Groupings.Request request(Grouping declared, Map<String, Object> conf, WorkerTopologyContext context) {
        return new Groupings.Request(context, "words", "default", new Fields("word"), declared, List.of(9, 8, 7), conf, null);
    }

    private static WorkerTopologyContext context() {
        return new WorkerTopologyContext(new StormTopology(Map.of(), Map.of(), Map.of()), Utils.readDefaultConfig(),
            Map.of(SOURCE, "words", OTHER_SOURCE, "words"), Map.of("words", List.of(SOURCE, OTHER_SOURCE)), Map.of(), "test-1", null, null,
            PORT, List.of(SOURCE), Map.of(), Map.of(), new AtomicReference<>(Map.of()), "here", new AtomicReference<>(Map.of()));
    }

    private void refresh(LoadAwareCustomStreamGrouping grouping) {
        for (int refresh = 0; refresh < REFRESHES; refresh++) {
            grouping.refreshLoad(loads);
        }
    }

    /** How often each task is chosen. */
    private static Map<Integer, Integer> counts(LoadAwareCustomStreamGrouping by, int tuples) {
        Map<Integer, Integer> counts = new TreeMap<>();
        for (int tuple = 0; tuple < tuples; tuple++) {
            by.chooseTasks(SOURCE, List.of("word")).forEach(task -> counts.merge(task, 1, Integer::sum));
        }
        return counts;
    }

    /** To a twelfth of {@link #MANY}: a round may end in the middle. */
    private static Map<Integer, Integer> rounded(Map<Integer, Integer> counts) {
        int to = MANY / 12;
        Map<Integer, Integer> rounded = new TreeMap<>();
        counts.forEach((task, count) -> rounded.put(task, Math.round((float) count / to) * to));
        return rounded;
    }
}
