package io.eyewall.tail;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.Gauge;
import io.eyewall.client.seam.WorkerSeams;
import io.eyewall.core.QuickCluster;
import io.eyewall.tail.recording.LatencyRecordingConfiguration;
import io.eyewall.tail.recording.ObservedFeature;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.testing.TestWordCounter;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.Test;

/** The feature as its key switches it on and off. What it does in worker processes of their own is tested with those. */
class LatencyRecordingFeatureTest {

    private static final Duration DEADLINE = Duration.ofMinutes(2);

    @Test
    void shouldShowLatenciesInTheWorkersMetricsWhenSwitchedOn() throws Exception {
        run("all", () -> {
            await().atMost(DEADLINE).until(() -> gauge("count.-1.", "-latency-execute-count") > 0);
            await().atMost(DEADLINE).until(() -> gauge("count.-1.", "-latency-end-to-end-p99-ns") > 0);
            await().atMost(DEADLINE).until(() -> gauge("words.-1.", "-latency-complete-max-ns") > 0);
        });
        assertFalse(threads().contains("latency-endpoint"), "local mode opens no ports");
        await().atMost(DEADLINE).until(() -> !threads().contains("latency-reporter"));
    }

    @Test
    void shouldDoNothingWhenSwitchedOff() throws Exception {
        run("off", () -> {
            await().atMost(DEADLINE).until(() -> !ObservedFeature.METRICS.isEmpty());
            await().atMost(DEADLINE).until(() -> threads().stream().anyMatch(thread -> thread.contains("count-executor")));
            await().during(Duration.ofSeconds(3)).atMost(DEADLINE).until(() -> // Where it is on, gauges are there after a second.
                Collections.disjoint(threads(), Set.of("latency-reporter", "latency-clocks"))
                    && names().noneMatch(name -> name.endsWith("-p99-ns")));
            assertTrue(names().findAny().isPresent(), "the worker has metrics");
        });
    }

    @Test
    void shouldLetTheWorkerGoOnWithoutRecordingWhenAKeyOfTheHostIsWrong() {
        WorkerSeams.Builder untouched = null;
        assertDoesNotThrow(() ->
            new LatencyRecordingFeature().join(untouched, Map.of(LatencyRecordingConfiguration.RECORDING, "sometimes")));
    }

    private static void run(String recording, Runnable whileItRuns) throws Exception {
        ObservedFeature.METRICS.clear();
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("words", new AckedWords());
        topology.setBolt("count", new TestWordCounter()).fieldsGrouping("words", new Fields("word"));
        Config conf = new Config();
        conf.put(LatencyRecordingConfiguration.RECORDING, recording);
        conf.put(LatencyRecordingConfiguration.INTERVAL_SECS, 1);
        try (LocalCluster cluster = QuickCluster.of(1)) {
            cluster.submitTopology("words-" + recording, conf, topology.createTopology());
            whileItRuns.run();
        }
    }

    /** The value of the gauge whose name holds both parts, or -1. */
    private static long gauge(String componentAndTask, String figure) {
        for (StormMetricRegistry metrics : ObservedFeature.METRICS) {
            for (String name : metrics.getRegistry().getNames()) {
                if (name.contains(componentAndTask) && name.endsWith(figure)
                        && metrics.getRegistry().getMetrics().get(name) instanceof Gauge<?> gauge
                        && gauge.getValue() instanceof Long value) {
                    return value;
                }
            }
        }
        return -1;
    }

    private static Stream<String> names() {
        return ObservedFeature.METRICS.stream().flatMap(metrics -> metrics.getRegistry().getNames().stream());
    }

    private static Set<String> threads() {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).collect(Collectors.toSet());
    }

    /** Emits a word every few milliseconds, each to be acked. */
    private static final class AckedWords extends BaseRichSpout {
        private static final long serialVersionUID = 1;

        private transient SpoutOutputCollector collector;
        private long emitted;

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector spoutCollector) {
            collector = spoutCollector;
        }

        @Override
        public void nextTuple() {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            collector.emit(new Values("word"), emitted++);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("word"));
        }
    }
}
