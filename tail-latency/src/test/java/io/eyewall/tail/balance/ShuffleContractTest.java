package io.eyewall.tail.balance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.tail.auto.TestSwitch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.storm.daemon.GrouperFactory;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.grouping.LoadAwareCustomStreamGrouping;
import org.apache.storm.grouping.LoadMapping;
import org.apache.storm.grouping.ShuffleGrouping;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a shuffle grouping promises, upstream's and what stands in its place. */
class ShuffleContractTest {

    private static final List<Integer> TASKS = List.of(4, 7, 9, 12, 20);
    private static final int ROUNDS = 200;
    private static final int THREADS = 4;

    /** A grouping of each kind. */
    static Stream<LoadAwareCustomStreamGrouping> groupings() {
        List<Supplier<LoadAwareCustomStreamGrouping>> kinds = List.of(
            ShuffleContractTest::upstreams,
            () -> new WeightedShuffle(TASKS, 0.5, 3),
            () -> new WeightedShuffle(TASKS, 0.5, 3, TestSwitch.switched(TestSwitch.off()), upstreams()),
            () -> new WeightedShuffle(TASKS, 0.5, 3, TestSwitch.off(), upstreams()));
        return kinds.stream().map(Supplier::get);
    }

    @ParameterizedTest
    @MethodSource("groupings")
    void shouldChooseOneOfItsTasksForEveryTuple(LoadAwareCustomStreamGrouping grouping) {
        for (int i = 0; i < ROUNDS; i++) {
            List<Integer> chosen = grouping.chooseTasks(i, List.of(i));
            assertEquals(1, chosen.size());
            assertTrue(TASKS.contains(chosen.get(0)));
        }
    }

    @ParameterizedTest
    @MethodSource("groupings")
    void shouldGiveEachTaskAsManyWhileNothingIsKnown(LoadAwareCustomStreamGrouping grouping) {
        Map<Integer, Integer> chosen = new TreeMap<>();
        for (int i = 0; i < ROUNDS * TASKS.size(); i++) {
            chosen.merge(grouping.chooseTasks(1, List.of()).get(0), 1, Integer::sum);
        }

        TASKS.forEach(task -> assertEquals(ROUNDS, chosen.get(task), chosen::toString));
    }

    @ParameterizedTest
    @MethodSource("groupings")
    void shouldTakeTheLoadOfQueuesAtAnyTime(LoadAwareCustomStreamGrouping grouping) {
        LoadMapping load = new LoadMapping();
        load.setLocal(Map.of(4, 0.9, 7, 0.1));
        grouping.refreshLoad(load);

        shouldChooseOneOfItsTasksForEveryTuple(grouping);
    }

    @ParameterizedTest
    @MethodSource("groupings")
    void shouldChooseForSeveralThreadsAtATime(LoadAwareCustomStreamGrouping grouping) throws InterruptedException {
        Map<Integer, AtomicInteger> chosen = new ConcurrentHashMap<>();
        List<Thread> threads = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            threads.add(new Thread(() -> {
                for (int i = 0; i < ROUNDS * TASKS.size(); i++) {
                    chosen.computeIfAbsent(grouping.chooseTasks(1, List.of()).get(0), task -> new AtomicInteger()).incrementAndGet();
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }

        assertEquals(THREADS * ROUNDS * TASKS.size(), chosen.values().stream().mapToInt(AtomicInteger::get).sum());
        TASKS.forEach(task -> assertTrue(chosen.get(task).get() > THREADS * ROUNDS * 0.9, chosen::toString));
    }

    private static LoadAwareCustomStreamGrouping upstreams() {
        ShuffleGrouping shuffle = new ShuffleGrouping();
        shuffle.prepare(null, new GlobalStreamId("words", "default"), TASKS);
        return new GrouperFactory.BasicLoadAwareCustomStreamGrouping(shuffle);
    }
}
