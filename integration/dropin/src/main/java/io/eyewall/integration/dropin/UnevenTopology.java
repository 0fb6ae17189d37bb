package io.eyewall.integration.dropin;

import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.utils.Utils;

/**
 * Emits numbers as fast as they are acked, over two workers and by shuffle groupings, to a bolt whose first task takes twenty times as long
 * as its others, and on to a second bolt.
 */
final class UnevenTopology {

    private static final int COUNT = 6_000;
    private static final int PENDING = 200;
    private static final int WORKERS = 2;
    private static final int UNEVEN_TASKS = 6;
    private static final int EVEN_TASKS = 4;

    private UnevenTopology() {
    }

    static StormTopology build(Config config) {
        config.setNumWorkers(WORKERS);
        config.setMaxSpoutPending(PENDING);
        config.setMessageTimeoutSecs(120);
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new NumberSpout(COUNT));
        builder.setBolt("uneven", new UnevenBolt(), UNEVEN_TASKS).shuffleGrouping("numbers");
        builder.setBolt("even", new RecordingBolt(NumberSpout.FIELD), EVEN_TASKS).localOrShuffleGrouping("uneven");
        return builder.createTopology();
    }

    /** Sleeps, its first task for longer than the others. Writes each number and the port of its worker. */
    private static final class UnevenBolt extends RecordingBolt {

        private static final long serialVersionUID = 1L;
        private static final int FAST_MS = 5;
        private static final int SLOW_MS = 100;

        private transient int workMs;
        private transient int port;

        UnevenBolt() {
            super(NumberSpout.FIELD);
        }

        @Override
        public void prepare(Map<String, Object> configuration, TopologyContext context, OutputCollector collector) {
            super.prepare(configuration, context, collector);
            workMs = context.getThisTaskIndex() == 0 ? SLOW_MS : FAST_MS;
            port = context.getThisWorkerPort();
        }

        @Override
        public void execute(Tuple tuple) {
            Utils.sleep(workMs);
            super.execute(tuple);
        }

        @Override
        String line(Tuple tuple) {
            return super.line(tuple) + " " + port;
        }
    }
}
