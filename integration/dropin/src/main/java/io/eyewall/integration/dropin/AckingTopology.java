package io.eyewall.integration.dropin;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/**
 * Acks, fails and timeouts over a tuple tree in which two branches join again:
 * numbers -&gt; halves (two tuples for each) -&gt; pairs (one tuple anchored to both) -&gt; judge, which fails some and forgets some.
 */
final class AckingTopology {

    private AckingTopology() {
    }

    static StormTopology build(Config config) {
        config.setMessageTimeoutSecs(10);
        config.setNumAckers(2);
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new NumberSpout(100));
        builder.setBolt("halves", new Halves(), 2).shuffleGrouping("numbers");
        builder.setBolt("pairs", new Pairs(), 2).fieldsGrouping("halves", new Fields(NumberSpout.FIELD));
        builder.setBolt("judge", new Judge(), 2).fieldsGrouping("pairs", new Fields(NumberSpout.FIELD));
        return builder.createTopology();
    }

    /** Emits two tuples for each. */
    private static final class Halves extends BaseRichBolt {

        private static final long serialVersionUID = 1L;
        private transient OutputCollector collector;

        @Override
        public void prepare(Map<String, Object> configuration, TopologyContext context, OutputCollector outputCollector) {
            collector = outputCollector;
        }

        @Override
        public void execute(Tuple tuple) {
            collector.emit(tuple, new Values(tuple.getInteger(0), "left"));
            collector.emit(tuple, new Values(tuple.getInteger(0), "right"));
            collector.ack(tuple);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields(NumberSpout.FIELD, "half"));
        }
    }

    /** Keeps one half until the other one arrives. */
    private static final class Pairs extends BaseRichBolt {

        private static final long serialVersionUID = 1L;
        private transient OutputCollector collector;
        private transient Map<Integer, Tuple> waiting;

        @Override
        public void prepare(Map<String, Object> configuration, TopologyContext context, OutputCollector outputCollector) {
            collector = outputCollector;
            waiting = new HashMap<>();
        }

        @Override
        public void execute(Tuple tuple) {
            Integer number = tuple.getInteger(0);
            Tuple other = waiting.get(number);
            if (other == null || other.getString(1).equals(tuple.getString(1))) {
                waiting.put(number, tuple);
                return;
            }
            waiting.remove(number);
            collector.emit(List.of(tuple, other), new Values(number));
            collector.ack(tuple);
            collector.ack(other);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields(NumberSpout.FIELD));
        }
    }

    /** When they come for the first time, fails the numbers that end with 3, and never acks 7, 32, 57 and 82. */
    private static final class Judge extends BaseRichBolt {

        private static final long serialVersionUID = 1L;
        private transient OutputCollector collector;
        private transient Output output;
        private transient Set<Integer> seen;

        @Override
        public void prepare(Map<String, Object> configuration, TopologyContext context, OutputCollector outputCollector) {
            collector = outputCollector;
            output = Output.of(configuration, context);
            seen = new HashSet<>();
        }

        @Override
        public void execute(Tuple tuple) {
            int number = tuple.getInteger(0);
            boolean first = seen.add(number);
            if (first && number % 10 == 3) {
                output.line("failed " + number);
                collector.fail(tuple);
            } else if (first && number % 25 == 7) {
                output.line("forgotten " + number);
            } else {
                output.line("acked " + number);
                collector.ack(tuple);
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            // Emits nothing.
        }
    }
}
