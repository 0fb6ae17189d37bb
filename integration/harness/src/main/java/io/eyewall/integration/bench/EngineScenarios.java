package io.eyewall.integration.bench;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** What the engine does with more executors than cores, in one worker. For comparing ways in which executors get the cores. */
final class EngineScenarios {

    private static final int OPERATORS = 8;
    private static final int PENDING = 1000;

    /** Light pipelines have this rate together. */
    private static final long LIGHT_RATE_PER_SEC = 4_000;
    /** A deadline is met if a light message is processed so soon after it is due, whether the engine knows of deadlines or not. */
    private static final long TARGET_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final String DEADLINES = "engine/deadlines/";
    private static final String BULK_SPOUTS = "bulk-";
    private static final int BULK_PENDING = 200;
    /** Some 20 us. */
    private static final int BULK_WORK_OPS = 20_000;
    private static final double BULK_WORK_SEC = 20e-6;
    /** How many cores the work of bulk messages with a rate takes, without what the engine takes. */
    private static final double BULK_CORES = 1.3;
    /** More than a burst has. */
    private static final int BURST_PENDING = 2_000;

    private EngineScenarios() {
    }

    /** All of them, in the order of {@code --list}. */
    static List<Scenario> all() {
        return Stream.concat(Stream.of(16, 40, 200).map(EngineScenarios::executors),
            Stream.of(deadlines("separate", "pipelines"), deadlines("shared", "shared-pipelines"),
                bursts("separate", "pipelines", 2), bursts("shared", "shared-pipelines", 1))).toList();
    }

    /** What the names of bulk spouts begin with, if the scenario has some. */
    static Optional<String> bulkSpouts(Scenario scenario) {
        return scenario.name().startsWith(DEADLINES) ? Optional.of(BULK_SPOUTS) : Optional.empty();
    }

    /** Within which time messages are to be processed, in nanoseconds, if the scenario says so. */
    static OptionalLong targetNs(Scenario scenario) {
        return scenario.name().startsWith(DEADLINES) ? OptionalLong.of(TARGET_NS) : OptionalLong.empty();
    }

    /** The same with bulk messages that arrive in bursts, whether or not those before them have been processed. */
    private static Scenario bursts(String operators, String topology, int workingOperators) {
        return deadlines("bursts/" + operators, topology).with(Map.of("topology.max.spout.pending", BURST_PENDING,
            "eyewall.pipelines.bulk.per.sec", Math.round(BULK_CORES / (workingOperators * BULK_WORK_SEC))));
    }

    /** Light pipelines, whose latency is measured, beside bulk ones that take all of the cores. */
    private static Scenario deadlines(String operators, String topology) {
        return new Scenario(DEADLINES + operators, topology, 1, LIGHT_RATE_PER_SEC,
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
