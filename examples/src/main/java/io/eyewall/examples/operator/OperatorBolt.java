package io.eyewall.examples.operator;

import io.eyewall.examples.configuration.ExampleConfiguration;
import io.eyewall.examples.configuration.ExampleKeys;
import io.eyewall.examples.measuring.SystemClock;
import java.util.Map;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/**
 * Works, applies a function to the text, passes the result on anchored, and acknowledges.
 */
public final class OperatorBolt extends BaseRichBolt {

    private static final int TEXT = 0;
    private static final int SEQUENCE = 1;
    private static final int DUE_NS = 2;

    private final TextFunction function;
    private final boolean works;

    private transient OutputCollector collector;
    private transient Work work;
    private transient long seed;

    /**
     * An operator.
     *
     * @param works whether the topology's cost per message is its cost
     */
    public OperatorBolt(TextFunction function, boolean works) {
        this.function = function;
        this.works = works;
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(LineSource.TEXT_FIELDS);
    }

    @Override
    public void prepare(Map<String, Object> topologyConfiguration, TopologyContext context, OutputCollector output) {
        ExampleConfiguration configuration = new ExampleConfiguration(topologyConfiguration);
        collector = output;
        work = new Work(configuration, context.getThisComponentId(), works, SystemClock.INSTANCE);
        seed = configuration.number(ExampleKeys.SEED);
    }

    @Override
    public void execute(Tuple tuple) {
        work.perform();
        Long sequence = tuple.getLong(SEQUENCE);
        String text = function.apply(tuple.getString(TEXT), sequence, seed);
        if (text != null) {
            collector.emit(tuple, new Values(text, sequence, tuple.getValue(DUE_NS)));
        }
        collector.ack(tuple);
    }
}
