package io.eyewall.integration.dropin;

import java.nio.file.Path;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.BoltDeclarer;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.Utils;

/**
 * Emits numbers from a source that can be replayed, over two workers whose installations change. The last bolt writes each number, the
 * installation whose worker has relayed it, and its own. Each task of the first bolt sends to both of the last, after a pause of
 * {@code dropin.relay.ms} milliseconds if that is set, and adds {@code dropin.relay.bytes} to each number. The spout emits a number in
 * {@code dropin.interval.ms}, and no new one once there is a file {@code stop}. With {@code dropin.unacked} it emits without message ids,
 * and takes a number for acked when it has emitted it. There is one whose first bolt is a loop: it relays each number to another of its
 * tasks before the last bolt gets it.
 */
final class RollingTopology {

    private static final int INTERVAL_MS = 5;
    private static final int PENDING = 200;
    private static final int TIMEOUT_SECS = 5;
    private static final String PAIR = "pair";
    private static final String RELAYED_BY = "relayed-by";
    private static final String FILLING = "filling";
    private static final String AGAIN = "again";
    private static final String INTERVAL_KEY = "dropin.interval.ms";
    private static final String FILLING_KEY = "dropin.relay.bytes";
    private static final String PAUSE_KEY = "dropin.relay.ms";
    private static final String UNACKED_KEY = "dropin.unacked";

    private RollingTopology() {
    }

    static StormTopology build(Config config) {
        return build(config, false);
    }

    /** Each number is relayed twice, by the same bolt. */
    static StormTopology buildLoop(Config config) {
        return build(config, true);
    }

    private static StormTopology build(Config config, boolean isLoop) {
        config.setNumWorkers(2);
        config.setMessageTimeoutSecs(TIMEOUT_SECS);
        config.setMaxSpoutPending(PENDING);
        TopologyBuilder builder = new TopologyBuilder();
        // Each task would emit all numbers, however many tasks topology.elastic.tasks.factor gives to components that do not say.
        builder.setSpout("numbers", new RollingSpout().withAccount(true).withStop(true))
            .setNumTasks(1);
        BoltDeclarer relay = builder.setBolt("relay", new RelayBolt(isLoop), 2)
            .fieldsGrouping("numbers", new Fields(NumberSpout.FIELD));
        if (isLoop) {
            relay.fieldsGrouping("relay", AGAIN, new Fields(PAIR));
        }
        builder.setBolt("sink", new SinkBolt(), 2).fieldsGrouping("relay", new Fields(PAIR));
        return builder.createTopology();
    }

    /** The name of the root directory of the installation whose classes this worker runs. */
    private static String installation() {
        Path jar = Path.of(Config.class.getProtectionDomain().getCodeSource().getLocation().getPath());
        return jar.getParent().getParent().getFileName().toString();
    }

    /** Emits all numbers, with or without message ids. */
    private static final class RollingSpout extends NumberSpout {

        private static final long serialVersionUID = 1L;
        private transient boolean isUnacked;

        RollingSpout() {
            super(Integer.MAX_VALUE);
        }

        @Override
        public void open(Map<String, Object> configuration, TopologyContext context, SpoutOutputCollector collector) {
            withIntervalMs(Integer.parseInt(configuration.getOrDefault(INTERVAL_KEY, INTERVAL_MS).toString()));
            isUnacked = Boolean.parseBoolean(String.valueOf(configuration.get(UNACKED_KEY)));
            super.open(configuration, context, collector);
        }

        @Override
        void emit(SpoutOutputCollector to, int number) {
            if (isUnacked) {
                to.emit(new Values(number));
                ack(number);
            } else {
                super.emit(to, number);
            }
        }
    }

    /**
     * Passes the number on, with the installation and with the value that chooses the next task; two successive numbers have the same
     * value.
     */
    private static final class RelayBolt extends BaseRichBolt {

        private static final long serialVersionUID = 1L;
        private final boolean isLoop;
        private transient OutputCollector collector;
        private transient String installation;
        private transient long pauseMs;
        private transient int fillingBytes;

        RelayBolt(boolean isLoop) {
            this.isLoop = isLoop;
        }

        @Override
        public void prepare(Map<String, Object> configuration, TopologyContext context, OutputCollector outputCollector) {
            collector = outputCollector;
            fillingBytes = Integer.parseInt(configuration.getOrDefault(FILLING_KEY, 0).toString());
            pauseMs = Long.parseLong(configuration.getOrDefault(PAUSE_KEY, 0).toString());
            installation = installation();
        }

        @Override
        public void execute(Tuple tuple) {
            if (pauseMs > 0) {
                Utils.sleep(pauseMs);
            }
            int number = tuple.getInteger(0);
            String stream = isLoop && !tuple.getSourceStreamId().equals(AGAIN) ? AGAIN : Utils.DEFAULT_STREAM_ID;
            collector.emit(stream, tuple, new Values(number, number / 2, installation, new byte[fillingBytes]));
            collector.ack(tuple);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            Fields fields = new Fields(NumberSpout.FIELD, PAIR, RELAYED_BY, FILLING);
            declarer.declare(fields);
            if (isLoop) {
                declarer.declareStream(AGAIN, fields);
            }
        }
    }

    /** Writes each number and both installations, and acks it. */
    private static final class SinkBolt extends RecordingBolt {

        private static final long serialVersionUID = 1L;
        private transient String installation;

        SinkBolt() {
            super(NumberSpout.FIELD, PAIR, RELAYED_BY, FILLING);
        }

        @Override
        public void prepare(Map<String, Object> configuration, TopologyContext context, OutputCollector collector) {
            super.prepare(configuration, context, collector);
            installation = installation();
        }

        @Override
        String line(Tuple tuple) {
            return tuple.getIntegerByField(NumberSpout.FIELD) + " " + tuple.getStringByField(RELAYED_BY) + " " + installation;
        }
    }
}
