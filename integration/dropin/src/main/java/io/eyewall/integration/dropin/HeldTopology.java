package io.eyewall.integration.dropin;

import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.topology.TopologyBuilder;

/**
 * Emits numbers from one worker to a bolt in another worker, which has a short queue and takes twenty times as long for a number as the
 * spout. So the spout gets ahead only by the numbers that it emits before the bolt's worker holds it back.
 */
final class HeldTopology {

    private static final int QUEUE = 64;

    private HeldTopology() {
    }

    static StormTopology build(Config config) {
        config.setNumWorkers(2);
        config.setMessageTimeoutSecs(300);
        config.put(Config.TOPOLOGY_EXECUTOR_RECEIVE_BUFFER_SIZE, QUEUE);
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new NumberSpout(Integer.MAX_VALUE).withIntervalMs(1).withAccount(true));
        builder.setBolt("slow", new CongestedTopology.SlowBolt()).shuffleGrouping("numbers");
        return builder.createTopology();
    }
}
