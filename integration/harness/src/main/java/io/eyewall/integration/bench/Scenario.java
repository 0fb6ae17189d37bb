package io.eyewall.integration.bench;

import io.eyewall.integration.bench.data.Measurement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A topology of the examples under a fixed configuration.
 *
 * @param name the name on the command line: topology, {@code ack} or {@code noack}, workers; or {@code tail}, the technique and the cause
 *     of the tail; or {@code transport} and the load; or {@code engine} and its executors; or {@code stream-manager} or {@code peers} and
 *     one of the first
 * @param topology its name in the examples' jar
 * @param workers worker processes
 * @param ratePerSec tuples per second that are due in the whole topology; 0 for full speed
 * @param settings further configuration keys
 * @param latency which latency the tables show
 * @param slowdown what slows one of the workers down
 */
record Scenario(String name, String topology, int workers, long ratePerSec, Map<String, Object> settings, LatencyKind latency,
    WorkerSlowdown slowdown) {

    /** Well below the rate that either installation can process on two cores, since the chain shows latencies. */
    private static final long CHAIN_RATE_PER_SEC = 20_000;
    private static final int MAX_SPOUT_PENDING = 1000;
    private static final String USES_REDIS = "yahoo-streaming";
    /** At full speed the latency of one message in so many is measured: reading the clock for each would cost as much as the engine. */
    static final int MEASURED_EVERY = 16;

    /** All scenarios, in the order of {@code --list}. */
    public static List<Scenario> all() {
        List<Scenario> all = new ArrayList<>();
        for (String topology : List.of("const-null", "const-id-null", "word-count", "chain")) {
            for (boolean acking : new boolean[] {true, false}) {
                for (int workers = 1; workers <= 2; workers++) {
                    all.add(of(topology, acking, workers));
                }
            }
        }
        List<Scenario> peers = PeerScenarios.of(all);
        all.addAll(EngineScenarios.all());
        all.addAll(TailScenarios.all());
        all.addAll(TransportScenarios.all());
        all.addAll(StreamManagerScenarios.all());
        all.addAll(peers);
        return List.copyOf(all);
    }

    /**
     * The scenarios that a name stands for: one, or all whose names begin with it, as {@code chain/ack}, or {@code all}, which leaves out
     * those that compare more than two sides.
     *
     * @throws IllegalArgumentException if there are none; the message says how to list the names
     */
    public static List<Scenario> named(String name) {
        List<Scenario> found = all().stream()
            .filter(scenario -> name.equals("all") ? !PeerScenarios.isOne(scenario) && !StreamManagerScenarios.isOne(scenario)
                : scenario.name.equals(name) || scenario.name.startsWith(name + "/"))
            .toList();
        if (found.isEmpty()) {
            throw new IllegalArgumentException("there is no scenario " + name + "; `storm bench --list` shows their names");
        }
        return found;
    }

    /** The scenario as files of measurements name it. */
    Measurement.Setting setting() {
        return new Measurement.Setting(name, String.valueOf(ratePerSec));
    }

    /** The same at another rate. */
    Scenario withRate(long tuplesPerSec) {
        return new Scenario(name, topology, workers, tuplesPerSec, settings, latency, slowdown);
    }

    /** The same with more settings. */
    Scenario with(Map<String, Object> more) {
        Map<String, Object> all = new LinkedHashMap<>(settings);
        all.putAll(more);
        return new Scenario(name, topology, workers, ratePerSec, all, latency, slowdown);
    }

    /** The same under another name. */
    Scenario withName(String other) {
        return new Scenario(other, topology, workers, ratePerSec, settings, latency, slowdown);
    }

    /** Whether the topology keeps its results in a Redis server, which the benchmark starts on this machine. */
    boolean usesRedis() {
        return topology.equals(USES_REDIS);
    }

    /** One message in so many has its latency measured. */
    int measuredEvery() {
        return ratePerSec == 0 ? MEASURED_EVERY : 1;
    }

    /** All of its topology configuration. */
    Map<String, Object> configuration() {
        Map<String, Object> all = new LinkedHashMap<>(settings);
        all.put("topology.workers", workers);
        all.put("eyewall.rate.per.sec", ratePerSec);
        if (ratePerSec == 0) {
            all.put("eyewall.latency.every", MEASURED_EVERY);
        }
        return all;
    }

    /** A topology of the engine's scenarios. */
    static Scenario of(String topology, boolean acking, int workers) {
        Map<String, Object> settings = acking
            ? Map.of("topology.acker.executors", 1, "topology.max.spout.pending", MAX_SPOUT_PENDING)
            : Map.of("topology.acker.executors", 0);
        String name = topology + (acking ? "/ack/" : "/noack/") + workers + "w";
        return new Scenario(name, topology, workers, topology.equals("chain") ? CHAIN_RATE_PER_SEC : 0, settings, LatencyKind.PROCESSED,
            WorkerSlowdown.NONE);
    }
}
