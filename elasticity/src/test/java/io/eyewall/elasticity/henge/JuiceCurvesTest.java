package io.eyewall.elasticity.henge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.elasticity.model.Slot;
import io.eyewall.elasticity.slo.LatencyStatistic;
import io.eyewall.elasticity.slo.Slo;
import io.eyewall.elasticity.slo.SloMetric;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Juice as an indicator of queues, and as one that does not depend on the input rate (Figures 3.1a and 3.1b of Xu's thesis), in the
 * simulation with queues. The curves are the files that the handbook plots.
 */
class JuiceCurvesTest {

    private static final int LOOK_SECS = 5;
    private static final double CORES = 16;

    private final QueueingCluster cluster = new QueueingCluster(1, 0);
    private final List<String> lines = new ArrayList<>();
    private final List<Double> juices = new ArrayList<>();
    private HengeState state = HengeState.START;

    @Test
    void shouldFallWhileAQueueGrowsAndComeBackToOneWhenItIsEmpty() throws IOException {
        // The filter takes 3 ms a tuple and gets 400 in a second: 67 more than its executor can process.
        add("page-load", 400, 0.5, 3, 0.5, 0.5, 0.5, 0.5);
        lines.add("second,juice,queued_tuples,executors_of_the_filter");
        double longest = 0;
        double least = 1;
        for (int secs = LOOK_SECS; secs <= 300; secs += LOOK_SECS) {
            double juice = look();
            double queued = cluster.queued("page-load", "filter");
            longest = Math.max(longest, queued);
            least = Math.min(least, juice);
            lines.add(String.format(Locale.ROOT, "%d,%.3f,%.0f,%d", secs, juice, queued, executors("page-load", "filter")));
        }

        assertTrue(longest > 1_000 && least < 0.9, "queue " + longest + ", juice " + least);
        assertEquals(1, juices.get(juices.size() - 1), 0.001);
        assertEquals(0, cluster.queued("page-load", "filter"), 1);
        CommittedFigures.assertSame("juice-queue.csv", lines);
    }

    @Test
    void shouldStayOneWhenTheInputTriplesAndTheOperatorsKeepUp() throws IOException {
        // At three times the input four of the five topologies still keep up; the filter of the first one gets 300 and processes 278.
        for (int i = 0; i < 5; i++) {
            add("page-load-" + i, 100, 0.5, i == 0 ? 3.6 : 1, 0.5, 0.5, 0.5, 0.5);
        }
        lines.add("second,juice,juice_of_another_topology,input_tuples_per_s,executors_of_the_filter");
        for (int secs = LOOK_SECS; secs <= 900; secs += LOOK_SECS) {
            if (secs == 300 + LOOK_SECS) {
                cluster.topologies.values().forEach(topology -> topology.inputPerSec *= 3);
            }
            double juice = look();
            double other = cluster.juice("page-load-1");
            assertEquals(1, other, 0.001, "at " + secs + " s");
            lines.add(String.format(Locale.ROOT, "%d,%.3f,%.3f,%.0f,%d", secs, juice, other,
                cluster.topologies.get("page-load-0").inputPerSec, executors("page-load-0", "filter")));
        }

        assertTrue(juices.stream().limit(60).allMatch(juice -> juice > 0.999), "before the input triples");
        assertTrue(juices.stream().anyMatch(juice -> juice < 0.95), "the filter falls behind");
        assertEquals(1, juices.get(juices.size() - 1), 0.001);
        CommittedFigures.assertSame("juice-input.csv", lines);
    }

    private void add(String id, double inputPerSec, double... workMs) {
        int number = cluster.machines.size();
        cluster.machine("m" + number, 2, CORES);
        Slo slo = Slo.of(Map.of(SloMetric.JUICE, 1.0), LatencyStatistic.MEAN, 35, "knee");
        cluster.add(SimulatedTopology.pageLoad(id, slo, inputPerSec, workMs).on(List.of(new Slot("m" + number, 6700)), 1));
    }

    /** Lets the planner look once, applies what it plans, and returns the juice of the first topology. */
    private double look() {
        HengeStep step = new HengePlanner(HengeConfiguration.DEFAULT).step(state, cluster.observe(LOOK_SECS));
        double juice = cluster.juice(cluster.topologies.firstKey());
        juices.add(juice);
        state = step.state();
        step.measuredAnew().forEach(cluster::restartWindow);
        step.plan().ifPresent(cluster::apply);
        return juice;
    }

    private int executors(String id, String operator) {
        SimulatedTopology topology = cluster.topologies.get(id);
        return TopologyChange.counts(topology.graph, topology.placed.placement()).get(operator);
    }
}
