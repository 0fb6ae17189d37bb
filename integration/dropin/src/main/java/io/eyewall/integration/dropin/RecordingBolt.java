package io.eyewall.integration.dropin;

import java.util.Map;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;

/** Writes the values of every tuple that it gets, separated by blanks, passes the tuple on, and acks it. */
public class RecordingBolt extends BaseRichBolt {

    private static final long serialVersionUID = 1L;

    private final Fields fields;
    private String reported;
    private transient OutputCollector collector;
    private transient Output output;

    /** Expects tuples with these fields. */
    public RecordingBolt(String... fields) {
        this.fields = new Fields(fields);
    }

    /** Reports an error to Storm, with the line as its message, when it writes this line; returns this bolt. */
    RecordingBolt withError(String line) {
        reported = line;
        return this;
    }

    @Override
    public void prepare(Map<String, Object> configuration, TopologyContext context, OutputCollector outputCollector) {
        collector = outputCollector;
        output = Output.of(configuration, context);
    }

    @Override
    public void execute(Tuple tuple) {
        String line = line(tuple);
        output.line(line);
        if (line.equals(reported)) {
            collector.reportError(new IllegalArgumentException(line));
        }
        collector.emit(tuple, tuple.getValues());
        collector.ack(tuple);
    }

    /** The line to write for a tuple. */
    String line(Tuple tuple) {
        StringBuilder text = new StringBuilder();
        tuple.getValues().forEach(value -> text.append(text.isEmpty() ? "" : " ").append(value));
        return text.toString();
    }

    /** The file to which this task writes. */
    Output output() {
        return output;
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(fields);
    }
}
