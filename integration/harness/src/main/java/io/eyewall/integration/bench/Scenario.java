package io.eyewall.integration.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A topology of the examples under a fixed configuration.
 *
 * @param name what the user calls it: topology, {@code ack} or {@code noack}, workers; or {@code tail} and what is hard about it
 * @param topology its name in the examples' jar
 * @param workers worker processes
 * @param ratePerSec tuples per second that are due in the whole topology; 0 for as many as it takes
 * @param settings further configuration keys
 */
public record Scenario(String name, String topology, int workers, long ratePerSec, Map<String, Object> settings) {

    /** Well below the saturation of either installation on two cores: the chain is about latency. */
    private static final long CHAIN_RATE_PER_SEC = 20_000;
    private static final int MAX_SPOUT_PENDING = 1000;

    private static final int TAIL_WORK_MS = 2;
    /** Nearly four fifths of what the slow one of five tasks can take with an equal share. */
    private static final long UNEVEN_RATE_PER_SEC = 630;
    private static final int UNEVEN_TASKS = 5;
    private static final int UNEVEN_SLOW_FACTOR = 3;
    /** Nearly four fifths of what four executors can take. */
    private static final long BUSY_RATE_PER_SEC = 1_500;
    private static final int BUSY_EXECUTORS = 4;

    private static final long STRAGGLING_RATE_PER_SEC = 500;
    private static final int STRAGGLING_TASKS = 20;
    private static final int STRAGGLING_FACTOR = 20;

    /** All scenarios, in the order of the table. */
    public static List<Scenario> all() {
        List<Scenario> all = new ArrayList<>();
        for (String topology : List.of("const-null", "word-count", "chain")) {
            for (boolean acking : new boolean[] {true, false}) {
                for (int workers = 1; workers <= 2; workers++) {
                    all.add(scenario(topology, acking, workers));
                }
            }
        }
        all.add(oneStraggler());
        all.add(unevenTasks());
        all.add(busyExecutors());
        return List.copyOf(all);
    }

    /**
     * The scenarios that a name stands for: {@code all}, one, or all below a part of the name, as {@code chain/ack}.
     *
     * @throws IllegalArgumentException with the list of names if there are none
     */
    public static List<Scenario> named(String name) {
        List<Scenario> found = all().stream()
            .filter(scenario -> name.equals("all") || scenario.name.equals(name) || scenario.name.startsWith(name + "/"))
            .toList();
        if (found.isEmpty()) {
            String names = String.join(", ", all().stream().map(Scenario::name).toList());
            throw new IllegalArgumentException("there is no scenario " + name + "; there are all, " + names);
        }
        return found;
    }

    /** The name, and the rate if there is one. */
    String title() {
        return ratePerSec == 0 ? name : String.format(Locale.ROOT, "%s at %,d/s", name, ratePerSec);
    }

    /** The same at another rate. */
    Scenario withRate(long tuplesPerSec) {
        return new Scenario(name, topology, workers, tuplesPerSec, settings);
    }

    /** Everything of it that is configuration. */
    Map<String, Object> configuration() {
        Map<String, Object> all = new LinkedHashMap<>(settings);
        all.put("topology.workers", workers);
        all.put("eyewall.rate.per.sec", ratePerSec);
        return all;
    }

    private static Scenario scenario(String topology, boolean acking, int workers) {
        Map<String, Object> settings = acking
            ? Map.of("topology.acker.executors", 1, "topology.max.spout.pending", MAX_SPOUT_PENDING)
            : Map.of("topology.acker.executors", 0);
        String name = topology + (acking ? "/ack/" : "/noack/") + workers + "w";
        return new Scenario(name, topology, workers, topology.equals("chain") ? CHAIN_RATE_PER_SEC : 0, settings);
    }

    /** The chain with one operator that has work, about 1 ms asleep, one of whose tasks takes twenty times as long. */
    private static Scenario oneStraggler() {
        Map<String, Object> settings = tailSettings();
        settings.put("eyewall.parallelism.stage-1", STRAGGLING_TASKS);
        settings.put("eyewall.work.ms.stage-1", 1);
        settings.put("eyewall.work.slow.factor.stage-1", STRAGGLING_FACTOR);
        return new Scenario("tail/adaptive-timeout", "chain", 1, STRAGGLING_RATE_PER_SEC, settings);
    }

    /** The chain with tasks that sleep for about 2 ms, the first one of each operator for three times as long. */
    private static Scenario unevenTasks() {
        Map<String, Object> settings = tailSettings();
        for (String operator : List.of("stage-1", "stage-2", "output")) {
            settings.put("eyewall.parallelism." + operator, UNEVEN_TASKS);
        }
        settings.put("eyewall.work.ms", TAIL_WORK_MS);
        settings.put("eyewall.work.slow.factor", UNEVEN_SLOW_FACTOR);
        return new Scenario("tail/balance/uneven", "chain", 1, UNEVEN_RATE_PER_SEC, settings);
    }

    /** The chain with one operator that has work, about 2 ms asleep, in four executors of one worker. */
    private static Scenario busyExecutors() {
        Map<String, Object> settings = tailSettings();
        settings.put("eyewall.parallelism.stage-1", BUSY_EXECUTORS);
        settings.put("eyewall.work.ms.stage-1", TAIL_WORK_MS);
        return new Scenario("tail/shared-queue", "chain", 1, BUSY_RATE_PER_SEC, settings);
    }

    private static Map<String, Object> tailSettings() {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("topology.acker.executors", 1);
        settings.put("topology.max.spout.pending", MAX_SPOUT_PENDING);
        settings.put("eyewall.work.varies", 1);
        return settings;
    }
}
