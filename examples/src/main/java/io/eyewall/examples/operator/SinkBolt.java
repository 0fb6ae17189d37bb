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
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.utils.TupleUtils;

/**
 * The end of a stream: works, takes the message in, measures the time since it was due, and acknowledges. With a directory for results,
 * {@link TopologyAssembly} lets Storm send a tick each second, upon which they are written.
 */
public abstract class SinkBolt extends BaseRichBolt {

    private final boolean works;

    private transient OutputCollector collector;
    private transient Clock clock;
    private transient TaskMeasurement measurement;
    private transient Work work;
    /** Null when no results are asked for. */
    private transient Path results;
    private transient TopologyContext task;

    /**
     * A sink.
     *
     * @param works whether the topology's cost per message is its cost
     */
    protected SinkBolt(boolean works) {
        this.works = works;
    }

    /**
     * Makes the sink's own state, on the task's thread.
     *
     * @param results whether anybody asks for {@link #results}
     */
    protected abstract void start(ExampleConfiguration configuration, TopologyContext context, boolean results);

    /**
     * Takes one message in.
     *
     * @throws IOException when it could not, but may when the message comes again: the message fails
     */
    protected abstract void take(Tuple tuple) throws IOException;

    /**
     * What was counted so far, by key.
     */
    protected abstract Map<String, Long> results();

    /**
     * Lets go of what {@link #start} made.
     */
    protected void stop() {
    }

    @Override
    public final void declareOutputFields(OutputFieldsDeclarer declarer) {
    }

    @Override
    public final void prepare(Map<String, Object> topologyConfiguration, TopologyContext context, OutputCollector output) {
        ExampleConfiguration configuration = new ExampleConfiguration(topologyConfiguration);
        collector = output;
        clock = SystemClock.INSTANCE;
        task = context;
        work = new Work(configuration, context.getThisComponentId(), works, clock);
        results = configuration.text(ExampleKeys.RESULTS_DIR).map(Path::of).orElse(null);
        start(configuration, context, results != null);
        measurement = Measurements.ofSink(configuration, context);
    }

    @Override
    public final void execute(Tuple tuple) {
        if (results != null && TupleUtils.isTick(tuple)) {
            writeResults();
            collector.ack(tuple);
            return;
        }
        work.perform();
        try {
            take(tuple);
        } catch (IOException failure) {
            collector.reportError(failure);
            collector.fail(tuple);
            return;
        }
        measurement.received(clock.nanoTime() - tuple.getLong(tuple.size() - 1));
        collector.ack(tuple);
    }

    @Override
    public final void cleanup() {
        measurement.close();
        if (results != null) {
            writeResults();
        }
        stop();
    }

    private void writeResults() {
        try {
            ResultFile.write(results, task.getThisComponentId(), task.getThisTaskId(), results());
        } catch (IOException failure) {
            collector.reportError(failure);
        }
    }
}
