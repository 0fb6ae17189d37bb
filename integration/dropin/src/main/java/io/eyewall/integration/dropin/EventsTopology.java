package io.eyewall.integration.dropin;

import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.metric.IEventLogger;
import org.apache.storm.task.TopologyContext;
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
        builder.setSpout("numbers", new NumberSpout(100_000).withIdleCalls(20));
        builder.setBolt("record", new RecordingBolt(NumberSpout.FIELD)).shuffleGrouping("numbers");
        return builder.createTopology();
    }

    /** Writes where each event comes from, and its values. */
    public static final class WrittenEvents implements IEventLogger {

        private Output output;

        @Override
        public void prepare(Map<String, Object> configuration, Map<String, Object> arguments, TopologyContext context) {
            output = Output.of(configuration, context);
        }

        @Override
        public void log(EventInfo event) {
            output.line(event.getComponent() + " " + event.getTask() + " " + event.getValues());
        }

        @Override
        public void close() {
            // Nothing to flush.
        }
    }
}
