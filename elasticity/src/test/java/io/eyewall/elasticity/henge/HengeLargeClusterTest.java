package io.eyewall.elasticity.henge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.elasticity.model.Slot;
import io.eyewall.elasticity.slo.LatencyStatistic;
import io.eyewall.elasticity.slo.Slo;
import io.eyewall.elasticity.slo.SloMetric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plans for 1,000 machines and at least 10,000 executors. The test bounds the work and prints the time, which it does not judge. */
class HengeLargeClusterTest {

    private static final int MACHINES = 1_000;
    private static final int EXECUTORS_PER_COMPONENT = 25;
    private static final int TOPOLOGIES = 100;
    private static final double BUSY = 0.95;

    private final SimulatedCluster cluster = new SimulatedCluster(1, 0);
    private final HengePlanner planner = new HengePlanner(HengeConfiguration.DEFAULT);
    private HengeState state = HengeState.START;

    @ParameterizedTest
    @ValueSource(ints = {0, TOPOLOGIES - 1})
    void shouldPlanWithBoundedWorkWhenManyTopologiesCannotBeHelped(int full) {
        build(full, TOPOLOGIES);
        look(cluster.observe(0));

        HengePlan plan = look(cluster.observe(HengeConfiguration.DEFAULT.settleMs())).plan().orElseThrow();

        assertEquals(TOPOLOGIES - full, plan.changes().size(), "all that can be helped");
        assertEquals("t%03d".formatted(full), plan.changes().firstKey());
    }

    @Test
    void shouldPlanAReversionOfAllTopologiesWithBoundedWork() {
        build(0, TOPOLOGIES);
        look(cluster.observe(0));
        cluster.apply(look(cluster.observe(HengeConfiguration.DEFAULT.settleMs())).plan().orElseThrow());
        look(cluster.observe(1_000));
        // The work doubles, so that the step seems to have done harm.
        cluster.topologies.values().forEach(topology -> Arrays.setAll(topology.workSecs, i -> 2 * topology.workSecs[i]));
        look(cluster.observe(HengeConfiguration.DEFAULT.settleMs()));

        HengePlan plan = look(cluster.observe(30_000)).plan().orElseThrow();

        assertEquals(Action.REVERSION, plan.action());
        assertEquals(TOPOLOGIES, plan.changes().size());
    }

    @Test
    void shouldPlanARelocationWithBoundedWork() {
        build(TOPOLOGIES, TOPOLOGIES);
        look(withLoad(cluster.observe(0), 0.1));

        HengePlan plan = look(withLoad(cluster.observe(HengeConfiguration.DEFAULT.settleMs()), 0.1)).plan().orElseThrow();

        assertEquals(Action.RELOCATION, plan.action());
        assertEquals(Set.of("t000"), plan.changes().keySet());
    }

    @Test
    void shouldPlanAReductionWithBoundedWork() {
        int needy = TOPOLOGIES / 2;
        build(needy, needy);
        look(withLoad(cluster.observe(0), BUSY));

        HengePlan plan = look(withLoad(cluster.observe(HengeConfiguration.DEFAULT.settleMs()), BUSY)).plan().orElseThrow();

        assertEquals(Action.REDUCTION, plan.action());
        assertEquals(TOPOLOGIES - needy, plan.changes().size(), "all that meet their SLO");
    }

    /** The first topologies miss their SLO. Of these, the full ones have as many executors as tasks, so that no more can help them. */
    private void build(int full, int needy) {
        for (int i = 0; i < MACHINES; i++) {
            cluster.machine("m%04d".formatted(i), 4, 16);
        }
        for (int i = 0; i < TOPOLOGIES; i++) {
            List<Slot> slots = new ArrayList<>();
            for (int machine = 0; machine < MACHINES / TOPOLOGIES; machine++) {
                slots.add(new Slot("m%04d".formatted(i * MACHINES / TOPOLOGIES + machine), 6700));
            }
            boolean isFull = i < full;
            boolean isNeedy = i < needy;
            Slo slo = Slo.of(Map.of(SloMetric.LATENCY_MS, isNeedy ? 20.0 : 60_000), LatencyStatistic.MEAN, isFull ? 2 : 1, "knee");
            cluster.add(SimulatedTopology.linear("t%03d".formatted(i), slo, isNeedy ? 2_000 : 10, 10)
                .on(slots, isFull ? SimulatedTopology.TASKS : EXECUTORS_PER_COMPONENT));
        }
    }

    /** The same observation with a high load on every other machine, and this one on the others. */
    private static Observation withLoad(Observation now, double others) {
        Map<String, Double> load = new HashMap<>();
        now.cpuLoad().keySet().forEach(id -> load.put(id, Integer.parseInt(id.substring(1)) % 2 == 0 ? BUSY : others));
        return new Observation(now.timeMs(), now.cluster(), now.statuses(), load, now.techniques());
    }

    private HengeStep look(Observation now) {
        long startNs = System.nanoTime();
        HengeStep step = planner.step(state, now);
        step.plan().ifPresent(plan -> System.out.printf(Locale.ROOT, "%d machines, %d executors: %s of %d topologies, %d units of work in"
            + " %.0f ms%n", MACHINES, executors(), plan.action(), plan.changes().size(), step.work(), (System.nanoTime() - startNs) / 1e6));
        // Every topology, operator, executor and machine is looked at a small number of times, more often if other kinds are tried first.
        int times = step.plan().filter(plan -> Set.of(Action.REDUCTION, Action.RELOCATION).contains(plan.action())).isPresent() ? 8 : 3;
        assertTrue(step.work() <= (long) times * (MACHINES + TOPOLOGIES * 4L * SimulatedTopology.TASKS), "work " + step.work());
        state = step.state();
        return step;
    }

    private int executors() {
        return cluster.topologies.values().stream().mapToInt(topology -> topology.operators.length).sum();
    }
}
