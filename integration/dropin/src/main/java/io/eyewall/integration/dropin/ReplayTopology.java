package io.eyewall.integration.dropin;

import java.util.Map;
import java.util.Objects;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.Utils;

/**
 * Emits numbers from a source that can be replayed, over two workers, slowly enough for the workers to be killed meanwhile. There are 3000
 * numbers, or as many as the configuration key {@link #COUNT} says.
 */
final class ReplayTopology {

    /** Configuration key: how many numbers, each 10 ms after the one before. */
    static final String COUNT = "dropin.replay.count";

    /** Configuration key: after how many seconds a message that is not acked fails; 5 if it is not set. */
    static final String TIMEOUT = "dropin.replay.timeout.secs";

    /** Configuration key: whether the spout also writes what it emits. */
    static final String ACCOUNT = "dropin.replay.account";

    /** Configuration key: a number for which the first bolt reports an error; none if it is not set. */
    static final String ERROR = "dropin.replay.error";

    private ReplayTopology() {
    }

    static StormTopology build(Config config) {
        config.setNumWorkers(2);
        Map<String, Object> options = Utils.readStormConfig();
        config.setMessageTimeoutSecs(ObjectReader.getInt(options.get(TIMEOUT), 5));
        config.setMaxSpoutPending(50);
        Fields number = new Fields(NumberSpout.FIELD);
        int count = ObjectReader.getInt(options.get(COUNT), 3000);
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new NumberSpout(count).withIntervalMs(10)
            .withAccount(ObjectReader.getBoolean(options.get(ACCOUNT), false)));
        builder.setBolt("first", new RecordingBolt(NumberSpout.FIELD).withError(Objects.toString(options.get(ERROR), null)), 2)
            .fieldsGrouping("numbers", number);
        builder.setBolt("second", new RecordingBolt(NumberSpout.FIELD), 2).fieldsGrouping("first", number);
        return builder.createTopology();
    }
}
