package io.eyewall.elasticity.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.elasticity.measure.ClusterSnapshot;
import io.eyewall.elasticity.measure.Rates;
import io.eyewall.elasticity.measure.TopologyRates;
import io.eyewall.elasticity.model.ClusterState;
import io.eyewall.elasticity.model.Component;
import io.eyewall.elasticity.model.ExecutorId;
import io.eyewall.elasticity.model.Machine;
import io.eyewall.elasticity.model.PlacedTopology;
import io.eyewall.elasticity.model.Slot;
import io.eyewall.elasticity.model.TopologyGraph;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class StragglerPlannerTest {

    private static final String ID = "uneven";
    private static final String OPERATOR = "work";
    private static final double FACTOR = 2;
    private static final long PERIOD_MS = 300_000;

    private final StragglerPlanner planner = new StragglerPlanner();
    /** One executor of the operator for each task from 1 on. */
    private final Map<Integer, Slot> places = new HashMap<>(Map.of(1, slot(1, 0), 2, slot(2, 0), 3, slot(3, 0)));
    private final Map<Integer, Rates> rates = new HashMap<>(Map.of(1, rates(4, 0.04), 2, rates(400, 0.8), 3, rates(400, 0.7)));
    /** Executors of the acker, by task. */
    private final Map<Integer, Slot> others = new HashMap<>(Map.of(101, slot(1, 0), 102, slot(2, 0), 103, slot(3, 0)));
    private int machines = 3;
    private double cores = 2;

    @Test
    void shouldMoveAStragglerToTheLeastBusyMachineAfterAPeriod() {
        assertEquals(Optional.empty(), plan(1_000));
        assertEquals(Optional.empty(), plan(1_000 + PERIOD_MS - 1));

        ExecutorMove move = plan(1_000 + PERIOD_MS).orElseThrow();

        assertEquals(new ExecutorMove(executor(1), slot(1, 0), slot(3, 0), "executor work 1-1 takes 5.7 times as long per tuple as its"
            + " siblings (10.00 ms, siblings 1.75 ms) although it has had only 1.0 % of an equal share of the traffic for 300 s; m3:6700,"
            + " which is busy for 35 % of the time, has room"), move);
    }

    @Test
    void shouldStartOverWhenItHasCaughtUpInTheMeantime() {
        plan(0);
        rates.put(1, rates(40, 0.4));
        plan(PERIOD_MS / 2);
        rates.put(1, rates(4, 0.04));

        assertEquals(Optional.empty(), plan(PERIOD_MS));
        assertEquals(Optional.empty(), plan(2 * PERIOD_MS - 1));
        assertTrue(plan(2 * PERIOD_MS).isPresent());
    }

    @Test
    void shouldMoveOnlyOneInAPeriodWhenTwoAreSlow() {
        machines = 5;
        places.putAll(Map.of(4, slot(4, 0), 5, slot(5, 0)));
        others.putAll(Map.of(104, slot(4, 0), 105, slot(5, 0)));
        rates.putAll(Map.of(4, rates(4, 0.08), 5, rates(400, 0.8)));
        plan(0);

        assertEquals(executor(4), plan(PERIOD_MS).orElseThrow().executor(), "the slower one first");
        assertEquals(Optional.empty(), plan(PERIOD_MS + 1));
        assertEquals(Optional.empty(), plan(2 * PERIOD_MS), "slow for less than a period since the last move");
        assertTrue(plan(2 * PERIOD_MS + 1).isPresent());
    }

    @Test
    void shouldNotMoveASlowExecutorThatStillHasTraffic() {
        rates.put(1, rates(40, 0.4));

        assertNeverMoves();
    }

    @Test
    void shouldNotMoveAStarvedExecutorThatIsNotSlow() {
        rates.put(1, rates(4, 0.008));

        assertNeverMoves();
    }

    @Test
    void shouldNotMoveAnUnmeasuredExecutor() {
        rates.put(1, rates(0, 0));
        assertNeverMoves();
        rates.remove(1);
        assertNeverMoves();
    }

    @Test
    void shouldNotMoveAnExecutorWithoutSiblings() {
        places.keySet().retainAll(Set.of(1));
        rates.keySet().retainAll(Set.of(1));

        assertNeverMoves();
    }

    @Test
    void shouldNotMoveWhenNoMachineHasRoom() {
        cores = 1;

        assertNeverMoves();
    }

    @Test
    void shouldNotMoveToAMachineOnWhichAnotherExecutorIsSlow() {
        machines = 4;
        places.put(4, slot(4, 0));
        others.put(104, slot(4, 0));
        rates.put(4, rates(300, 0.4));
        rates.put(3, rates(50, 0.3));
        plan(0);

        assertEquals(slot(4, 0), plan(PERIOD_MS).orElseThrow().to(), "not to m3, where a tuple takes 6 ms, though it is less busy");
    }

    @Test
    void shouldTakeAFreeSlotWhenItIsAloneInItsOwn() {
        others.remove(101);
        plan(0);

        assertEquals(slot(3, 1), plan(PERIOD_MS).orElseThrow().to());
    }

    @Test
    void shouldForgetATopologyThatHasEnded() {
        plan(0);
        planner.retain(Set.of());

        assertEquals(Optional.empty(), plan(PERIOD_MS));
        assertThrows(IllegalArgumentException.class, () -> planner.plan(snapshot(), "unknown", Set.of(), FACTOR, PERIOD_MS, 0));
    }

    /** Checked on random clusters that change at random. */
    @Property(tries = 100, seed = "4")
    void shouldKeepTheInvariantsOfEveryMove(@ForAll Random random) {
        StragglerPlanner one = new StragglerPlanner();
        machines = 1 + random.nextInt(6);
        cores = 1 + random.nextInt(4);
        long nowMs = 0;
        long lastMs = -PERIOD_MS;
        for (int round = 0; round < 50; round++, nowMs += PERIOD_MS / 4) {
            if (round % 10 == 0) {
                scatter(random);
            }
            Optional<ExecutorMove> move = one.plan(snapshot(), ID, Set.of(OPERATOR), FACTOR, PERIOD_MS, nowMs);
            if (move.isPresent()) {
                assertTrue(nowMs - lastMs >= PERIOD_MS, "two moves in a period");
                lastMs = nowMs;
                assertGood(move.get());
                places.put(move.get().executor().firstTask(), move.get().to());
            }
        }
    }

    /** Random places and rates, where one executor in three is starved and often slow. */
    private void scatter(Random random) {
        places.clear();
        rates.clear();
        others.clear();
        for (int task = 1; task <= 1 + random.nextInt(6); task++) {
            places.put(task, slot(1 + random.nextInt(machines), random.nextInt(2)));
            boolean starved = random.nextInt(3) == 0;
            rates.put(task, starved ? rates(2, 0.001 * (1 + random.nextInt(40))) : rates(300 + random.nextInt(100), 0.5));
        }
        IntStream.range(0, random.nextInt(4)).forEach(i -> others.put(101 + i, slot(1 + random.nextInt(machines), random.nextInt(2))));
    }

    private void assertGood(ExecutorMove move) {
        int task = move.executor().firstTask();
        assertEquals(places.get(task), move.from());
        assertNotEquals(move.from().machine(), move.to().machine());
        double usual = rates.values().stream().filter(each -> each.executedPerSec() > 2).mapToDouble(Rates::executedPerSec).average()
            .orElseThrow();
        assertTrue(rates.get(task).executedPerSec() < 0.02 * usual, "the executor still had traffic");
        List<Slot> used = new ArrayList<>(places.values());
        used.addAll(others.values());
        boolean alone = used.stream().filter(move.from()::equals).count() == 1;
        assertEquals(alone, !used.contains(move.to()), "as many slots as before");
        assertFalse(move.reason().contains("\n"));
    }

    private void assertNeverMoves() {
        for (int period = 0; period < 3; period++) {
            assertEquals(Optional.empty(), plan(period * PERIOD_MS));
        }
    }

    private Optional<ExecutorMove> plan(long nowMs) {
        return planner.plan(snapshot(), ID, Set.of(OPERATOR), FACTOR, PERIOD_MS, nowMs);
    }

    private ClusterSnapshot snapshot() {
        TopologyGraph graph =
            new TopologyGraph(ID, List.of(new Component(OPERATOR, 1, 100), new Component("__acker", 101, 200)), List.of());
        Map<ExecutorId, Slot> placement = new HashMap<>();
        places.forEach((task, slot) -> placement.put(executor(task), slot));
        others.forEach((task, slot) -> placement.put(executor(task), slot));
        Map<ExecutorId, Rates> measured = new HashMap<>();
        rates.forEach((task, each) -> measured.put(executor(task), each));
        List<Machine> known = IntStream.rangeClosed(1, machines).mapToObj(i -> new Machine("m" + i, List.of(6700, 6701), cores)).toList();
        return new ClusterSnapshot(new ClusterState(known, List.of(PlacedTopology.of(graph, placement))),
            Map.of(ID, new TopologyRates(Rates.ZERO, Map.of(), measured, Map.of(), Map.of(), 0)));
    }

    private static ExecutorId executor(int task) {
        return new ExecutorId(ID, task, task);
    }

    private static Slot slot(int machine, int port) {
        return new Slot("m" + machine, 6700 + port);
    }

    private static Rates rates(double executedPerSec, double busy) {
        return new Rates(executedPerSec, executedPerSec, 0, busy, 0);
    }
}
