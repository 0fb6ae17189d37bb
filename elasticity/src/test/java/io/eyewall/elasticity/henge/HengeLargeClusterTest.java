package io.eyewall.elasticity.henge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.elasticity.model.Slot;
import io.eyewall.elasticity.slo.LatencyStatistic;
import io.eyewall.elasticity.slo.Slo;
import io.eyewall.elasticity.slo.SloMetric;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plans for 1,000 machines and 10,000 executors. The test bounds the work and prints the time, which it does not judge. */
class HengeLargeClusterTest {

    private static final int MACHINES = 1_000;
    private static final int EXECUTORS_PER_COMPONENT = 25;
    private static final int TOPOLOGIES = 100;
    private static final int EXECUTORS = TOPOLOGIES * 4 * EXECUTORS_PER_COMPONENT;

    @ParameterizedTest
    @ValueSource(ints = {0, TOPOLOGIES - 1})
    void shouldPlanWithBoundedWorkWhenManyTopologiesCannotBeHelped(int full) {
        SimulatedCluster cluster = new SimulatedCluster(1, 0);
        for (int i = 0; i < MACHINES; i++) {
            cluster.machine("m%04d".formatted(i), 4, 16);
        }
        for (int i = 0; i < TOPOLOGIES; i++) {
            List<Slot> slots = new ArrayList<>();
            for (int machine = 0; machine < MACHINES / TOPOLOGIES; machine++) {
                slots.add(new Slot("m%04d".formatted(i * MACHINES / TOPOLOGIES + machine), 6700));
            }
            // All miss their SLO. The full ones have as many executors as tasks, so that no step can help them.
            boolean isFull = i < full;
            Slo slo = Slo.of(Map.of(SloMetric.LATENCY_MS, 1.0), LatencyStatistic.MEAN, isFull ? 2 : 1, "knee");
            cluster.add(SimulatedTopology.linear("t%03d".formatted(i), slo, 2_000, 10)
                .on(slots, isFull ? SimulatedTopology.TASKS : EXECUTORS_PER_COMPONENT));
        }
        HengePlanner planner = new HengePlanner(HengeConfiguration.DEFAULT);
        HengeState state = planner.step(HengeState.START, cluster.observe(0)).state();
        Observation now = cluster.observe(HengeConfiguration.DEFAULT.settleMs());

        long startNs = System.nanoTime();
        HengeStep step = planner.step(state, now);
        System.out.printf(Locale.ROOT, "%d machines, %d executors: %d units of work in %.0f ms%n", MACHINES, EXECUTORS, step.work(),
            (System.nanoTime() - startNs) / 1e6);

        SortedMap<String, TopologyChange> changes = step.plan().orElseThrow().changes();
        assertEquals(TOPOLOGIES - full, changes.size(), "all that can be helped");
        assertEquals("t%03d".formatted(full), changes.firstKey());
        // Every topology, operator, executor and machine is looked at a small number of times.
        assertTrue(step.work() >= MACHINES, "work " + step.work());
        assertTrue(step.work() <= 3L * (MACHINES + TOPOLOGIES * 4L * SimulatedTopology.TASKS), "work " + step.work());
    }
}
