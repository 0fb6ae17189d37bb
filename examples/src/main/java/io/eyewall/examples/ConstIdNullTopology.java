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
 * Constant messages that pass one bolt unchanged and reach a sink that discards them.
 */
public final class ConstIdNullTopology implements ExampleTopology {

    private static final String SPOUT = "spout";
    private static final String IDENTITY = "identity";
    private static final String OUTPUT = "output";

    /**
     * Submits this topology; see {@link Main}.
     */
    public static void main(String[] arguments) throws TException {
        Main.submit(new ConstIdNullTopology(), arguments);
    }

    @Override
    public String name() {
        return "const-id-null";
    }

    @Override
    public String picture() {
        return "spout -> identity* -> output*";
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
        assembly.bolt(IDENTITY, new RelayBolt(source.fields()), 1).shuffleGrouping(SPOUT);
        assembly.sink(OUTPUT, CountBolt.discarding(true), 1).shuffleGrouping(IDENTITY);
        return assembly.topology();
    }

    @Override
    public Map<String, Map<String, Long>> expectedResults(ExampleConfiguration configuration) {
        return Map.of(OUTPUT, Map.of(ConstantSource.payload(configuration), InputRecords.count(configuration)));
    }
}
