package io.eyewall.core.seam;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.junit.jupiter.api.Test;

/**
 * Runs a topology in two workers of a local cluster and counts how often each seam is reached. An unwoven storm-client leaves every count
 * at zero; a seam that upstream moved leaves its own count wrong.
 */
class SeamsWovenTest {

    private static final long WORKERS = 2;
    private static final long SPOUTS = 2;
    private static final long BOLTS = 3;
    private static final long ACKERS = 1;
    /** Spouts, bolts and ackers once; the system bolt once in every worker. */
    private static final long EXECUTORS = SPOUTS + BOLTS + ACKERS + WORKERS;

    @Test
    void shouldReachEverySeamWhenATopologyRuns() throws Exception {
        CountingFeature.REACHED.clear();
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("words", new TestWordSpout(), SPOUTS);
        topology.setBolt("sink", new Sink(), BOLTS).fieldsGrouping("words", new Fields("word"));
        Config conf = new Config();
        conf.setNumWorkers((int) WORKERS);
        conf.setNumAckers((int) ACKERS);

        try (LocalCluster cluster = new LocalCluster.Builder().withSupervisors(1).withPortsPerSupervisor((int) WORKERS).build()) {
            cluster.submitTopology("seams", conf, topology.createTopology());
            await().atMost(Duration.ofMinutes(2)).until(() -> Sink.EXECUTED.sum() > 0
                && CountingFeature.reached("bolt-collector") == EXECUTORS - SPOUTS);
        }

        Map<String, Long> reached = new TreeMap<>();
        CountingFeature.REACHED.forEach((seam, count) -> reached.put(seam, count.sum()));
        reached.keySet().removeIf(seam -> seam.contains("__ack"));
        assertEquals(new TreeMap<>(Map.ofEntries(
            Map.entry("worker-lifetime (open)", WORKERS),
            Map.entry("worker-lifetime (close)", WORKERS),
            Map.entry("receive-queue", EXECUTORS),
            Map.entry("grouping of words, stream default", SPOUTS),
            Map.entry("task-object", EXECUTORS),
            Map.entry("executor (spout)", SPOUTS),
            Map.entry("executor (bolt)", EXECUTORS - SPOUTS),
            Map.entry("executor-loop", EXECUTORS),
            Map.entry("spout-collector", SPOUTS),
            Map.entry("bolt-collector", EXECUTORS - SPOUTS),
            Map.entry("worker-transfer", WORKERS))), reached);
    }

    /** Counts what it executes. */
    public static final class Sink extends BaseBasicBolt {

        static final LongAdder EXECUTED = new LongAdder();

        @Override
        public void execute(Tuple input, BasicOutputCollector collector) {
            EXECUTED.increment();
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            // Emits nothing.
        }
    }
}
