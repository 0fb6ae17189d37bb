package io.eyewall.integration.dropin;

import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/**
 * A topology with known latencies: the spout emits eleven tuples at once, whenever the previous eleven are acked, to a bolt in another
 * worker that takes 10 ms for each. The k-th of them, counted from 0, waits in the bolt's queue for 10 k ms, so the median is 50 ms.
 */
final class BurstsTopology {

    private static final int BURST = 11;
    private static final long EXECUTE_NS = 10_000_000;

    private BurstsTopology() {
    }

    static StormTopology build(Config config) {
        config.setNumWorkers(2);
        config.setNumAckers(1);
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("bursts", new BurstSpout());
        builder.setBolt("slow", new SlowBolt()).globalGrouping("bursts");
        return builder.createTopology();
    }

    /** Emits bursts. Each tuple holds the time since the first tuple of its burst was emitted. */
    private static final class BurstSpout extends BaseRichSpout {

        private static final long serialVersionUID = 1L;
        private transient SpoutOutputCollector collector;
        private transient int pending;

        @Override
        public void open(Map<String, Object> configuration, TopologyContext context, SpoutOutputCollector spoutCollector) {
            collector = spoutCollector;
        }

        @Override
        public void nextTuple() {
            if (pending == 0) {
                pending = BURST;
                long firstNs = System.nanoTime();
                collector.emit(new Values(0L), 0);
                for (int id = 1; id < BURST; id++) {
                    collector.emit(new Values(System.nanoTime() - firstNs), id);
                }
            }
        }

        @Override
        public void ack(Object id) {
            pending--;
        }

        @Override
        public void fail(Object id) {
            pending--;
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("afterFirstNs"));
        }
    }

    /**
     * Waits, and writes a line for each tuple except the last: how long the earlier tuples of the same burst have kept it from this one,
     * and how long this one took, both in nanoseconds.
     */
    private static final class SlowBolt extends BaseRichBolt {

        private static final long serialVersionUID = 1L;
        private transient OutputCollector collector;
        private transient Output output;
        private transient String line;
        private transient long burstNs;

        @Override
        public void prepare(Map<String, Object> configuration, TopologyContext context, OutputCollector outputCollector) {
            collector = outputCollector;
            output = Output.of(configuration, context);
        }

        @Override
        public void execute(Tuple tuple) {
            long startNs = System.nanoTime();
            if (line != null) {
                output.line(line);
            }
            long afterFirstNs = tuple.getLong(0);
            if (afterFirstNs == 0) {
                burstNs = startNs;
            }
            // It waits instead of computing, so that it is in time on a machine with few cores, too.
            for (long leftNs = EXECUTE_NS; leftNs > 0; leftNs = EXECUTE_NS - (System.nanoTime() - startNs)) {
                LockSupport.parkNanos(leftNs);
            }
            collector.ack(tuple);
            line = (startNs - burstNs - afterFirstNs) + " " + (System.nanoTime() - startNs);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            // It emits nothing.
        }
    }
}
