package io.eyewall.examples;

import io.eyewall.examples.configuration.ExampleConfiguration;
import io.eyewall.examples.configuration.ExampleKeys;
import io.eyewall.examples.operator.ConstantSource;
import io.eyewall.examples.operator.CountBolt;
import io.eyewall.examples.operator.FunctionBolt;
import io.eyewall.examples.operator.RelayBolt;
import io.eyewall.examples.operator.TopologyAssembly;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.thrift.TException;
import org.apache.storm.topology.BoltDeclarer;
import org.apache.storm.tuple.Values;

/**
 * Twelve pipelines in one topology, with operators of their own or with the same ones: four light ones, whose messages are urgent, have
 * the topology's rate and are measured, and eight bulk ones, which have a rate of their own, or process as many messages as {@code
 * topology.max.spout.pending} allows.
 * After L. Xu, Elastic techniques to handle dynamism in real-time data processing systems, University of Illinois, 2021, section 5.6, where
 * light and bulk jobs share the threads of a cluster.
 */
public final class PipelinesTopology implements ExampleTopology {

    private static final String LIGHT = "light-";
    private static final int LIGHT_PIPELINES = 4;
    private static final String BULK = "bulk-";
    private static final int BULK_PIPELINES = 8;
    private static final String STAGE = "-stage";
    private static final String OUTPUT = "-output";
    /** Eyewall's key for the target of a spout; bulk spouts have none, whatever the topology's is. */
    private static final String DEADLINE_TARGET = "topology.deadline.target.ms";
    private static final int NEARLY_NEVER = 1_000_000;
    /** Gaps between messages have a Pareto distribution. */
    private static final int IN_BURSTS = 2;
    /** The operators of all pipelines, if they share them. */
    private static final String SHARED_STAGE = "stage";
    private static final String SHARED_OUTPUT = "output";
    private static final int SHARED_EXECUTORS = 2;

    private final boolean shared;

    private PipelinesTopology(boolean shared) {
        this.shared = shared;
    }

    /** Pipelines with operators of their own. */
    public static PipelinesTopology separate() {
        return new PipelinesTopology(false);
    }

    /** Pipelines that share their operators. */
    public static PipelinesTopology shared() {
        return new PipelinesTopology(true);
    }

    /**
     * Submits the topology with operators of their own; see {@link Main}.
     */
    public static void main(String[] arguments) throws TException {
        Main.submit(separate(), arguments);
    }

    @Override
    public String name() {
        return shared ? "shared-pipelines" : "pipelines";
    }

    @Override
    public String picture() {
        return shared ? "{light-N x4, bulk-N x8} -> stage* x2 -> output x2"
            : "light-N -> light-N-stage -> light-N-output x4, bulk-N -> bulk-N-stage* -> bulk-N-output* x8";
    }

    @Override
    public boolean readsInput() {
        return false;
    }

    @Override
    public StormTopology build(ExampleConfiguration configuration) {
        TopologyAssembly assembly = new TopologyAssembly(configuration);
        ConstantSource source = new ConstantSource();
        FunctionBolt relay = new FunctionBolt(source.fields(), (tuple, seed) -> new Values(tuple.getValues().toArray()), false);
        for (int i = 0; i < LIGHT_PIPELINES; i++) {
            String spout = LIGHT + i;
            assembly.spout(spout, new ConstantSource(), i, LIGHT_PIPELINES);
            if (!shared) {
                assembly.bolt(spout + STAGE, relay, 1).shuffleGrouping(spout);
                assembly.sink(spout + OUTPUT, CountBolt.discarding(false), 1).shuffleGrouping(spout + STAGE);
            }
        }
        for (int i = 0; i < BULK_PIPELINES; i++) {
            String spout = BULK + i;
            assembly.spout(spout, new ConstantSource(), i, BULK_PIPELINES)
                .addConfigurations(Map.of(ExampleKeys.RATE_PER_SEC.name(), configuration.number(ExampleKeys.BULK_PER_SEC),
                    ExampleKeys.RATE_VARIES.name(), IN_BURSTS, ExampleKeys.LATENCY_EVERY.name(), NEARLY_NEVER, DEADLINE_TARGET, 0));
            if (!shared) {
                assembly.bolt(spout + STAGE, new RelayBolt(source.fields()), 1).shuffleGrouping(spout);
                assembly.sink(spout + OUTPUT, CountBolt.discarding(true), 1).shuffleGrouping(spout + STAGE);
            }
        }
        if (shared) {
            BoltDeclarer stage = assembly.bolt(SHARED_STAGE, new RelayBolt(source.fields()), SHARED_EXECUTORS);
            IntStream.range(0, LIGHT_PIPELINES).forEach(i -> stage.shuffleGrouping(LIGHT + i));
            IntStream.range(0, BULK_PIPELINES).forEach(i -> stage.shuffleGrouping(BULK + i));
            assembly.sink(SHARED_OUTPUT, CountBolt.discarding(false), SHARED_EXECUTORS).shuffleGrouping(SHARED_STAGE);
        }
        return assembly.topology();
    }

    @Override
    public Map<String, Map<String, Long>> expectedResults(ExampleConfiguration configuration) {
        String payload = ConstantSource.payload(configuration);
        long records = InputRecords.count(configuration);
        if (shared) {
            return Map.of(SHARED_OUTPUT, Map.of(payload, 2 * records));
        }
        Map<String, Map<String, Long>> expected = new TreeMap<>();
        add(expected, LIGHT, LIGHT_PIPELINES, payload, records);
        add(expected, BULK, BULK_PIPELINES, payload, records);
        return expected;
    }

    /** Adds what the sinks of some pipelines count, which share the records. */
    private static void add(Map<String, Map<String, Long>> expected, String prefix, int pipelines, String payload, long records) {
        for (int i = 0; i < pipelines; i++) {
            long share = (records - i + pipelines - 1) / pipelines;
            expected.put(prefix + i + OUTPUT, share == 0 ? Map.of() : Map.of(payload, share));
        }
    }
}
