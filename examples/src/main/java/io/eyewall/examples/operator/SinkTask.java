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
 * The part that all sinks share: the cost of a message, its measurement, its ack, and the file of results if there is one. For the task's
 * thread.
 *
 * <p>With results, a message is acked when its count has been written. If a worker dies, the messages that it had counted but not written
 * time out, and their spouts emit them again.
 */
public final class SinkTask {

    private final OutputCollector collector;
    private final Clock clock = SystemClock.INSTANCE;
    private final SimulatedWork work;
    private final TaskMeasurement measurement;
    /** Null if no results are to be written. */
    private final ResultFile results;
    /** The messages whose counts have not been written. */
    private final List<Tuple> unwritten = new ArrayList<>();

    /**
     * The task of a sink that is being prepared.
     *
     * @param works whether the topology's cost per message applies to it
     */
    public SinkTask(ExampleConfiguration configuration, TopologyContext context, OutputCollector collector, boolean works) {
        this.collector = collector;
        String component = context.getThisComponentId();
        work = SimulatedWork.of(configuration, context, works);
        results = configuration.text(ExampleKeys.RESULTS_DIR)
            .map(directory -> new ResultFile(Path.of(directory), component, context.getThisTaskId(), clock.epochMs())).orElse(null);
        measurement = Measurements.ofSink(configuration, context);
    }

    /**
     * Whether results are to be written.
     */
    public boolean hasResults() {
        return results != null;
    }

    /**
     * Whether a tuple is a tick, on which to {@link #write} the results, and not a message.
     */
    public boolean isTick(Tuple tuple) {
        return results != null && TupleUtils.isTick(tuple);
    }

    /**
     * Does the work of one message.
     */
    public void work() {
        work.perform();
    }

    /**
     * Measures a message that was processed, if its spout stamped it, and acks it, at once or with the next results.
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
     * Replaces the results, and acks the messages that they count. If the file cannot be written, reports that to Storm's user interface
     * and tries again on the next tick.
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
     * Ends the measurement, and writes the last results if they are to be written.
     */
    public void close(Map<String, Long> counts) {
        measurement.close();
        if (results != null) {
            write(counts);
        }
    }
}
