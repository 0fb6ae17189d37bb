package io.eyewall.integration.bench;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What the engine does with more executors than cores, in one worker. For comparing {@code topology.executor.threads}. */
final class EngineScenarios {

    private static final int OPERATORS = 8;
    private static final int PENDING = 1000;

    private EngineScenarios() {
    }

    /** All of them, in the order of {@code --list}. */
    static List<Scenario> all() {
        return Stream.of(16, 40, 200).map(EngineScenarios::executors).toList();
    }

    /** A chain with so many executors. As many messages are under way in each. */
    private static Scenario executors(int number) {
        int parallelism = number / OPERATORS;
        return new Scenario("engine/executors/" + number, "deep-chain", 1, 0,
            Map.of("topology.acker.executors", 1, "topology.max.spout.pending", PENDING / parallelism, "eyewall.parallelism", parallelism),
            LatencyKind.PROCESSED, WorkerSlowdown.NONE);
    }
}
