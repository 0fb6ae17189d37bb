package io.eyewall.core.acking;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.engine.EngineConfiguration;
import io.eyewall.core.QuickCluster;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same topology with ledgers and with ackers, in two workers: the spout hears the same. */
class LedgerLocalClusterTest {

    private static final int TIMEOUT_SECS = 3;
    private static final int WORKERS = 2;

    @ParameterizedTest
    @ValueSource(strings = {"ledger", "acker"})
    void shouldAckWhatIsProcessedAndFailWhatIsFailedOrForgotten(String acking) throws Exception {
        Observed.forget();
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("numbers", new TreeTopology.Numbers(), 2);
        topology.setBolt("judge", new TreeTopology.Judge(), 2).shuffleGrouping("numbers");
        topology.setBolt("pair", new TreeTopology.Pair(), 2).fieldsGrouping("judge", new Fields("pair"));
        topology.setBolt("sink", new TreeTopology.Sink(), 2).shuffleGrouping("pair").directGrouping("numbers", "direct")
            .shuffleGrouping("judge", "unanchored");
        Config conf = new Config();
        conf.setNumWorkers(WORKERS);
        conf.setNumAckers(1);
        conf.setMessageTimeoutSecs(TIMEOUT_SECS);
        conf.put(Config.TOPOLOGY_ENABLE_MESSAGE_TIMEOUTS, true);
        conf.setMaxSpoutPending(50);
        conf.setStatsSampleRate(1.0);
        conf.put(EngineConfiguration.ACKING, acking);
        conf.put(Config.TOPOLOGY_AUTO_TASK_HOOKS, List.of(Observed.Hook.class.getName()));

        try (LocalCluster cluster = QuickCluster.of(WORKERS)) {
            cluster.submitTopology("trees", conf, topology.createTopology());
            await().atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> assertEquals(range(TreeTopology.MESSAGES), new TreeSet<>(Observed.ACKED)));
        }

        assertTrue(Observed.FAILED.containsAll(first(number -> TreeTopology.isFailed(number) || TreeTopology.isForgotten(number))),
            () -> "failed: " + new TreeSet<>(Observed.FAILED));
        assertEquals(Set.of(), Observed.acksWithout(Observed.PAIRED), "acked, but never in a pair");
        assertEquals(Observed.ACKED.size(), Observed.LATENCIES_MS.size(), "acks with a complete latency");
        assertTrue(Observed.LATENCIES_MS.stream().allMatch(ms -> ms >= 0 && ms <= 3_000L * TIMEOUT_SECS), Observed.LATENCIES_MS::toString);
        assertTrue(Observed.STREAMS.containsAll(Set.of("__ack_init", "__ack_ack", "__ack_fail")), () -> "streams: " + Observed.STREAMS);
    }

    private static Collection<String> first(IntPredicate numbers) {
        return IntStream.range(0, TreeTopology.PAIRED).filter(numbers).mapToObj(Integer::toString).toList();
    }

    private static Set<String> range(int end) {
        return IntStream.range(0, end).mapToObj(Integer::toString).collect(Collectors.toCollection(TreeSet::new));
    }
}
