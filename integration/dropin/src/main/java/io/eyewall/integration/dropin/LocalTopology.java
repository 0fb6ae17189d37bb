package io.eyewall.integration.dropin;

import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/** Local-or-shuffle grouping over two workers: tuples stay in the worker of their spout. */
final class LocalTopology {

    private static final String PORT = "port";

    private LocalTopology() {
    }

    static StormTopology build(Config config) {
        config.setNumWorkers(2);
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new PortSpout(100), 2);
        builder.setBolt("local", new PortBolt(), 4).localOrShuffleGrouping("numbers");
        return builder.createTopology();
    }

    /** Emits its worker's port with each number. */
    private static final class PortSpout extends NumberSpout {

        private static final long serialVersionUID = 1L;
        private transient Integer port;

        PortSpout(int count) {
            super(count);
        }

        @Override
        public void open(Map<String, Object> configuration, TopologyContext context, SpoutOutputCollector collector) {
            super.open(configuration, context, collector);
            port = context.getThisWorkerPort();
        }

        @Override
        void emit(SpoutOutputCollector collector, int number) {
            collector.emit(new Values(number, port), number);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields(FIELD, PORT));
        }
    }

    /** Writes whether the tuple came from its own worker. */
    private static final class PortBolt extends RecordingBolt {

        private static final long serialVersionUID = 1L;
        private transient Integer port;

        PortBolt() {
            super(NumberSpout.FIELD, PORT);
        }

        @Override
        public void prepare(Map<String, Object> configuration, TopologyContext context, OutputCollector collector) {
            super.prepare(configuration, context, collector);
            port = context.getThisWorkerPort();
        }

        @Override
        String line(Tuple tuple) {
            return tuple.getInteger(0) + (port.equals(tuple.getIntegerByField(PORT)) ? " from this worker" : " from another worker");
        }
    }
}
