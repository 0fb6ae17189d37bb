package io.eyewall.elasticity.plan;

import static io.eyewall.elasticity.plan.SnapshotBuilder.rates;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.elasticity.measure.ClusterSnapshot;
import io.eyewall.elasticity.measure.ExecutorCounters;
import io.eyewall.elasticity.measure.Input;
import io.eyewall.elasticity.measure.RateMeter;
import io.eyewall.elasticity.measure.TopologyRates;
import io.eyewall.elasticity.model.ExecutorId;
import io.eyewall.elasticity.model.PlacedTopology;
import io.eyewall.elasticity.plan.ScalingGoal.Direction;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** 1,000 machines and 10,000 executors of 100 operators. The test prints times and does not judge them. */
class LargeClusterTest {

    private static final int MACHINES = 1_000;
    private static final int OPERATORS = 100;
    private static final int EXECUTORS_PER_OPERATOR = 100;
    private static final int SPARE_MACHINES = 100;

    @ParameterizedTest
    @EnumSource
    void shouldPlanForALargeCluster(ScalingStrategy strategy) throws ScalingRefusedException {
        ScalingPlanner planner = ScalingPlanners.of(strategy, CongestionConfiguration.DEFAULT);
        SnapshotBuilder cluster = cluster();
        ClusterSnapshot snapshot = cluster.build();

        for (Direction direction : Direction.values()) {
            long startNs = System.nanoTime();
            ScalingPlan plan = planner.plan(snapshot, cluster.goal(direction, SPARE_MACHINES));
            System.out.printf(Locale.ROOT, "%s %s by %d of %d machines with %d executors: %d choices in %.0f ms%n", strategy, direction,
                SPARE_MACHINES, MACHINES, OPERATORS * EXECUTORS_PER_OPERATOR, plan.choices().size(), (System.nanoTime() - startNs) / 1e6);
            assertEquals(SPARE_MACHINES, plan.machines().size());
            assertTrue(plan.choices().size() >= SPARE_MACHINES, plan.choices()::toString);
        }
    }

    @Test
    void shouldMeasureALargeCluster() {
        PlacedTopology topology = cluster().topology();
        RateMeter statistics = new RateMeter();
        long startNs = System.nanoTime();
        for (int period = 0; period <= 20; period++) {
            long timeMs = period * 10_000L;
            long count = period * 1_000L;
            Map<Input, Long> executed = Map.of(new Input("any", "default"), count);
            for (ExecutorId executor : topology.placement().keySet()) {
                statistics.record(new ExecutorCounters(executor, timeMs, timeMs, Map.of("default", count), executed, count, 1));
            }
        }
        TopologyRates rates = statistics.rates(topology.graph(), topology.placement().keySet(), 200_000);
        System.out.printf(Locale.ROOT, "21 heartbeats of %d executors measured in %.0f ms%n", topology.placement().size(),
            (System.nanoTime() - startNs) / 1e6);

        assertEquals(0, rates.unmeasuredExecutors());
        assertEquals(EXECUTORS_PER_OPERATOR * 100, rates.operators().get("op00").emittedPerSec(), 1e-6);
    }

    /** Layers of ten operators, each fed by three of the layer above. Some operators receive more than they can process. */
    private static SnapshotBuilder cluster() {
        Random random = new Random(42);
        Map<Integer, Double> inputs = new HashMap<>();
        Map<Integer, Double> executed = new HashMap<>();
        SnapshotBuilder builder = new SnapshotBuilder("large");
        for (int i = 0; i < OPERATORS; i++) {
            if (i < 10) {
                inputs.put(i, 10_000.0);
            } else {
                for (int link = 0; link < 3; link++) {
                    int parent = (i / 10 - 1) * 10 + (i + link * 3) % 10;
                    builder.link("op%02d".formatted(parent), "op%02d".formatted(i), executed.get(parent) / 3);
                    inputs.merge(i, executed.get(parent) / 3, Double::sum);
                }
            }
            double done = i < 10 ? 10_000 : inputs.get(i) * Math.min(1, 0.6 + random.nextDouble());
            executed.put(i, done);
            builder.operator("op%02d".formatted(i), EXECUTORS_PER_OPERATOR, 2 * EXECUTORS_PER_OPERATOR,
                rates(inputs.get(i), done, done, i < 10 ? Double.NaN : done / inputs.get(i) * 0.8));
        }
        for (int i = 0; i < MACHINES; i++) {
            builder.host("m%04d".formatted(i), 2, 16);
        }
        for (int i = 0; i < SPARE_MACHINES; i++) {
            builder.machine("spare%03d".formatted(i), 4, 16);
        }
        return builder;
    }
}
