package io.eyewall.examples;

import io.eyewall.examples.operator.LineSource;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Tuple;

/**
 * Emits the texts that it receives. Fails every third message when it arrives for the first time, half of them after it has emitted them.
 */
final class FirstTimeFailingBolt extends BaseRichBolt {

    private static final long serialVersionUID = 1;

    private transient OutputCollector collector;
    private transient Set<Long> seen;

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(LineSource.TEXT_FIELDS);
    }

    @Override
    public void prepare(Map<String, Object> topologyConfiguration, TopologyContext context, OutputCollector output) {
        collector = output;
        seen = new HashSet<>();
    }

    @Override
    public void execute(Tuple tuple) {
        long sequence = tuple.getLong(1);
        boolean fails = sequence % 3 == 0 && seen.add(sequence);
        if (!fails || sequence % 2 == 0) {
            collector.emit(tuple, tuple.getValues());
        }
        if (fails) {
            collector.fail(tuple);
        } else {
            collector.ack(tuple);
        }
    }
}
