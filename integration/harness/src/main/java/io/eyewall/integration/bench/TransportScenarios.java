package io.eyewall.integration.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The experiments of S. Kamburugamuve, K. Ramasamy, M. Swany and G. Fox, Low Latency Stream Processing: Twitter Heron with Infiniband and
 * Omni-Path, chapter 5, on two workers: their Topology A ({@code deep}: a spout and seven bolts in a row), Topology B ({@code shallow}:
 * spouts and twice as many bolts) and the Yahoo Streaming Benchmark. They are for comparing {@code storm.messaging.transport}:
 * tuples are shuffled over all tasks, even where a task of the same worker is free.
 */
final class TransportScenarios {

    private static final int WORKERS = 2;
    private static final int PARALLELISM = 2;
    private static final int MAX_PARALLELISM = 4;
    private static final List<String> SMALL = List.of("16B", "128B", "512B");
    private static final List<String> LARGE = List.of("16KB", "128KB", "512KB");
    /** How many messages of each spout task may be under way, small ones and large ones. */
    private static final int SMALL_UNDER_WAY = 100;
    private static final int LARGE_UNDER_WAY = 10;
    /** Well below the rate that one core can process, with all seven stages. */
    private static final long YAHOO_RATE_PER_SEC = 4_000;
    private static final int YAHOO_UNDER_WAY = 1_000;

    private TransportScenarios() {
    }

    /** All of them, in the order of {@code --list}. */
    static List<Scenario> all() {
        List<Scenario> all = new ArrayList<>();
        for (String size : SMALL) {
            all.add(deep(size, PARALLELISM, SMALL_UNDER_WAY, ""));
        }
        for (String size : LARGE) {
            all.add(deep(size, PARALLELISM, LARGE_UNDER_WAY, ""));
        }
        all.add(deep("128B", MAX_PARALLELISM, SMALL_UNDER_WAY, "/x4"));
        all.add(deep("128KB", MAX_PARALLELISM, LARGE_UNDER_WAY, "/x4"));
        all.add(deep("128KB", MAX_PARALLELISM, SMALL_UNDER_WAY, "/x4-100"));
        for (String size : SMALL) {
            all.add(shallow(size, SMALL_UNDER_WAY));
        }
        for (String size : LARGE) {
            all.add(shallow(size, LARGE_UNDER_WAY));
        }
        Map<String, Object> yahoo = settings(YAHOO_UNDER_WAY);
        yahoo.put("eyewall.parallelism", PARALLELISM);
        all.add(scenario("yahoo", "yahoo-streaming", YAHOO_RATE_PER_SEC, yahoo));
        return all;
    }

    private static Scenario deep(String size, int parallelism, int underWay, String suffix) {
        Map<String, Object> settings = settings(underWay);
        settings.put("eyewall.parallelism", parallelism);
        settings.put("eyewall.payload.bytes", bytes(size));
        return scenario("deep/" + size + suffix, "deep-chain", 0, settings);
    }

    private static Scenario shallow(String size, int underWay) {
        Map<String, Object> settings = settings(underWay);
        settings.put("eyewall.parallelism.spout", PARALLELISM);
        settings.put("eyewall.parallelism.output", 2 * PARALLELISM);
        settings.put("eyewall.payload.bytes", bytes(size));
        return scenario("shallow/" + size, "const-null", 0, settings);
    }

    private static Scenario scenario(String name, String topology, long ratePerSec, Map<String, Object> settings) {
        return new Scenario("transport/" + name, topology, WORKERS, ratePerSec, settings, LatencyKind.PROCESSED, WorkerSlowdown.NONE);
    }

    private static Map<String, Object> settings(int underWay) {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("topology.acker.executors", WORKERS);
        settings.put("topology.max.spout.pending", underWay);
        // Without this, most tuples would stay in their worker.
        settings.put("topology.disable.loadaware.messaging", true);
        return settings;
    }

    private static int bytes(String size) {
        return size.endsWith("KB") ? 1_024 * Integer.parseInt(size.replace("KB", "")) : Integer.parseInt(size.replace("B", ""));
    }
}
