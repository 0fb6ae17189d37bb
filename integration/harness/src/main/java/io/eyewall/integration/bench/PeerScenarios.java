package io.eyewall.integration.bench;

import java.util.List;
import java.util.Map;

/**
 * Workloads beside Apache Flink at full speed, or at a rate with {@code --rate}. Flink runs the same job whether or not Storm acks: it has
 * no acks, and processes each record exactly once by its checkpoints. It does not limit how many records are under way, so Storm's spouts
 * get a limit that is ten times as high as elsewhere.
 */
final class PeerScenarios {

    private static final String PREFIX = "peers/";
    private static final List<String> TOPOLOGIES = List.of("const-null", "word-count", "chain");
    private static final String PENDING = "topology.max.spout.pending";
    private static final int MAX_SPOUT_PENDING = 10_000;

    private PeerScenarios() {
    }

    /** Of the engine's scenarios those that Flink can run, in their order. */
    static List<Scenario> of(List<Scenario> engine) {
        return engine.stream().filter(scenario -> TOPOLOGIES.contains(scenario.topology()))
            .map(scenario -> scenario.withName(PREFIX + scenario.name()).withRate(0))
            .map(scenario -> scenario.settings().containsKey(PENDING) ? scenario.with(Map.of(PENDING, MAX_SPOUT_PENDING)) : scenario)
            .toList();
    }

    static boolean isOne(Scenario scenario) {
        return scenario.name().startsWith(PREFIX);
    }
}
