package io.eyewall.integration.dropin;

import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.utils.Utils;

/** Emits numbers at twice the rate that the one executor of a bolt can take, which has four tasks and is in one of two workers. */
final class CongestedTopology {

    private static final int COUNT = 2_000;
    private static final int TASKS = 4;

    private CongestedTopology() {
    }

    static StormTopology build(Config config) {
        config.setNumWorkers(2);
        config.setMaxSpoutPending(COUNT);
        config.setMessageTimeoutSecs(300);
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new NumberSpout(COUNT).withIntervalMs(SlowBolt.WORK_MS / 2));
        builder.setBolt("slow", new SlowBolt(), 1).setNumTasks(TASKS).shuffleGrouping("numbers");
        return builder.createTopology();
    }

    /** Sleeps. Writes each number and the port of its worker. */
    static final class SlowBolt extends RecordingBolt {

        private static final long serialVersionUID = 1L;
        private static final int WORK_MS = 20;

        private transient int port;

        SlowBolt() {
            super(NumberSpout.FIELD);
        }

        @Override
        public void prepare(Map<String, Object> configuration, TopologyContext context, OutputCollector collector) {
            super.prepare(configuration, context, collector);
            port = context.getThisWorkerPort();
        }

        @Override
        public void execute(Tuple tuple) {
            Utils.sleep(WORK_MS);
            super.execute(tuple);
        }

        @Override
        String line(Tuple tuple) {
            return super.line(tuple) + " " + port;
        }
    }
}
