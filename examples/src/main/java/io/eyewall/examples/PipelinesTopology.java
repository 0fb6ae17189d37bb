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
import org.apache.storm.generated.StormTopology;
import org.apache.storm.thrift.TException;
import org.apache.storm.tuple.Values;

/**
 * Twelve pipelines in one topology: four light ones, whose messages are urgent, have the topology's rate and are measured, and eight bulk
 * ones, which process as many messages as {@code topology.max.spout.pending} allows. After L. Xu, Elastic techniques to handle dynamism in
 * real-time data processing systems, University of Illinois, 2021, section 5.6, where light and bulk jobs share the threads of a cluster.
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

    /**
     * Submits this topology; see {@link Main}.
     */
    public static void main(String[] arguments) throws TException {
        Main.submit(new PipelinesTopology(), arguments);
    }

    @Override
    public String name() {
        return "pipelines";
    }

    @Override
    public String picture() {
        return "light-N -> light-N-stage -> light-N-output x4, bulk-N -> bulk-N-stage* -> bulk-N-output* x8";
    }

    @Override
    public boolean readsInput() {
        return false;
    }

    @Override
    public StormTopology build(ExampleConfiguration configuration) {
        TopologyAssembly assembly = new TopologyAssembly(configuration);
        for (int i = 0; i < LIGHT_PIPELINES; i++) {
            ConstantSource source = new ConstantSource();
            String spout = LIGHT + i;
            assembly.spout(spout, source, i, LIGHT_PIPELINES);
            FunctionBolt relay = new FunctionBolt(source.fields(), (tuple, seed) -> new Values(tuple.getValues().toArray()), false);
            assembly.bolt(spout + STAGE, relay, 1)
                .shuffleGrouping(spout);
            assembly.sink(spout + OUTPUT, CountBolt.discarding(false), 1).shuffleGrouping(spout + STAGE);
        }
        for (int i = 0; i < BULK_PIPELINES; i++) {
            ConstantSource source = new ConstantSource();
            String spout = BULK + i;
            assembly.spout(spout, source, i, BULK_PIPELINES)
                .addConfigurations(Map.of(ExampleKeys.RATE_PER_SEC.name(), 0, ExampleKeys.LATENCY_EVERY.name(), NEARLY_NEVER,
                    DEADLINE_TARGET, 0));
            assembly.bolt(spout + STAGE, new RelayBolt(source.fields()), 1).shuffleGrouping(spout);
            assembly.sink(spout + OUTPUT, CountBolt.discarding(true), 1).shuffleGrouping(spout + STAGE);
        }
        return assembly.topology();
    }

    @Override
    public Map<String, Map<String, Long>> expectedResults(ExampleConfiguration configuration) {
        String payload = ConstantSource.payload(configuration);
        Map<String, Map<String, Long>> expected = new TreeMap<>();
        add(expected, LIGHT, LIGHT_PIPELINES, payload, InputRecords.count(configuration));
        add(expected, BULK, BULK_PIPELINES, payload, InputRecords.count(configuration));
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
