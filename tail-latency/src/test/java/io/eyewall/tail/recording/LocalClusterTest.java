package io.eyewall.tail.recording;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.core.QuickCluster;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.HdrHistogram.Histogram;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.junit.jupiter.api.Test;

/** Recording in a topology that runs in two workers, from the spout's due time to the spout's ack. */
class LocalClusterTest {

    private static final int SPOUTS = 2;
    private static final int BOLTS = 2;
    /** What the bolt in the middle takes for a tuple. */
    private static final long WORK_NS = 1_000_000;
    private static final long ENOUGH = 2_000;

    @Test
    void shouldRecordAtEveryPointWhenATopologyRunsInTwoWorkers() throws Exception {
        ObservedFeature.WORKERS.clear();
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("source", new Source(), SPOUTS);
        topology.setBolt("work", new Work(), BOLTS).shuffleGrouping("source");
        topology.setBolt("sink", new Sink(), BOLTS).shuffleGrouping("work");
        Config conf = new Config();
        conf.setNumWorkers(2);
        conf.setNumAckers(1);
        conf.setMaxSpoutPending(2);
        conf.put(Config.TOPOLOGY_DISABLE_LOADAWARE_MESSAGING, true);
        conf.put(LatencyRecordingConfiguration.RECORDING, "off");
        conf.put(ObservedFeature.RECORDING, "all");

        try (LocalCluster cluster = QuickCluster.of(2)) {
            cluster.submitTopology("observed", conf, topology.createTopology());
            await().atMost(Duration.ofMinutes(2)).until(() -> sum(MeasuringPoint.COMPLETE).getTotalCount() >= ENOUGH);
        }

        Set<MeasuringPoint> points = new HashSet<>();
        ObservedFeature.WORKERS.forEach(worker -> points.addAll(worker.points()));
        assertEquals(2, ObservedFeature.WORKERS.size());
        assertTrue(points.containsAll(EnumSet.complementOf(EnumSet.of(MeasuringPoint.OVERFLOW,
            MeasuringPoint.TO_STREAM_MANAGER, MeasuringPoint.BETWEEN_STREAM_MANAGERS, MeasuringPoint.IN_STREAM_MANAGER))),
            "recorded: " + points);
        for (MeasuringPoint point : MeasuringPoint.values()) {
            assertEquals(0, dropped(point), "dropped at " + point);
        }
        assertHopsExplainTheWay();
    }

    /** Every tuple goes two hops, of which shuffling sends half to the other worker: so the means of the parts add up to the whole. */
    private static void assertHopsExplainTheWay() {
        long endToEndNs = 0;
        long partsNs = 0;
        for (Recorded worker : ObservedFeature.WORKERS) {
            for (HopKey key : worker.keys()) {
                Histogram values = worker.of(key);
                long sumNs = (long) (values.getMean() * values.getTotalCount());
                if (key.point().isHop()) {
                    partsNs += sumNs;
                } else if (key.point() == MeasuringPoint.END_TO_END && key.component().equals("sink")) {
                    endToEndNs += sumNs;
                }
            }
        }
        Histogram work = ofComponent("work", MeasuringPoint.EXECUTE);
        assertTrue(work.getValueAtPercentile(1) >= WORK_NS, "executing takes at least what it is made to take");
        assertTrue(work.getMinValue() <= ofComponent("work", MeasuringPoint.END_TO_END).getMinValue());
        assertTrue(ofComponent("sink", MeasuringPoint.END_TO_END).getMinValue() >= WORK_NS, "the sink comes after the work");
        assertTrue(sum(MeasuringPoint.COMPLETE).getMinValue() >= WORK_NS);
        // No part of the way is choosing tasks. What execute does after its emit, be it only to wait for a processor, counts twice.
        double explained = partsNs / (double) endToEndNs;
        assertTrue(explained > 0.9 && explained < 1.5, "the parts add up to " + explained + " of the whole");
    }

    private static Histogram sum(MeasuringPoint point) {
        Histogram sum = new Histogram(3);
        ObservedFeature.WORKERS.forEach(worker -> sum.add(worker.of(point)));
        return sum;
    }

    private static Histogram ofComponent(String component, MeasuringPoint point) {
        Histogram sum = new Histogram(3);
        for (Recorded worker : ObservedFeature.WORKERS) {
            worker.keys().stream().filter(key -> key.component().equals(component) && key.point() == point)
                .forEach(key -> sum.add(worker.of(key)));
        }
        return sum;
    }

    private static long dropped(MeasuringPoint point) {
        return ObservedFeature.WORKERS.stream().mapToLong(worker -> worker.dropped(point)).sum();
    }

    /** Emits messages that are due now. */
    public static final class Source extends BaseRichSpout {

        private transient SpoutOutputCollector collector;
        private long emitted;

        @Override
        public void open(Map<String, Object> topologyConf, TopologyContext context, SpoutOutputCollector collector) {
            this.collector = collector;
        }

        @Override
        public void nextTuple() {
            collector.emit(List.of("word" + emitted % 10, System.nanoTime()), emitted++);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("word", "dueNs"));
        }
    }

    /** Works on each tuple for a while, then passes it on. */
    public static final class Work extends BaseRichBolt {

        private transient OutputCollector collector;

        @Override
        public void prepare(Map<String, Object> topologyConf, TopologyContext context, OutputCollector collector) {
            this.collector = collector;
        }

        @Override
        public void execute(Tuple input) {
            long sinceNs = System.nanoTime();
            while (System.nanoTime() - sinceNs < WORK_NS) {
                Thread.onSpinWait();
            }
            collector.emit(input, List.of(input.getString(0)));
            collector.ack(input);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("word"));
        }
    }

    /** Acks. */
    public static final class Sink extends BaseRichBolt {

        private transient OutputCollector collector;

        @Override
        public void prepare(Map<String, Object> topologyConf, TopologyContext context, OutputCollector collector) {
            this.collector = collector;
        }

        @Override
        public void execute(Tuple input) {
            collector.ack(input);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            // Emits nothing.
        }
    }
}
