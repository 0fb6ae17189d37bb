package io.eyewall.examples.operator;

import io.eyewall.examples.configuration.ExampleConfiguration;
import io.eyewall.examples.configuration.ExampleKeys;
import java.util.Map;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/**
 * Works, applies a function to the tuple, passes the result on anchored, and acknowledges. A malformed record is reported to Storm's
 * user interface and dropped: it would be no better the next time.
 */
public final class FunctionBolt extends BaseRichBolt {

    private final Fields fields;
    private final TupleFunction function;
    private final boolean works;

    private transient OutputCollector collector;
    private transient Work work;
    private transient long seed;

    /**
     * An operator.
     *
     * @param fields   of what it emits
     * @param function what it does
     * @param works    whether the topology's cost per message is its cost
     */
    public FunctionBolt(Fields fields, TupleFunction function, boolean works) {
        this.fields = fields;
        this.function = function;
        this.works = works;
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(fields);
    }

    @Override
    public void prepare(Map<String, Object> topologyConfiguration, TopologyContext context, OutputCollector output) {
        ExampleConfiguration configuration = new ExampleConfiguration(topologyConfiguration);
        collector = output;
        work = Work.of(configuration, context, works);
        seed = configuration.number(ExampleKeys.SEED);
    }

    @Override
    public void execute(Tuple tuple) {
        work.perform();
        try {
            Values values = function.apply(tuple, seed);
            if (values != null) {
                collector.emit(tuple, values);
            }
        } catch (MalformedRecordException malformed) {
            collector.reportError(malformed);
        }
        collector.ack(tuple);
    }
}
