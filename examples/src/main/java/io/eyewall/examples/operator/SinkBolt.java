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
 * The end of a stream: works, processes the message, measures the time since it was due, and acks it. With a directory for results,
 * {@link TopologyAssembly} configures a tick tuple per second, on which the sink writes its results.
 */
public abstract class SinkBolt extends BaseRichBolt {

    private final boolean works;

    private transient OutputCollector collector;
    private transient SinkTask task;

    /**
     * A sink.
     *
     * @param works whether the topology's cost per message applies to it
     */
    protected SinkBolt(boolean works) {
        this.works = works;
    }

    /**
     * Creates the sink's state, on the task's thread.
     *
     * @param hasResults whether {@link #results} will be called
     */
    protected abstract void start(ExampleConfiguration configuration, boolean hasResults);

    /**
     * Processes one message.
     *
     * @throws IOException if it cannot be processed now; the message fails, and its spout emits it again
     */
    protected abstract void process(Tuple tuple) throws IOException;

    /**
     * The counts so far, by key.
     */
    protected abstract Map<String, Long> results();

    /**
     * Closes what {@link #start} opened.
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
            process(tuple);
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
