package io.eyewall.elasticity.henge;

import io.eyewall.elasticity.measure.TopologyRates;
import io.eyewall.elasticity.model.PlacedTopology;
import io.eyewall.elasticity.slo.Juice;
import io.eyewall.elasticity.slo.SloMetric;
import java.util.Optional;

/**
 * The tuples that wait in a topology before a step. While they leave, the latency is that of the time before the step, or longer.
 *
 * <p>Their number is the arrival rate times the latency (Little's law, in the order of arrival): all that wait came after the one
 * that leaves now. Example: a topology whose sinks process 100 tuples per second, half of its input, with a latency of 20 s, has
 * 100 / 0.5 * 20 = 4,000 of them. If it processes 200 per second after the step, they are gone after 20 s.
 *
 * @param tuples how many tuples wait, in tuples that its sinks process
 * @param throughputPerSec what its sinks process before the step, in tuples per second
 */
public record Backlog(double tuples, double throughputPerSec) {

    private static final double MS_PER_SEC = 1_000;

    /**
     * The backlog of a topology; empty if its latency is within its SLO, has no threshold or is unknown.
     *
     * @param leastMs a backlog that leaves within this time at the present throughput is none, in milliseconds
     */
    static Optional<Backlog> of(Observation now, PlacedTopology topology, double leastMs) {
        SloStatus status = now.statuses().get(topology.graph().id());
        Double threshold = status.slo().thresholds().get(SloMetric.LATENCY_MS);
        Double latencyMs = status.values().get(SloMetric.LATENCY_MS);
        if (threshold == null || latencyMs == null || latencyMs <= threshold) {
            return Optional.empty();
        }
        TopologyRates rates = now.rates(topology.graph().id());
        double throughput = now.cluster().throughputPerSec(topology.graph().id());
        double juice = Math.min(1, new Juice(topology.graph(), rates).ofTopology().orElse(1));
        return throughput > 0 && juice > 0 && latencyMs / juice > leastMs
            ? Optional.of(new Backlog(throughput / juice * latencyMs / MS_PER_SEC, throughput)) : Optional.empty();
    }

    /** Whether all that waited has left, at a throughput in tuples per second since the step. */
    boolean isWorkedOff(double sincePerSec, long sinceMs) {
        return sincePerSec * sinceMs / MS_PER_SEC >= tuples;
    }
}
