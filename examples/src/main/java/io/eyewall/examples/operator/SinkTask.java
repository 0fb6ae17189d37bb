package io.eyewall.examples.operator;

import io.eyewall.examples.configuration.ExampleConfiguration;
import io.eyewall.examples.configuration.ExampleKeys;
import io.eyewall.examples.measuring.Clock;
import io.eyewall.examples.measuring.Measurements;
import io.eyewall.examples.measuring.SystemClock;
import io.eyewall.examples.measuring.TaskMeasurement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.utils.TupleUtils;

/**
 * What all sinks do around a message, whatever they count: cost, measuring, acknowledging, and results where they are asked for. Used by
 * the task's thread only.
 */
public final class SinkTask {

    private final OutputCollector collector;
    private final String component;
    private final int taskId;
    private final Clock clock = SystemClock.INSTANCE;
    private final Work work;
    private final TaskMeasurement measurement;
    /** Null when no results are asked for. */
    private final Path results;

    /**
     * Starts a sink's task, as it is prepared.
     *
     * @param works whether the topology's cost per message is its cost
     */
    public SinkTask(ExampleConfiguration configuration, TopologyContext context, OutputCollector collector, boolean works) {
        this.collector = collector;
        component = context.getThisComponentId();
        taskId = context.getThisTaskId();
        work = new Work(configuration, component, works, clock);
        results = configuration.text(ExampleKeys.RESULTS_DIR).map(Path::of).orElse(null);
        measurement = Measurements.ofSink(configuration, context);
    }

    /**
     * Whether results are asked for.
     */
    public boolean hasResults() {
        return results != null;
    }

    /**
     * Whether a tuple is no message but the time to {@link #write} results.
     */
    public boolean isTick(Tuple tuple) {
        return results != null && TupleUtils.isTick(tuple);
    }

    /**
     * Spends the cost of one message.
     */
    public void work() {
        work.perform();
    }

    /**
     * Measures a message that was taken in, and acknowledges it.
     */
    public void done(Tuple tuple) {
        measurement.received(clock.nanoTime() - tuple.getLong(tuple.size() - 1));
        collector.ack(tuple);
    }

    /**
     * Replaces the results by newer ones.
     */
    public void write(Map<String, Long> counts) {
        try {
            ResultFile.write(results, component, taskId, counts);
        } catch (IOException failure) {
            collector.reportError(failure);
        }
    }

    /**
     * Ends measuring, and writes the last results where they are asked for.
     */
    public void close(Map<String, Long> counts) {
        measurement.close();
        if (results != null) {
            write(counts);
        }
    }
}
