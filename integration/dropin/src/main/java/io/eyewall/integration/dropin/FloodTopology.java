package io.eyewall.integration.dropin;

import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.Utils;

/**
 * Emits numbers without end, as fast as back-pressure allows, to bolts that are slower than their spouts, in two workers: numbers -&gt;
 * slow and units -&gt; pooled by local-or-shuffle groupings, keys -&gt; relay -&gt; keyed by fields groupings. Executors of {@code pooled}
 * share a queue in each worker where that is possible. There are two tasks of each spout, one for each worker, and each of them emits all
 * numbers; without message ids if there are no ackers.
 */
final class FloodTopology {

    private static final String ORIGIN = "origin";
    /** The time that each bolt except {@code relay} takes for a tuple, in milliseconds. */
    private static final int WORK_MS = 2;
    private static final int SPOUTS = 2;
    private static final int RELAYS = 2;
    private static final int RELAY_TASKS = 4;
    private static final int SLOW = 4;
    private static final int SLOW_TASKS = 8;

    private FloodTopology() {
    }

    static StormTopology build(Config config) {
        config.setNumWorkers(2);
        boolean acks = ObjectReader.getInt(Utils.readStormConfig().get(Config.TOPOLOGY_ACKER_EXECUTORS), 1) > 0;
        Fields number = new Fields(NumberSpout.FIELD);
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", acks ? new AckedFlood() : new Flood(), SPOUTS);
        builder.setBolt("slow", new FloodBolt(WORK_MS), SLOW).setNumTasks(SLOW_TASKS).localOrShuffleGrouping("numbers");
        builder.setSpout("units", acks ? new AckedFlood() : new Flood(), SPOUTS);
        builder.setBolt("pooled", new FloodBolt(WORK_MS), SLOW).setNumTasks(SLOW_TASKS)
            .addConfiguration("topology.executor.queue", "shared").localOrShuffleGrouping("units");
        builder.setSpout("keys", acks ? new AckedFlood() : new Flood(), SPOUTS);
        builder.setBolt("relay", new FloodBolt(0), RELAYS).setNumTasks(RELAY_TASKS).fieldsGrouping("keys", number);
        builder.setBolt("keyed", new FloodBolt(WORK_MS), SLOW).setNumTasks(SLOW_TASKS)
            .fieldsGrouping("relay", new Fields(NumberSpout.FIELD, ORIGIN));
        return builder.createTopology();
    }

    /**
     * Emits numbers with its task's id, many at a time; writes {@code emit FIRST LAST} before that. A restarted task continues behind the
     * last number.
     */
    private static final class Flood extends BaseRichSpout {

        private static final long serialVersionUID = 1L;
        private static final int AT_ONCE = 32;
        private transient SpoutOutputCollector collector;
        private transient Output output;
        private transient int task;
        private transient int next;

        @Override
        public void open(Map<String, Object> configuration, TopologyContext context, SpoutOutputCollector spoutCollector) {
            collector = spoutCollector;
            output = Output.of(configuration, context);
            task = context.getThisTaskId();
            output.forEachEarlierLine(line -> next = 1 + Integer.parseInt(line.substring(line.lastIndexOf(' ') + 1)));
        }

        @Override
        public void nextTuple() {
            int end = next + AT_ONCE;
            output.line("emit " + next + " " + (end - 1));
            while (next < end) {
                collector.emit(new Values(next++, task));
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields(NumberSpout.FIELD, ORIGIN));
        }
    }

    /** Emits its task's id with each number, and repeats numbers that failed; writes {@code emit NUMBER} before each. */
    private static final class AckedFlood extends NumberSpout {

        private static final long serialVersionUID = 1L;
        private transient int task;

        AckedFlood() {
            super(Integer.MAX_VALUE);
            withAccount(true);
        }

        @Override
        public void open(Map<String, Object> configuration, TopologyContext context, SpoutOutputCollector collector) {
            super.open(configuration, context, collector);
            task = context.getThisTaskId();
        }

        @Override
        void emit(SpoutOutputCollector to, int number) {
            to.emit(new Values(number, task), number);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields(FIELD, ORIGIN));
        }
    }

    /**
     * Sleeps. Writes {@code NUMBER ORIGIN SENDER} for each tuple, where the last two are tasks, {@code open PORT} with its worker's port
     * when it is prepared, and {@code close} when it cleans up.
     */
    private static final class FloodBolt extends RecordingBolt {

        private static final long serialVersionUID = 1L;
        private final int workMs;

        FloodBolt(int workMs) {
            super(NumberSpout.FIELD, ORIGIN);
            this.workMs = workMs;
        }

        @Override
        public void prepare(Map<String, Object> configuration, TopologyContext context, OutputCollector collector) {
            super.prepare(configuration, context, collector);
            output().line("open " + context.getThisWorkerPort());
        }

        @Override
        public void execute(Tuple tuple) {
            if (workMs > 0) {
                Utils.sleep(workMs);
            }
            super.execute(tuple);
        }

        @Override
        String line(Tuple tuple) {
            return super.line(tuple) + " " + tuple.getSourceTask();
        }

        @Override
        public void cleanup() {
            output().line("close");
        }
    }
}
