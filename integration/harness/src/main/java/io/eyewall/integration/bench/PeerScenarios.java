package io.eyewall.integration.bench;

import java.util.List;

/**
 * Workloads beside Apache Flink at full speed, or at a rate with {@code --rate}. Flink runs the same job whether or not Storm acks: it has
 * no acks, and processes each record exactly once by its checkpoints.
 */
final class PeerScenarios {

    private static final String PREFIX = "peers/";
    private static final List<String> TOPOLOGIES = List.of("const-null", "word-count", "chain");

    private PeerScenarios() {
    }

    /** Of the engine's scenarios those that Flink can run, in their order. */
    static List<Scenario> of(List<Scenario> engine) {
        return engine.stream().filter(scenario -> TOPOLOGIES.contains(scenario.topology()))
            .map(scenario -> scenario.withName(PREFIX + scenario.name()).withRate(0)).toList();
    }

    static boolean isOne(Scenario scenario) {
        return scenario.name().startsWith(PREFIX);
    }
}
