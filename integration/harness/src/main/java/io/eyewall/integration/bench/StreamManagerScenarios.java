package io.eyewall.integration.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Stream managers beside workers. Workers have as many executors each as there are in a container, or one each, as instances have. The
 * loads are those of S. Kulkarni et al., Twitter Heron: Stream Processing at Scale, SIGMOD 2015, section 7, and two rates with one spout
 * and one bolt in two containers.
 */
final class StreamManagerScenarios {

    /** A spout, four counters and an acker; or a spout, a distributor, two counters, an aggregator and an acker. */
    static final int MAX_EXECUTORS = 6;

    private static final String STREAM_MANAGER = "stream-manager";
    private static final String PREFIX = STREAM_MANAGER + "/";
    private static final String MODE = "topology.worker.mode";
    private static final List<Long> RATES_PER_SEC = List.of(1_000L, 500_000L);
    /** Topologies and their settings. */
    private static final SortedMap<String, Map<String, Object>> TOPOLOGIES = new TreeMap<>(Map.of(
        "word-count", Map.of(), "rtac", Map.of("eyewall.parallelism.user-count", 2)));
    private static final Map<String, Object> ONE_EXECUTOR_EACH = Map.of("topology.workers", MAX_EXECUTORS);

    private StreamManagerScenarios() {
    }

    /** All of them, in the order of {@code --list}. */
    static List<Scenario> all() {
        List<Scenario> all = new ArrayList<>();
        for (Map.Entry<String, Map<String, Object>> topology : TOPOLOGIES.entrySet()) {
            for (boolean acking : new boolean[] {true, false}) {
                for (int workers : new int[] {1, 2, 3, 4}) {
                    Scenario scenario = Scenario.of(topology.getKey(), acking, workers).with(topology.getValue());
                    all.add(scenario.withName(PREFIX + scenario.name()));
                }
            }
        }
        for (long ratePerSec : RATES_PER_SEC) {
            all.add(Scenario.of("const-null", true, 2).withName(PREFIX + "rate/" + ratePerSec).withRate(ratePerSec));
        }
        return all;
    }

    static boolean isOne(Scenario scenario) {
        return scenario.name().startsWith(PREFIX);
    }

    /** Storm is asked for more workers than some topologies have executors: it starts no more than these. */
    static List<Side> sides() {
        return List.of(
            new Side('A', "upstream", Side.Installation.UPSTREAM, Map.of()),
            new Side('B', "upstream, apart", Side.Installation.UPSTREAM, ONE_EXECUTOR_EACH),
            new Side('C', "eyewall", Side.Installation.EYEWALL, Map.of()),
            new Side('D', "eyewall, apart", Side.Installation.EYEWALL, ONE_EXECUTOR_EACH),
            new Side('E', "stream managers", Side.Installation.EYEWALL, Map.of(MODE, STREAM_MANAGER)),
            new Side('F', "stream managers, shared memory", Side.Installation.EYEWALL,
                Map.of(MODE, STREAM_MANAGER, "topology.transfer.shared.memory", "auto")));
    }
}
