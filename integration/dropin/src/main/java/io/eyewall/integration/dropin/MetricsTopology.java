package io.eyewall.integration.dropin;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Histogram;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.utils.Utils;

/**
 * A counter, a histogram and a gauge of a bolt's own, reported each second by upstream's CSV reporter. The configuration key
 * {@link #DIRECTORY} says where to.
 */
final class MetricsTopology {

    /** Configuration key: absolute path of the directory for the reporter's files. */
    static final String DIRECTORY = "dropin.metrics";

    private MetricsTopology() {
    }

    static StormTopology build(Config config) {
        config.put(Config.TOPOLOGY_METRICS_REPORTERS, List.of(Map.of(
            "class", "org.apache.storm.metrics2.reporters.CsvStormReporter",
            "report.period", 1,
            "report.period.units", "SECONDS",
            "csv.log.dir", String.valueOf(Utils.readStormConfig().get(DIRECTORY)))));
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new NumberSpout(200));
        builder.setBolt("measured", new MeasuredBolt()).shuffleGrouping("numbers");
        return builder.createTopology();
    }

    /** Counts its tuples. */
    private static final class MeasuredBolt extends RecordingBolt {

        private static final long serialVersionUID = 1L;
        private transient Counter received;
        private transient Histogram sizes;
        private transient volatile int last;

        MeasuredBolt() {
            super(NumberSpout.FIELD);
        }

        @Override
        public void prepare(Map<String, Object> configuration, TopologyContext context, OutputCollector collector) {
            super.prepare(configuration, context, collector);
            received = context.registerCounter("received");
            sizes = context.registerHistogram("sizes");
            context.registerGauge("last", () -> last);
        }

        @Override
        public void execute(Tuple tuple) {
            received.inc();
            sizes.update(tuple.getInteger(0));
            last = tuple.getInteger(0);
            super.execute(tuple);
        }
    }
}
