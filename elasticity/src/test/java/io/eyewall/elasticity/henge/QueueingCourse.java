package io.eyewall.elasticity.henge;

import io.eyewall.elasticity.slo.LatencyStatistic;
import io.eyewall.elasticity.slo.Slo;
import io.eyewall.elasticity.slo.SloMetric;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A cluster with queues at which a planner looks every ten seconds, and what it did. Each step is applied at once. */
final class QueueingCourse {

    static final int LOOK_SECS = 10;

    /** A step, with the number of the search and the executors that its topologies had before. */
    record Taken(int secs, int search, HengePlan plan, Map<String, Integer> before) {

        /** Whether a topology has fewer executors after the step. */
        boolean takesFrom(String topologyId) {
            TopologyChange change = plan.changes().get(topologyId);
            return change != null && change.placement().size() < before.get(topologyId);
        }

        @Override
        public String toString() {
            return secs + " s: " + plan.action() + " of " + plan.changes().keySet() + ", " + plan.diagnosis();
        }
    }

    final QueueingCluster cluster;
    final List<Taken> steps = new ArrayList<>();
    final List<HengeEvent> events = new ArrayList<>();
    private final HengePlanner planner;
    private HengeState state = HengeState.START;

    QueueingCourse(QueueingCluster cluster, int settleSecs) {
        this.cluster = cluster;
        planner = new HengePlanner(configuration(settleSecs));
    }

    int secs() {
        return cluster.secs();
    }

    boolean isEnded() {
        return state.converged();
    }

    /** Looks again and again for some time. */
    QueueingCourse run(int forSecs) {
        for (int passed = 0; passed < forSecs; passed += LOOK_SECS) {
            look();
        }
        return this;
    }

    /** Looks until the search has ended, for some time at most. */
    QueueingCourse runUntilEnded(int mostSecs) {
        for (int passed = 0; passed < mostSecs && !isEnded(); passed += LOOK_SECS) {
            look();
        }
        return this;
    }

    private void look() {
        HengeStep step = planner.step(state, cluster.observe(LOOK_SECS));
        state = step.state();
        events.addAll(step.events());
        step.measuredAnew().forEach(cluster::restartWindow);
        step.plan().ifPresent(plan -> {
            Map<String, Integer> before = new TreeMap<>();
            plan.changes().keySet().forEach(id -> before.put(id, cluster.topologies.get(id).operators.length));
            steps.add(new Taken(secs(), searches(), plan, before));
            cluster.apply(plan);
        });
    }

    /** How many searches have begun. */
    int searches() {
        return (int) events.stream().filter(event -> event.kind() == HengeEvent.Kind.RECONVERGENCE).count();
    }

    /** How often each kind of step was taken. */
    Map<Action, Long> actions() {
        return steps.stream().collect(Collectors.groupingBy(taken -> taken.plan().action(), TreeMap::new, Collectors.counting()));
    }

    /** The mean utility that clients see from one second to another, in per cent of the most that there could be. */
    double percent(int fromSecs, int toSecs) {
        return 100 * cluster.meanUtility(fromSecs, toSecs) / cluster.maxUtility();
    }

    static Slo latency(double thresholdMs) {
        return Slo.of(Map.of(SloMetric.LATENCY_MS, thresholdMs), LatencyStatistic.MEAN, 35, "knee");
    }

    private static HengeConfiguration configuration(int settleSecs) {
        HengeConfiguration base = HengeConfiguration.DEFAULT;
        return new HengeConfiguration(base.goal(), base.congestion(), base.improvement(), base.fall(), base.highCpu(),
            base.reductionShare(), base.minimumShare(), base.othersBound(), base.loadChange(), 1_000L * settleSecs, 5_000L * settleSecs,
            base.remedies());
    }
}
