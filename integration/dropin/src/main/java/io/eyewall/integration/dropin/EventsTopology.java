package io.eyewall.integration.dropin;

import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.topology.TopologyBuilder;

/**
 * Emits slowly, so that events can be switched on while it runs, and writes the events that the event logger gets.
 */
final class EventsTopology {

    private EventsTopology() {
    }

    static StormTopology build(Config config) {
        config.setNumEventLoggers(1);
        config.registerEventLogger(WrittenEvents.class);
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new NumberSpout(100_000).withIntervalMs(20));
        builder.setBolt("record", new RecordingBolt(NumberSpout.FIELD)).shuffleGrouping("numbers");
        return builder.createTopology();
    }
}
