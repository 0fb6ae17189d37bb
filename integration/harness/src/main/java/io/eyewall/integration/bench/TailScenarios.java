package io.eyewall.integration.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The scenarios of the techniques against the tail, with utilisations after G. Du, <i>New techniques to lower the tail latency in stream
 * processing systems</i>, University of Illinois, 2016, chapter 5. Most operators sleep instead of computing, so that a few cores
 * can stand in for the cluster of the thesis.
 */
final class TailScenarios {

    private static final int MAX_SPOUT_PENDING = 1000;

    /** A topology and those of its operators that work. */
    private record Operators(String topology, List<String> working, double reachingThem) {
    }

    private static final Operators CHAIN = new Operators("chain", List.of("stage-1"), 1);
    private static final Operators EXCLAMATION = new Operators("exclamation", List.of("exclaim-1", "exclaim-2"), 1);
    /** A filter in front of its operators lets four fifths through. */
    private static final Operators PAGE_LOAD = new Operators("page-load", List.of("join", "aggregate"), 0.8);
    private static final Operators PROCESSING = new Operators("processing", List.of("join-1", "join-2"), 1);

    private static final int STRAGGLING_TASKS = 20;
    private static final int STRAGGLING_FACTOR = 20;
    private static final long STRAGGLING_RATE_PER_SEC = 500;

    static final int WORK_MS = 2;
    static final int BUSY_EXECUTORS = 4;
    /** Nearly four fifths of the rate that four executors can process. */
    private static final double BUSY_RATE_PER_SEC = 1_500;
    private static final String UTILISATION = "tail/utilisation/";
    private static final List<Integer> UTILISATIONS_PERCENT = List.of(20, 40, 60, 80, 90, 95);

    private static final int UNEVEN_TASKS = 5;
    private static final int UNEVEN_FACTOR = 3;
    /** Nearly four fifths of the rate at which the slow one of five tasks can process an equal share. */
    private static final double UNEVEN_RATE_PER_SEC = 630;

    /** Two executors and a spout in each of two workers, each of which computes for two fifths of its core. */
    private static final int HOST_TASKS = 4;
    private static final int HOST_WORK_OPS = 200_000;
    private static final long HOST_RATE_PER_SEC = 700;

    private TailScenarios() {
    }

    /** All of them, in the order of {@code --list}. */
    static List<Scenario> all() {
        List<Scenario> all = new ArrayList<>();
        for (Operators operators : List.of(CHAIN, EXCLAMATION, PAGE_LOAD, PROCESSING)) {
            all.add(oneStraggler(operators));
        }
        for (Operators operators : List.of(CHAIN, PAGE_LOAD, PROCESSING)) {
            all.add(busyExecutors(operators));
        }
        UTILISATIONS_PERCENT.forEach(percent -> all.add(utilised(percent)));
        for (Operators operators : List.of(new Operators("chain", List.of("stage-1", "stage-2", "output"), 1), PAGE_LOAD, PROCESSING)) {
            all.add(unevenTasks(operators));
        }
        all.add(slowerWorker("competitor", WorkerSlowdown.COMPETITOR));
        all.add(slowerWorker("slow-host", WorkerSlowdown.SLOW_HOST));
        return all;
    }

    /** Whether a scenario is one of those that differ only in the utilisation of their executors. */
    static boolean isUtilised(Scenario scenario) {
        return scenario.name().startsWith(UTILISATION);
    }

    /** The rate at which these executors are busy for a hundredth of their time. */
    static double ratePerSecAtOnePercent() {
        return BUSY_EXECUTORS * 1000.0 / WORK_MS / 100;
    }

    /** Operators that sleep for about 1 ms, one of whose tasks takes twenty times as long. */
    private static Scenario oneStraggler(Operators operators) {
        Map<String, Object> settings = sleeping(operators, STRAGGLING_TASKS, 1);
        settings.put("eyewall.work.slow.factor", STRAGGLING_FACTOR);
        long ratePerSec = Math.round(STRAGGLING_RATE_PER_SEC / operators.reachingThem());
        return new Scenario("tail/adaptive-timeout/" + operators.topology(), operators.topology(), 1, ratePerSec, settings,
            LatencyKind.ACKED, WorkerSlowdown.NONE);
    }

    /** Operators that sleep for about 2 ms, in four executors of one worker. */
    private static Scenario busyExecutors(Operators operators) {
        long ratePerSec = Math.round(BUSY_RATE_PER_SEC / operators.reachingThem());
        return new Scenario("tail/shared-queue/" + operators.topology(), operators.topology(), 1, ratePerSec,
            sleeping(operators, BUSY_EXECUTORS, WORK_MS), LatencyKind.PROCESSED, WorkerSlowdown.NONE);
    }

    /**
     * The chain at a part of the rate that its executors can process, with messages that arrive at random (M/M/1 for each executor, or
     * M/M/4).
     */
    private static Scenario utilised(int percent) {
        Map<String, Object> settings = sleeping(CHAIN, BUSY_EXECUTORS, WORK_MS);
        settings.put("eyewall.rate.varies", 1);
        return new Scenario(UTILISATION + percent, "chain", 1, Math.round(percent * ratePerSecAtOnePercent()), settings,
            LatencyKind.PROCESSED, WorkerSlowdown.NONE);
    }

    /** Tasks that sleep for about 2 ms, the first one of each operator for three times as long. */
    private static Scenario unevenTasks(Operators operators) {
        Map<String, Object> settings = sleeping(operators, UNEVEN_TASKS, WORK_MS);
        settings.put("eyewall.work.slow.factor", UNEVEN_FACTOR);
        String name = "tail/balance/uneven" + (operators.topology().equals("chain") ? "" : "-" + operators.topology());
        return new Scenario(name, operators.topology(), 1, Math.round(UNEVEN_RATE_PER_SEC / operators.reachingThem()), settings,
            LatencyKind.PROCESSED, WorkerSlowdown.NONE);
    }

    /** The chain in two workers that compute, one of them slowed down. */
    private static Scenario slowerWorker(String name, WorkerSlowdown slowdown) {
        Map<String, Object> settings = settings();
        settings.put("eyewall.parallelism", HOST_TASKS);
        settings.put("eyewall.parallelism.spout", 2);
        settings.put("eyewall.work.ops", HOST_WORK_OPS);
        return new Scenario("tail/balance/" + name, "chain", 2, HOST_RATE_PER_SEC, settings, LatencyKind.PROCESSED, slowdown);
    }

    private static Map<String, Object> sleeping(Operators operators, int tasks, int workMs) {
        Map<String, Object> settings = settings();
        for (String operator : operators.working()) {
            settings.put("eyewall.parallelism." + operator, tasks);
            settings.put("eyewall.work.ms." + operator, workMs);
        }
        return settings;
    }

    private static Map<String, Object> settings() {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("topology.acker.executors", 1);
        settings.put("topology.max.spout.pending", MAX_SPOUT_PENDING);
        settings.put("eyewall.work.varies", 1);
        return settings;
    }
}
