package io.eyewall.examples.operator;

import io.eyewall.examples.configuration.ExampleConfiguration;
import io.eyewall.examples.configuration.ExampleKeys;
import io.eyewall.examples.measuring.Clock;
import io.eyewall.examples.measuring.Measurements;
import io.eyewall.examples.measuring.SystemClock;
import io.eyewall.examples.measuring.TaskMeasurement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.utils.TupleUtils;

/**
 * What all sinks do around a message, whatever they count: cost, measuring, acknowledging, and results where they are asked for. Used by
 * the task's thread only.
 *
 * <p>With results, a message is acknowledged when its count has been written: what a worker that dies had counted and not written fails,
 * and comes again.
 */
public final class SinkTask {

    private final OutputCollector collector;
    private final Clock clock = SystemClock.INSTANCE;
    private final Work work;
    private final TaskMeasurement measurement;
    /** Null when no results are asked for. */
    private final ResultFile results;
    /** Counted, but not yet written. */
    private final List<Tuple> unwritten = new ArrayList<>();

    /**
     * Starts a sink's task, as it is prepared.
     *
     * @param works whether the topology's cost per message is its cost
     */
    public SinkTask(ExampleConfiguration configuration, TopologyContext context, OutputCollector collector, boolean works) {
        this.collector = collector;
        String component = context.getThisComponentId();
        work = Work.of(configuration, context, works);
        results = configuration.text(ExampleKeys.RESULTS_DIR)
            .map(directory -> new ResultFile(Path.of(directory), component, context.getThisTaskId(), clock.epochMs())).orElse(null);
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
     * Measures a message that was taken in, unless its spout says not to, and acknowledges it, at once or with the next results.
     */
    public void done(Tuple tuple) {
        long dueNs = tuple.getLong(tuple.size() - 1);
        if (dueNs == MessageSource.NOT_MEASURED) {
            measurement.received();
        } else {
            measurement.received(clock.nanoTime() - dueNs);
        }
        if (results == null) {
            collector.ack(tuple);
        } else {
            unwritten.add(tuple);
        }
    }

    /**
     * Replaces the results by newer ones, and acknowledges the messages that they count. When they cannot be written, says so in Storm's
     * user interface and tries again the next time.
     */
    public void write(Map<String, Long> counts) {
        try {
            results.write(counts);
            unwritten.forEach(collector::ack);
            unwritten.clear();
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
