package io.eyewall.integration.bench;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What the engine does with more executors than cores, in one worker. For comparing ways in which executors get the cores. */
final class EngineScenarios {

    private static final int OPERATORS = 8;
    private static final int PENDING = 1000;

    /** Light pipelines have this rate together. */
    private static final long LIGHT_RATE_PER_SEC = 4_000;
    private static final int BULK_PENDING = 200;
    /** Some 20 us. */
    private static final int BULK_WORK_OPS = 20_000;

    private EngineScenarios() {
    }

    /** All of them, in the order of {@code --list}. */
    static List<Scenario> all() {
        return Stream.concat(Stream.of(16, 40, 200).map(EngineScenarios::executors),
            Stream.of(deadlines("separate", "pipelines"), deadlines("shared", "shared-pipelines"))).toList();
    }

    /** Light pipelines, whose latency is measured, beside bulk ones that take all of the cores. */
    private static Scenario deadlines(String operators, String topology) {
        return new Scenario("engine/deadlines/" + operators, topology, 1, LIGHT_RATE_PER_SEC,
            Map.of("topology.acker.executors", 1, "topology.max.spout.pending", BULK_PENDING, "eyewall.work.ops", BULK_WORK_OPS),
            LatencyKind.PROCESSED, WorkerSlowdown.NONE);
    }

    /** A chain with so many executors. As many messages are under way in each. */
    private static Scenario executors(int number) {
        int parallelism = number / OPERATORS;
        return new Scenario("engine/executors/" + number, "deep-chain", 1, 0,
            Map.of("topology.acker.executors", 1, "topology.max.spout.pending", PENDING / parallelism, "eyewall.parallelism", parallelism),
            LatencyKind.PROCESSED, WorkerSlowdown.NONE);
    }
}
