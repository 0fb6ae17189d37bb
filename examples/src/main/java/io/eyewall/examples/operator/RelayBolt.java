package io.eyewall.examples.operator;

import io.eyewall.examples.configuration.ExampleConfiguration;
import java.util.Map;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;

/**
 * Works, emits each message unchanged and anchored, and acks it. It reads no value, so that without work it costs only what Storm costs.
 */
public final class RelayBolt extends BaseRichBolt {

    private final Fields fields;

    private transient OutputCollector collector;
    private transient SimulatedWork work;

    /**
     * A relay for messages with these fields.
     */
    public RelayBolt(Fields fields) {
        this.fields = fields;
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(fields);
    }

    @Override
    public void prepare(Map<String, Object> topologyConfiguration, TopologyContext context, OutputCollector output) {
        collector = output;
        work = SimulatedWork.of(new ExampleConfiguration(topologyConfiguration), context, true);
    }

    @Override
    public void execute(Tuple tuple) {
        work.perform();
        collector.emit(tuple, tuple.getValues());
        collector.ack(tuple);
    }
}
