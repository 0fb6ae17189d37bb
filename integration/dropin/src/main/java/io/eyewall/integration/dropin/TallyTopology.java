package io.eyewall.integration.dropin;

import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.state.KeyValueState;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseStatefulBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/** Counts numbers without end, in state that Redis keeps, by two tasks in two workers; each task writes its count for every number. */
final class TallyTopology {

    private TallyTopology() {
    }

    static StormTopology build(Config config) {
        StateTopology.keepInRedis(config);
        config.setNumWorkers(2);
        config.setMessageTimeoutSecs(30);
        config.setMaxSpoutPending(200);
        config.put(Config.TOPOLOGY_STATE_CHECKPOINT_INTERVAL, 500);
        Fields number = new Fields(NumberSpout.FIELD);
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new NumberSpout(Integer.MAX_VALUE).withIntervalMs(10));
        builder.setBolt("tally", new Tally(), 2).fieldsGrouping("numbers", number);
        builder.setBolt("after", new RecordingBolt(NumberSpout.FIELD), 2).fieldsGrouping("tally", number);
        return builder.createTopology();
    }

    /** Counts what it gets. */
    private static final class Tally extends BaseStatefulBolt<KeyValueState<String, Integer>> {

        private static final long serialVersionUID = 1L;
        private static final String COUNT = "count";
        private transient OutputCollector collector;
        private transient Output output;
        private transient KeyValueState<String, Integer> state;

        @Override
        public void prepare(Map<String, Object> configuration, TopologyContext context, OutputCollector outputCollector) {
            collector = outputCollector;
            output = Output.of(configuration, context);
        }

        @Override
        public void initState(KeyValueState<String, Integer> restored) {
            state = restored;
        }

        @Override
        public void execute(Tuple tuple) {
            int count = state.get(COUNT, 0) + 1;
            state.put(COUNT, count);
            output.line(String.valueOf(count));
            collector.emit(tuple, new Values(tuple.getInteger(0)));
            collector.ack(tuple);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields(NumberSpout.FIELD));
        }
    }
}
