package io.eyewall.integration.dropin;

import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.grouping.CustomStreamGrouping;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.task.WorkerTopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;

/** One spout, and for each grouping a bolt with four tasks, spread over two workers. */
final class GroupingsTopology {

    private static final String KEY = "key";
    private static final String DIRECT = "direct";
    private static final int TASKS = 4;
    private static final int KEYS = 20;

    private GroupingsTopology() {
    }

    static StormTopology build(Config config) {
        config.setNumWorkers(2);
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new KeyedSpout(400));
        builder.setBolt("all", bolt(), TASKS).allGrouping("numbers");
        builder.setBolt("custom", bolt(), TASKS).customGrouping("numbers", new Remainder());
        builder.setBolt("direct", bolt(), TASKS).directGrouping("numbers", DIRECT);
        builder.setBolt("fields", bolt(), TASKS).fieldsGrouping("numbers", new Fields(KEY));
        builder.setBolt("global", bolt(), TASKS).globalGrouping("numbers");
        builder.setBolt("none", bolt(), TASKS).noneGrouping("numbers");
        builder.setBolt("partial", bolt(), TASKS).partialKeyGrouping("numbers", new Fields(KEY));
        builder.setBolt("shuffle", bolt(), TASKS).shuffleGrouping("numbers");
        return builder.createTopology();
    }

    private static RecordingBolt bolt() {
        return new RecordingBolt(NumberSpout.FIELD, KEY);
    }

    /** Emits each number with a key, which is the same every other time, and once more directly to a task. */
    private static final class KeyedSpout extends NumberSpout {

        private static final long serialVersionUID = 1L;
        private transient List<Integer> directTargets;

        KeyedSpout(int count) {
            super(count);
        }

        @Override
        public void open(Map<String, Object> configuration, TopologyContext context, SpoutOutputCollector collector) {
            super.open(configuration, context, collector);
            directTargets = context.getComponentTasks(DIRECT);
        }

        @Override
        void emit(SpoutOutputCollector collector, int number) {
            Values values = new Values(number, KEY + (number % 2 == 0 ? 0 : number % KEYS));
            collector.emit(values, number);
            collector.emitDirect(directTargets.get(number % directTargets.size()), DIRECT, values);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields(FIELD, KEY));
            declarer.declareStream(DIRECT, true, new Fields(FIELD, KEY));
        }
    }

    /** The number's remainder chooses the task. */
    private static final class Remainder implements CustomStreamGrouping {

        private static final long serialVersionUID = 1L;
        private List<Integer> targets;

        @Override
        public void prepare(WorkerTopologyContext context, GlobalStreamId stream, List<Integer> targetTasks) {
            targets = targetTasks;
        }

        @Override
        public List<Integer> chooseTasks(int taskId, List<Object> values) {
            return List.of(targets.get((Integer) values.get(0) % targets.size()));
        }
    }
}
