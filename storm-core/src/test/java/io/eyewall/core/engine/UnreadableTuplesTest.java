package io.eyewall.core.engine;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.codahale.metrics.MetricFilter;
import com.codahale.metrics.MetricRegistry;
import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.eyewall.client.engine.EngineConfiguration;
import io.eyewall.client.fuzz.LogLines;
import io.eyewall.core.QuickCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.metrics2.reporters.StormReporter;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two workers, and a part of what one sends cannot be deserialized in the other: each of these tuples is counted, and all others come. */
class UnreadableTuplesTest {

    private static final String GAUGE = "unreadable-tuples-letters-sealed";
    private static final int LETTERS = 50;
    private static final Queue<MetricRegistry> REGISTRIES = new ConcurrentLinkedQueue<>();
    private static final AtomicInteger OPEN = new AtomicInteger();

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldCountWhatCannotBeDeserializedInStormsMetrics(boolean frames) throws Exception {
        REGISTRIES.clear();
        OPEN.set(0);
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("letters", new Letters());
        topology.setBolt("readers", new Reader(), 2).allGrouping("letters", "open").allGrouping("letters", "sealed");
        Config conf = new Config();
        conf.setNumWorkers(2);
        conf.setNumAckers(0);
        conf.registerSerialization(Letter.class, Sealing.class);
        conf.put(EngineConfiguration.FRAMES, frames);
        conf.put(Config.TOPOLOGY_METRICS_REPORTERS, List.of(Map.of("class", Registered.class.getName())));

        try (LogLines lines = new LogLines(); LocalCluster cluster = QuickCluster.overNetty(2)) {
            cluster.submitTopology("letters", conf, topology.createTopology());
            await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
                assertEquals(2 * LETTERS, OPEN.get());
                assertEquals(LETTERS, dropped());
            });
            assertEquals(frames, lines.thatBegin("Tuples go in frames to the worker at") > 0);
            lines.assertLogged("Dropped a tuple of component letters on stream sealed, number 1 by now", "Check that all workers have");
        }
    }

    /** What the gauges of all workers say. */
    private static long dropped() {
        MetricFilter those = (name, metric) -> name.contains(".__system.") && name.endsWith(GAUGE);
        return REGISTRIES.stream().flatMap(registry -> registry.getGauges(those).values().stream())
            .mapToLong(gauge -> ((Number) gauge.getValue()).longValue()).sum();
    }

    /** A value that can be written and not read. */
    public static final class Letter {
    }

    /** Fails as a serializer does that another worker has in another version. */
    public static final class Sealing extends Serializer<Letter> {
        @Override
        public void write(Kryo kryo, Output output, Letter letter) {
            output.writeInt(7);
        }

        @Override
        public Letter read(Kryo kryo, Input input, Class<? extends Letter> type) {
            throw new IllegalStateException("sealed");
        }
    }

    /** Keeps the registries of the workers. */
    public static final class Registered implements StormReporter {

        @Override
        @SuppressWarnings("deprecation") // The other method would still need this one.
        public void prepare(MetricRegistry registry, Map<String, Object> topologyConf, Map<String, Object> reporterConf) {
            REGISTRIES.add(registry);
        }

        @Override
        public void start() {
            // The test reads.
        }

        @Override
        public void stop() {
            // Nothing was started.
        }

        @Override
        public void close() {
            // Nothing was opened.
        }
    }

    private static final class Letters extends BaseRichSpout {

        private static final long serialVersionUID = 1L;

        private transient SpoutOutputCollector collector;
        private int sent;

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector itsCollector) {
            collector = itsCollector;
        }

        @Override
        public void nextTuple() {
            if (sent < LETTERS) {
                sent++;
                collector.emit("sealed", List.of(new Letter()));
                collector.emit("open", List.of("letter"));
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declareStream("sealed", new Fields("letter"));
            declarer.declareStream("open", new Fields("letter"));
        }
    }

    private static final class Reader extends BaseBasicBolt {

        private static final long serialVersionUID = 1L;

        @Override
        public void execute(Tuple letter, BasicOutputCollector collector) {
            if (letter.getSourceStreamId().equals("open")) {
                OPEN.incrementAndGet();
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            // It emits nothing.
        }
    }
}
