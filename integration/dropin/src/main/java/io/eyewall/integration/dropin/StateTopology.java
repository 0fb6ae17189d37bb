package io.eyewall.integration.dropin;

import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.spout.CheckPointState;
import org.apache.storm.state.KeyValueState;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseStatefulBolt;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.utils.Utils;

/**
 * A bolt whose state is checkpointed to Redis each second and restored when its worker starts again. Half of the numbers come at once,
 * the others when there is a file {@code go}. The configuration key {@link #REDIS} says where Redis is.
 */
final class StateTopology {

    /** Configuration key: a Redis server, as host:port. */
    static final String REDIS = "dropin.redis";

    private StateTopology() {
    }

    static StormTopology build(Config config) {
        keepInRedis(config);
        config.setMessageTimeoutSecs(10);
        config.put(Config.TOPOLOGY_STATE_CHECKPOINT_INTERVAL, 1000);
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new NumberSpout(100).withPauseBefore(50));
        builder.setBolt("sums", new Sums()).shuffleGrouping("numbers");
        return builder.createTopology();
    }

    /** Configures a topology to keep its state, integers by strings, in the server that {@link #REDIS} names. */
    static void keepInRedis(Config config) {
        // Upstream sends this class from worker to worker without registering it.
        config.registerSerialization(CheckPointState.Action.class);
        String[] address = String.valueOf(Utils.readStormConfig().get(REDIS)).split(":", -1);
        config.put(Config.TOPOLOGY_STATE_PROVIDER, "org.apache.storm.redis.state.RedisKeyValueStateProvider");
        config.put(Config.TOPOLOGY_STATE_PROVIDER_CONFIG,
            "{\"keyClass\":\"java.lang.String\",\"valueClass\":\"java.lang.Integer\","
            + "\"jedisPoolConfig\":{\"host\":\"" + address[0] + "\",\"port\":" + address[1] + ",\"timeout\":5000,\"database\":0}}");
    }

    /** Keeps every number, so that a repeated number does no harm, and writes a summary at start and when all numbers have arrived. */
    private static final class Sums extends BaseStatefulBolt<KeyValueState<String, Integer>> {

        private static final long serialVersionUID = 1L;
        private transient OutputCollector collector;
        private transient Output output;
        private transient KeyValueState<String, Integer> state;

        @Override
        public void prepare(Map<String, Object> configuration, TopologyContext context, OutputCollector outputCollector) {
            collector = outputCollector;
            output = Output.of(configuration, context);
        }

        @Override
        public void initState(KeyValueState<String, Integer> restored) {
            state = restored;
            output.line("starts with " + describe());
        }

        @Override
        public void execute(Tuple tuple) {
            int number = tuple.getInteger(0);
            state.put("number" + number, number);
            if (number == 99) {
                output.line("complete with " + describe());
            }
            collector.ack(tuple);
        }

        private String describe() {
            int count = 0;
            int sum = 0;
            for (Map.Entry<String, Integer> entry : state) {
                count++;
                sum += entry.getValue();
            }
            return count + " numbers of sum " + sum;
        }
    }
}
