package io.eyewall.integration.dropin;

import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;

/** Three thousand numbers from a source that can be replayed, over two workers, slowly enough for them to be killed on the way. */
final class ReplayTopology {

    private ReplayTopology() {
    }

    static StormTopology build(Config config) {
        config.setNumWorkers(2);
        config.setMessageTimeoutSecs(5);
        config.setMaxSpoutPending(50);
        Fields number = new Fields(NumberSpout.FIELD);
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new NumberSpout(3000).withIntervalMs(10));
        builder.setBolt("first", new RecordingBolt(NumberSpout.FIELD), 2).fieldsGrouping("numbers", number);
        builder.setBolt("second", new RecordingBolt(NumberSpout.FIELD), 2).fieldsGrouping("first", number);
        return builder.createTopology();
    }
}
