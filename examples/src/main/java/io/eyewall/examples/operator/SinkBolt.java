package io.eyewall.examples.operator;

import io.eyewall.examples.configuration.ExampleConfiguration;
import io.eyewall.examples.configuration.ExampleKeys;
import io.eyewall.examples.measuring.Clock;
import io.eyewall.examples.measuring.Measurements;
import io.eyewall.examples.measuring.SystemClock;
import io.eyewall.examples.measuring.TaskMeasurement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.utils.TupleUtils;

/**
 * The end of a stream: works, counts the first value of each message, measures the time since it was due, and acknowledges.
 *
 * <p>A discarding sink counts only when results are asked for, since the texts of an endless stream would fill the memory. With a
 * directory for results, {@link TopologyAssembly} lets Storm send a tick each second, upon which the counts are written.
 */
public final class SinkBolt extends BaseRichBolt {

    private final boolean countsAlways;
    private final boolean works;

    private transient OutputCollector collector;
    private transient Clock clock;
    private transient TaskMeasurement measurement;
    private transient Work work;
    /** Null when nothing is counted. */
    private transient Map<String, Count> counts;
    /** Null when no results are asked for. */
    private transient Path results;
    private transient TopologyContext task;

    private SinkBolt(boolean countsAlways, boolean works) {
        this.countsAlways = countsAlways;
        this.works = works;
    }

    /**
     * A sink that keeps counts.
     */
    public static SinkBolt counting() {
        return new SinkBolt(true, true);
    }

    /**
     * A sink that forgets what it saw.
     *
     * @param works whether the topology's cost per message is its cost
     */
    public static SinkBolt discarding(boolean works) {
        return new SinkBolt(false, works);
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
    }

    @Override
    public void prepare(Map<String, Object> topologyConfiguration, TopologyContext context, OutputCollector output) {
        ExampleConfiguration configuration = new ExampleConfiguration(topologyConfiguration);
        collector = output;
        clock = SystemClock.INSTANCE;
        task = context;
        work = new Work(configuration, context.getThisComponentId(), works, clock);
        measurement = Measurements.ofSink(configuration, context);
        results = configuration.text(ExampleKeys.RESULTS_DIR).map(Path::of).orElse(null);
        counts = countsAlways || results != null ? new HashMap<>() : null;
    }

    @Override
    public void execute(Tuple tuple) {
        if (results != null && TupleUtils.isTick(tuple)) {
            writeResults();
            collector.ack(tuple);
            return;
        }
        work.perform();
        if (counts != null) {
            count(tuple.getValue(0).toString());
        }
        measurement.received(clock.nanoTime() - tuple.getLong(tuple.size() - 1));
        collector.ack(tuple);
    }

    @Override
    public void cleanup() {
        measurement.close();
        if (results != null) {
            writeResults();
        }
    }

    private void count(String key) {
        Count count = counts.get(key);
        if (count == null) {
            count = new Count();
            counts.put(key, count);
        }
        count.value++;
    }

    private void writeResults() {
        Map<String, Long> copy = new HashMap<>();
        counts.forEach((key, count) -> copy.put(key, count.value));
        try {
            ResultFile.write(results, task.getThisComponentId(), task.getThisTaskId(), copy);
        } catch (IOException failure) {
            collector.reportError(failure);
        }
    }

    private static final class Count {
        private long value;
    }
}
