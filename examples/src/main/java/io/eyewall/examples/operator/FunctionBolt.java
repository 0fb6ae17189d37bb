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
 * Works, applies a function to the tuple, emits the result anchored to the tuple, and acks it. A malformed record is reported to Storm's
 * user interface and dropped, since it would be malformed the next time too.
 */
public final class FunctionBolt extends BaseRichBolt {

    private final Fields fields;
    private final TupleFunction function;
    private final boolean works;

    private transient OutputCollector collector;
    private transient SimulatedWork work;
    private transient long seed;

    /**
     * An operator.
     *
     * @param fields   the fields that it emits
     * @param function returns the values to emit for a tuple
     * @param works    whether the topology's cost per message applies to it
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
        work = SimulatedWork.of(configuration, context, works);
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
