package io.eyewall.examples;

import io.eyewall.examples.configuration.ExampleConfiguration;
import io.eyewall.examples.operator.CountBolt;
import io.eyewall.examples.operator.LineSource;
import io.eyewall.examples.operator.TextFunctions;
import io.eyewall.examples.operator.TopologyAssembly;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.thrift.TException;
import org.apache.storm.topology.BoltDeclarer;

/**
 * Stela's Diamond: one spout, four parallel bolts that each receive every message, and one sink that receives all four copies.
 */
public final class DiamondTopology implements ExampleTopology {

    private static final String SPOUT = "spout";
    private static final List<String> BOLTS = List.of("bolt-1", "bolt-2", "bolt-3", "bolt-4");
    private static final String OUTPUT = "output";

    /**
     * Submits this topology; see {@link Main}.
     */
    public static void main(String[] arguments) throws TException {
        Main.submit(new DiamondTopology(), arguments);
    }

    @Override
    public String name() {
        return "diamond";
    }

    @Override
    public String picture() {
        return "spout -> {bolt-1*, bolt-2*, bolt-3*, bolt-4*} -> output*";
    }

    @Override
    public StormTopology build(ExampleConfiguration configuration) {
        TopologyAssembly assembly = new TopologyAssembly(configuration);
        assembly.spout(SPOUT, new LineSource());
        BOLTS.forEach(bolt -> assembly.operatorWithWork(bolt, TextFunctions.PASS).shuffleGrouping(SPOUT));
        BoltDeclarer output = assembly.sink(OUTPUT, CountBolt.discarding(true), 1);
        BOLTS.forEach(output::shuffleGrouping);
        return assembly.topology();
    }

    @Override
    public Map<String, Map<String, Long>> expectedResults(ExampleConfiguration configuration) throws IOException {
        Map<String, Map<String, Long>> expected = new TreeMap<>();
        InputRecords.forEachText(configuration, (text, sequence) ->
            BOLTS.forEach(path -> InputRecords.add(expected, OUTPUT, text)));
        return expected;
    }
}
