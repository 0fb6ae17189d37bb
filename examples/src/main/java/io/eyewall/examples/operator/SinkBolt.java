package io.eyewall.examples.operator;

import io.eyewall.examples.configuration.ExampleConfiguration;
import java.io.IOException;
import java.util.Map;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Tuple;

/**
 * The end of a stream: works, takes the message in, measures the time since it was due, and acknowledges. With a directory for results,
 * {@link TopologyAssembly} lets Storm send a tick each second, upon which they are written.
 */
public abstract class SinkBolt extends BaseRichBolt {

    private final boolean works;

    private transient OutputCollector collector;
    private transient SinkTask task;

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
     * @param hasResults whether anybody asks for {@link #results}
     */
    protected abstract void start(ExampleConfiguration configuration, boolean hasResults);

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
        task = new SinkTask(configuration, context, output, works);
        start(configuration, task.hasResults());
    }

    @Override
    public final void execute(Tuple tuple) {
        if (task.isTick(tuple)) {
            task.write(results());
            collector.ack(tuple);
            return;
        }
        task.work();
        try {
            take(tuple);
        } catch (IOException failure) {
            collector.reportError(failure);
            collector.fail(tuple);
            return;
        }
        task.done(tuple);
    }

    @Override
    public final void cleanup() {
        task.close(task.hasResults() ? results() : Map.of());
        stop();
    }
}
