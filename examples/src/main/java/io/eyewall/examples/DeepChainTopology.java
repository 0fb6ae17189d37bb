package io.eyewall.examples;

import io.eyewall.examples.configuration.ExampleConfiguration;
import io.eyewall.examples.operator.ConstantSource;
import io.eyewall.examples.operator.CountBolt;
import io.eyewall.examples.operator.RelayBolt;
import io.eyewall.examples.operator.TopologyAssembly;
import java.util.Map;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.thrift.TException;

/**
 * A spout and seven bolts in a row, with shuffle groupings and constant messages: the deep topology of S. Kamburugamuve, K. Ramasamy,
 * M. Swany and G. Fox, Low Latency Stream Processing: Twitter Heron with Infiniband and Omni-Path, section 5.1.
 */
public final class DeepChainTopology implements ExampleTopology {

    private static final String SPOUT = "spout";
    private static final String STAGE = "stage-";
    private static final int STAGES = 6;
    private static final String OUTPUT = "output";

    /**
     * Submits this topology; see {@link Main}.
     */
    public static void main(String[] arguments) throws TException {
        Main.submit(new DeepChainTopology(), arguments);
    }

    @Override
    public String name() {
        return "deep-chain";
    }

    @Override
    public String picture() {
        return "spout -> stage-1* -> ... -> stage-6* -> output*";
    }

    @Override
    public boolean readsInput() {
        return false;
    }

    @Override
    public StormTopology build(ExampleConfiguration configuration) {
        TopologyAssembly assembly = new TopologyAssembly(configuration);
        ConstantSource source = new ConstantSource();
        assembly.spout(SPOUT, source);
        String previous = SPOUT;
        for (int stage = 1; stage <= STAGES; stage++) {
            assembly.bolt(STAGE + stage, new RelayBolt(source.fields()), 1).shuffleGrouping(previous);
            previous = STAGE + stage;
        }
        assembly.sink(OUTPUT, CountBolt.discarding(true), 1).shuffleGrouping(previous);
        return assembly.topology();
    }

    @Override
    public Map<String, Map<String, Long>> expectedResults(ExampleConfiguration configuration) {
        return Map.of(OUTPUT, Map.of(ConstantSource.payload(configuration), InputRecords.count(configuration)));
    }
}
