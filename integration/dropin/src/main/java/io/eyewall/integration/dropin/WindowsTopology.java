package io.eyewall.integration.dropin;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseWindowedBolt;
import org.apache.storm.topology.base.BaseWindowedBolt.Count;
import org.apache.storm.topology.base.BaseWindowedBolt.Duration;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.apache.storm.windowing.TupleWindow;

/** Sliding windows by count, and tumbling windows by a time that the tuples carry, which advances 100 ms with each number. */
final class WindowsTopology {

    private static final String TIME = "time";

    private WindowsTopology() {
    }

    static StormTopology build(Config config) {
        // Tuples that stay in a window are never acked, and must not be replayed.
        config.setMessageTimeoutSecs(3600);
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new TimedSpout(100));
        builder.setBolt("sliding", new WindowBolt().withWindow(Count.of(10), Count.of(5))).shuffleGrouping("numbers");
        builder.setBolt("tumbling", new WindowBolt().withTumblingWindow(Duration.seconds(1)).withTimestampField(TIME)
            .withLag(Duration.of(0)).withWatermarkInterval(Duration.of(500))).shuffleGrouping("numbers");
        return builder.createTopology();
    }

    /** Emits with each number a time, in ms. */
    private static final class TimedSpout extends NumberSpout {

        private static final long serialVersionUID = 1L;

        TimedSpout(int count) {
            super(count);
        }

        @Override
        void emit(SpoutOutputCollector collector, int number) {
            collector.emit(new Values(number, number * 100L), number);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields(FIELD, TIME));
        }
    }

    /** Writes each window's numbers, and how many of them are new and expired. */
    private static final class WindowBolt extends BaseWindowedBolt {

        private static final long serialVersionUID = 1L;
        private transient Output output;

        @Override
        public void prepare(Map<String, Object> configuration, TopologyContext context, OutputCollector collector) {
            output = Output.of(configuration, context);
        }

        @Override
        public void execute(TupleWindow window) {
            output.line(numbers(window.get()) + " new " + window.getNew().size() + " expired " + window.getExpired().size());
        }

        private static String numbers(List<Tuple> tuples) {
            return tuples.stream().map(tuple -> tuple.getInteger(0)).sorted().map(String::valueOf).collect(Collectors.joining(" "));
        }
    }
}
