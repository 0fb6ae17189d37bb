package io.eyewall.integration.dropin;

import java.io.Serializable;
import java.util.Map;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Tuple;

/** A bolt that Flux builds with its constructor, and configures with a component through a method. Writes the prefix before each number. */
public final class FluxBolt extends BaseRichBolt {

    private static final long serialVersionUID = 1L;

    private Prefix prefix;
    private transient OutputCollector collector;
    private transient Output output;

    /** Takes the component. */
    public void use(Prefix given) {
        this.prefix = given;
    }

    @Override
    public void prepare(Map<String, Object> configuration, TopologyContext context, OutputCollector outputCollector) {
        collector = outputCollector;
        output = Output.of(configuration, context);
    }

    @Override
    public void execute(Tuple tuple) {
        output.line(prefix.before(tuple.getInteger(0)));
        collector.ack(tuple);
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        // Emits nothing.
    }

    /** A component that Flux builds with its constructor and a property. */
    public static final class Prefix implements Serializable {

        private static final long serialVersionUID = 1L;

        private final String text;
        private String separator = "";

        /** Starts every line with this text. */
        public Prefix(String text) {
            this.text = text;
        }

        /** Sets the text between the prefix and the number. */
        public void setSeparator(String separator) {
            this.separator = separator;
        }

        String before(int number) {
            return text + separator + number;
        }
    }
}
