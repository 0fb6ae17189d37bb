package io.eyewall.integration.dropin;

import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.topology.TopologyBuilder;

/** Two thousand numbers from a source that can be replayed, over two workers, slowly enough for them to be killed on the way. */
final class ReplayTopology {

    private ReplayTopology() {
    }

    static StormTopology build(Config config) {
        config.setNumWorkers(2);
        config.setMessageTimeoutSecs(5);
        config.setMaxSpoutPending(50);
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new NumberSpout(2000).withIdleCalls(2));
        builder.setBolt("first", new RecordingBolt(NumberSpout.FIELD), 2).shuffleGrouping("numbers");
        builder.setBolt("second", new RecordingBolt(NumberSpout.FIELD), 2).shuffleGrouping("first");
        return builder.createTopology();
    }
}
