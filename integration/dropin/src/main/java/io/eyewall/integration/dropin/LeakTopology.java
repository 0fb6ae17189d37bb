package io.eyewall.integration.dropin;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Tuple;

/**
 * Emits numbers over a bolt that keeps a megabyte for each while there is a file {@code go} in the topology's output directory, to a bolt
 * that writes them. The first bolt asks for 32 MB of heap, the second one for 64 MB. The spout emits no new number once there is a file
 * {@code stop}.
 */
final class LeakTopology {

    private static final int KEPT_BYTES = 1 << 20;
    private static final double LEAKING_MB = 32;
    private static final double WRITING_MB = 64;

    private LeakTopology() {
    }

    static StormTopology build(Config config) {
        config.setMessageTimeoutSecs(5);
        config.setMaxSpoutPending(50);
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new NumberSpout(Integer.MAX_VALUE).withIntervalMs(10).withAccount(true).withStop(true));
        builder.setBolt("leak", new LeakingBolt()).setMemoryLoad(LEAKING_MB).shuffleGrouping("numbers");
        builder.setBolt("sink", new RecordingBolt(NumberSpout.FIELD)).setMemoryLoad(WRITING_MB).shuffleGrouping("leak");
        return builder.createTopology();
    }

    /** Writes with each number how many megabytes it keeps. */
    private static final class LeakingBolt extends RecordingBolt {

        private static final long serialVersionUID = 1L;
        private transient Path go;
        private transient List<byte[]> kept;

        LeakingBolt() {
            super(NumberSpout.FIELD);
        }

        @Override
        public void prepare(Map<String, Object> configuration, TopologyContext context, OutputCollector collector) {
            super.prepare(configuration, context, collector);
            go = Output.directory(configuration).resolve("go");
            kept = new ArrayList<>();
        }

        @Override
        String line(Tuple tuple) {
            if (Files.exists(go)) {
                kept.add(new byte[KEPT_BYTES]);
            }
            return super.line(tuple) + " " + kept.size();
        }
    }
}
