package io.eyewall.tail.balance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.tail.TestTuples;
import io.eyewall.tail.auto.BoltLoad;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.TupleImpl;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LatencySamplerTest {

    private static final int TASK = 5;

    private long nowNs = 1_000;
    private long readings;
    private final LatencySampler sampler = new LatencySampler(() -> {
        readings++;
        return nowNs;
    }, new SplittableRandom(1), () -> false);
    private final ExecutionFollower follower = sampler.follower();
    private final Queue<AddressedTuple> queue = new ArrayDeque<>();

    @BeforeEach
    void addExecutor() {
        sampler.add(List.of(TASK, TASK + 1));
    }

    @Test
    void shouldMeasureWaitAndExecutionTogether() {
        insert(TASK, "default");
        nowNs += 300;
        execute(200);

        assertEquals(Map.of(TASK, 500.0), endPeriod());
        assertEquals(Map.of(), endPeriod(), "nothing was executed since");
    }

    @Test
    void shouldMeasureNothingWhilePausedAndBeginAPeriodWhenResumed() {
        AddressedTuple executing = TestTuples.tuple(TASK, "default", "word");
        sampler.inserting(executing);
        follower.executing(TASK, (TupleImpl) executing.tuple);
        sampler.pause();
        follower.executed(TASK, (TupleImpl) executing.tuple); // So it goes on until the end of the next period.
        sampler.pause();
        for (int i = 0; i < 10_000; i++) {
            insert(TASK, "default");
            execute(100);
        }

        sampler.resume();
        insert(TASK, "default");
        nowNs += 300;
        execute(300);

        Map<Integer, Double> latenciesNs = new HashMap<>();
        assertEquals(new BoltLoad(1, 0.5), sampler.endPeriod(latenciesNs));
        assertEquals(Map.of(TASK, 600.0), latenciesNs);
        insert(TASK, "default");
        execute(100);
        assertEquals(Map.of(TASK, 100.0), endPeriod(), "the next tuple is followed, whatever came while it paused");
    }

    @Test
    void shouldReportTheMeanOfEachTask() {
        for (int i = 1; i <= 4; i++) {
            insert(i % 2 == 0 ? TASK : TASK + 1, "default");
            execute(100L * i);
        }

        assertEquals(Map.of(TASK, 300.0, TASK + 1, 200.0), endPeriod());
    }

    @Test
    void shouldReportOneMeanForAllTasksWhenExecutorsShareTheQueue() {
        LatencySampler shared = new LatencySampler(() -> nowNs, new SplittableRandom(1), () -> true);
        shared.add(List.of(1));
        shared.add(List.of(2));
        ExecutionFollower first = shared.follower();
        ExecutionFollower second = shared.follower();
        for (int i = 0; i < 2; i++) {
            AddressedTuple tuple = TestTuples.tuple(1, "default", "word");
            shared.inserting(tuple);
            ExecutionFollower follower = i == 0 ? second : first;
            follower.executing(i, (TupleImpl) tuple.tuple);
            nowNs += 100L * (i + 1);
            follower.executed(i, (TupleImpl) tuple.tuple);
        }

        Map<Integer, Double> latenciesNs = new HashMap<>();
        shared.endPeriod(latenciesNs);
        assertEquals(Map.of(1, 150.0, 2, 150.0), latenciesNs);
        shared.inserting(TestTuples.tuple(1, "default", "word"));
        nowNs += 700;
        shared.endPeriod(latenciesNs);
        assertEquals(Map.of(1, 700.0, 2, 700.0), latenciesNs);

        shared.remove(List.of(1));
        latenciesNs.clear();
        assertEquals(1, shared.endPeriod(latenciesNs).executors());
        assertEquals(Set.of(2), latenciesNs.keySet(), "the other one has left");
    }

    @Test
    void shouldReportForWhichPartOfItsTimeTheExecutorExecutes() {
        for (int i = 0; i < 100; i++) {
            insert(TASK, "default");
            nowNs += 700; // Waits for it.
            execute(300);
        }
        assertEquals(new BoltLoad(1, 0.3), sampler.endPeriod(new HashMap<>()));

        nowNs += 5_000;
        assertEquals(new BoltLoad(1, 0), sampler.endPeriod(new HashMap<>()), "nothing to do");
    }

    @Test
    void shouldReportTheMeanOfTheExecutorsThatMayShare() {
        sampler.add(List.of(TASK + 2));
        insert(TASK, "default");
        execute(600);
        nowNs += 400;

        assertEquals(new BoltLoad(2, 0.3), sampler.endPeriod(new HashMap<>()));
    }

    @Test
    void shouldTakeAnExecutorForBusyThatIsNotDoneInAWholePeriod() {
        insert(TASK, "default");
        endPeriod();
        nowNs += 5_000;

        assertEquals(new BoltLoad(1, 1), sampler.endPeriod(new HashMap<>()));
    }

    @Test
    void shouldLeaveTuplesOfTheSystemOut() {
        insert(TASK, "__tick");
        execute(100);

        assertEquals(Map.of(), endPeriod());
    }

    @Test
    void shouldCountATupleThatWaitsForLongerThanAPeriodWithItsWaitSoFar() {
        insert(TASK, "default");
        nowNs += 5_000;
        assertEquals(Map.of(TASK, 5_000.0), endPeriod());
        nowNs += 5_000;
        assertEquals(Map.of(TASK, 10_000.0), endPeriod());
        execute(1_000);
        assertEquals(Map.of(TASK, 11_000.0), endPeriod());
    }

    @Test
    void shouldNotCountATupleThatCameJustBeforeThePeriodEnded() {
        nowNs += 5_000;
        insert(TASK, "default");
        nowNs += 10;
        assertEquals(Map.of(), endPeriod());
        nowNs += 5_000;
        assertEquals(Map.of(TASK, 5_010.0), endPeriod());
    }

    @Test
    void shouldFollowAnotherOneWhenTheOneThatItFollowsNeverComes() {
        insert(TASK, "default");
        queue.clear();
        for (int period = 0; period < 10; period++) {
            nowNs += 5_000;
            assertEquals(Map.of(TASK, 5_000.0 * (period + 1)), endPeriod());
        }

        insert(TASK, "default");
        execute(100);

        assertEquals(Map.of(TASK, 100.0), endPeriod());
    }

    @Test
    void shouldReadTheClockForFewOfManyTuples() {
        executeMany(100_000);
        endPeriod();
        executeMany(1);
        readings = 0;
        executeMany(100_000);

        assertTrue(readings > 200 && readings < 2_000, "readings: " + readings);
    }

    @Test
    void shouldMeasureInTheMiddleOfABurstToo() {
        executeMany(1_000_000);
        endPeriod();
        // Bursts of 100, each tuple of 10 ns: the first waits for none, the last for 99 others.
        for (int burst = 0; burst < 10_000; burst++) {
            for (int i = 0; i < 100; i++) {
                insert(TASK, "default");
            }
            for (int i = 0; i < 100; i++) {
                execute(10);
            }
        }

        double mean = endPeriod().get(TASK);
        assertTrue(mean > 400 && mean < 600, "505 ns in the mean, measured " + mean);
    }

    private void executeMany(int number) {
        for (int i = 0; i < number; i++) {
            insert(TASK, "default");
            execute(10);
        }
    }

    private void insert(int task, String stream) {
        AddressedTuple tuple = TestTuples.tuple(task, stream, "word");
        queue.add(tuple);
        sampler.inserting(tuple);
    }

    private void execute(long ns) {
        AddressedTuple tuple = queue.remove();
        follower.executing(tuple.dest, (TupleImpl) tuple.tuple);
        nowNs += ns;
        follower.executed(tuple.dest, (TupleImpl) tuple.tuple);
    }

    private Map<Integer, Double> endPeriod() {
        Map<Integer, Double> latenciesNs = new HashMap<>();
        sampler.endPeriod(latenciesNs);
        return latenciesNs;
    }
}
