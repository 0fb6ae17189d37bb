package io.eyewall.integration.dropin;

import java.util.Map;
import org.apache.storm.metric.IEventLogger;
import org.apache.storm.task.TopologyContext;

/** Writes where each event comes from, and its values. Not nested: Storm asks for event loggers by their canonical names. */
public final class WrittenEvents implements IEventLogger {

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
