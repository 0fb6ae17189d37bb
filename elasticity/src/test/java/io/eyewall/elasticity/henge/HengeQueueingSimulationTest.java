package io.eyewall.elasticity.henge;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.elasticity.model.Slot;
import io.eyewall.elasticity.slo.LatencyStatistic;
import io.eyewall.elasticity.slo.Slo;
import io.eyewall.elasticity.slo.SloMetric;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The whole loop for 48 minutes of virtual time, with queues that fill and empty: six topologies start with one executor an operator. */
class HengeQueueingSimulationTest {

    private static final int SECS = 2_880;
    private static final int LOOK_SECS = 10;
    private static final int TOPOLOGIES = 6;
    private static final double NOISE = 0.02;

    @ParameterizedTest
    @CsvSource({"1, 16, 20", "3, 16, 60", "6, 8, 20", "8, 8, 60", "4, 4, 20", "7, 4, 60"})
    void shouldReachMoreUtilityThanWithoutStepsWhileQueuesFillAndEmpty(long seed, double cores, int settleSecs) {
        QueueingCluster cluster = cluster(seed, cores);
        QueueingCluster untouched = cluster(seed, cores);
        HengePlanner planner = new HengePlanner(configuration(settleSecs));
        HengeState state = HengeState.START;
        Map<Action, Integer> actions = new TreeMap<>();
        Set<String> tried = new HashSet<>();
        for (int secs = 0; secs < SECS; secs += LOOK_SECS) {
            untouched.observe(LOOK_SECS);
            HengeStep step = planner.step(state, cluster.observe(LOOK_SECS));
            state = step.state();
            step.measuredAnew().forEach(cluster::restartWindow);
            step.plan().ifPresent(plan -> {
                actions.merge(plan.action(), 1, Integer::sum);
                assertNew(plan, tried);
                cluster.apply(plan);
            });
        }
        System.out.printf(Locale.ROOT, "seed %d, %.0f cores, %d s: %s, mean utility %.1f %%, without steps %.1f %%%n", seed, cores,
            settleSecs, actions, 100 * cluster.meanUtility() / cluster.maxUtility(), 100 * untouched.meanUtility() / cluster.maxUtility());

        assertTrue(cluster.meanUtility() > untouched.meanUtility(), cluster.meanUtility() + " of " + cluster.maxUtility());
    }

    private static void assertNew(HengePlan plan, Set<String> tried) {
        if (plan.action() == Action.REDUCTION) {
            tried.clear();
        }
        if (plan.action() == Action.RECONFIGURATION) {
            plan.changes().forEach((id, change) -> assertTrue(tried.add(id + change.executors()),
                () -> id + " got the same executors twice: " + change.executors()));
        }
    }

    private static HengeConfiguration configuration(int settleSecs) {
        HengeConfiguration base = HengeConfiguration.DEFAULT;
        return new HengeConfiguration(base.goal(), base.congestion(), base.improvement(), base.fall(), base.highCpu(),
            base.reductionShare(), base.minimumShare(), base.othersBound(), base.loadChange(), 1_000L * settleSecs, 5_000L * settleSecs,
            base.remedies());
    }

    /** Two machines for each topology, on which it has one executor for each operator: too few from the start. */
    private static QueueingCluster cluster(long seed, double cores) {
        Random random = new Random(seed);
        QueueingCluster cluster = new QueueingCluster(seed, NOISE);
        for (int i = 0; i < 2 * TOPOLOGIES; i++) {
            cluster.machine("m%03d".formatted(i), 4, cores);
        }
        for (int i = 0; i < TOPOLOGIES; i++) {
            double inputPerSec = 300 + random.nextInt(400);
            double[] workMs = random.doubles(6, 0.5, 8).toArray();
            String id = "t%02d".formatted(i);
            SimulatedTopology topology = switch (i % 3) {
                case 0 -> SimulatedTopology.pageLoad(id, slo(i), inputPerSec, workMs);
                case 1 -> SimulatedTopology.linear(id, slo(i), inputPerSec, workMs);
                default -> SimulatedTopology.diamond(id, slo(i), inputPerSec, workMs);
            };
            cluster.add(topology.on(List.of(new Slot("m%03d".formatted(2 * i), 6700), new Slot("m%03d".formatted(2 * i + 1), 6700)), 1));
        }
        return cluster;
    }

    private static Slo slo(int number) {
        Map<SloMetric, Double> thresholds = switch (number % 4) {
            case 0 -> Map.of(SloMetric.JUICE, 1.0);
            case 1 -> Map.of(SloMetric.JUICE, 0.95, SloMetric.LATENCY_MS, 60.0);
            default -> Map.of(SloMetric.LATENCY_MS, 60.0);
        };
        return Slo.of(thresholds, LatencyStatistic.MEAN, 35, "knee");
    }
}
