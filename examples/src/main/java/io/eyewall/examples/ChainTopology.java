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
 * A spout and three bolts in a row, with shuffle groupings and constant messages: the topology of the tail-latency measurements.
 */
public final class ChainTopology implements ExampleTopology {

    private static final String SPOUT = "spout";
    private static final String STAGE_1 = "stage-1";
    private static final String STAGE_2 = "stage-2";
    private static final String OUTPUT = "output";

    /**
     * Submits this topology; see {@link Main}.
     */
    public static void main(String[] arguments) throws TException {
        Main.submit(new ChainTopology(), arguments);
    }

    @Override
    public String name() {
        return "chain";
    }

    @Override
    public String picture() {
        return "spout -> stage-1* -> stage-2* -> output*";
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
        assembly.bolt(STAGE_1, new RelayBolt(source.fields()), 1).shuffleGrouping(SPOUT);
        assembly.bolt(STAGE_2, new RelayBolt(source.fields()), 1).shuffleGrouping(STAGE_1);
        assembly.sink(OUTPUT, CountBolt.discarding(true), 1).shuffleGrouping(STAGE_2);
        return assembly.topology();
    }

    @Override
    public Map<String, Map<String, Long>> expectedResults(ExampleConfiguration configuration) {
        return Map.of(OUTPUT, Map.of(ConstantSource.payload(configuration), InputRecords.count(configuration)));
    }
}
