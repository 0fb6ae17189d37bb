package io.eyewall.integration.dropin;

import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.hooks.BaseTaskHook;
import org.apache.storm.hooks.info.BoltAckInfo;
import org.apache.storm.hooks.info.BoltExecuteInfo;
import org.apache.storm.hooks.info.BoltFailInfo;
import org.apache.storm.hooks.info.EmitInfo;
import org.apache.storm.hooks.info.SpoutAckInfo;
import org.apache.storm.hooks.info.SpoutFailInfo;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.utils.Utils;

/** A hook on every task through the configuration, and one more on a bolt through its context; the bolt fails the number 5 once. */
final class HooksTopology {

    private HooksTopology() {
    }

    static StormTopology build(Config config) {
        config.put(Config.TOPOLOGY_AUTO_TASK_HOOKS, List.of(AutomaticHook.class.getName()));
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new NumberSpout(20));
        builder.setBolt("hooked", new HookedBolt()).shuffleGrouping("numbers");
        return builder.createTopology();
    }

    /** Adds a hook of its own. */
    private static final class HookedBolt extends RecordingBolt {

        private static final long serialVersionUID = 1L;
        private transient OutputCollector collector;
        private transient boolean failed;

        HookedBolt() {
            super(NumberSpout.FIELD);
        }

        @Override
        public void prepare(Map<String, Object> configuration, TopologyContext context, OutputCollector outputCollector) {
            super.prepare(configuration, context, outputCollector);
            collector = outputCollector;
            context.addTaskHook(new OwnHook());
        }

        @Override
        public void execute(Tuple tuple) {
            if (tuple.getInteger(0) == 5 && !failed) {
                failed = true;
                collector.fail(tuple);
            } else {
                super.execute(tuple);
            }
        }
    }

    /** The hook that the configuration names. */
    public static final class AutomaticHook extends WrittenHook {

        @Override
        String name() {
            return "automatic";
        }
    }

    /** The hook that the bolt adds. */
    private static final class OwnHook extends WrittenHook {

        @Override
        String name() {
            return "own";
        }
    }

    /** Writes what happens to tuples of the default stream. */
    private abstract static class WrittenHook extends BaseTaskHook {

        private Output output;

        abstract String name();

        @Override
        public void prepare(Map<String, Object> configuration, TopologyContext context) {
            output = Output.of(configuration, name() + "-hook-" + context.getThisComponentId());
        }

        @Override
        public void emit(EmitInfo emit) {
            if (emit.stream.equals(Utils.DEFAULT_STREAM_ID)) {
                output.line("emit " + emit.values + " to " + emit.outTasks);
            }
        }

        @Override
        public void spoutAck(SpoutAckInfo ack) {
            output.line("spout ack " + ack.messageId);
        }

        @Override
        public void spoutFail(SpoutFailInfo fail) {
            output.line("spout fail " + fail.messageId);
        }

        @Override
        public void boltExecute(BoltExecuteInfo execute) {
            write("execute", execute.tuple);
        }

        @Override
        public void boltAck(BoltAckInfo ack) {
            write("ack", ack.tuple);
        }

        @Override
        public void boltFail(BoltFailInfo fail) {
            write("fail", fail.tuple);
        }

        private void write(String what, Tuple tuple) {
            if (tuple.getSourceStreamId().equals(Utils.DEFAULT_STREAM_ID)) {
                output.line(what + " " + tuple.getValues());
            }
        }
    }
}
