package io.eyewall.examples;

import io.eyewall.examples.configuration.ExampleConfiguration;
import io.eyewall.examples.operator.CountBolt;
import io.eyewall.examples.operator.LineSource;
import io.eyewall.examples.operator.TextFunctions;
import io.eyewall.examples.operator.TopologyAssembly;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.thrift.TException;

/**
 * Stela's Linear: one spout, two bolts in a row, one sink.
 */
public final class LinearTopology implements ExampleTopology {

    private static final String SPOUT = "spout";
    private static final String BOLT_0 = "bolt-0";
    private static final String BOLT_1 = "bolt-1";
    private static final String OUTPUT = "output";

    /**
     * Submits this topology; see {@link Main}.
     */
    public static void main(String[] arguments) throws TException {
        Main.submit(new LinearTopology(), arguments);
    }

    @Override
    public String name() {
        return "linear";
    }

    @Override
    public String picture() {
        return "spout -> bolt-0* -> bolt-1* -> output*";
    }

    @Override
    public StormTopology build(ExampleConfiguration configuration) {
        TopologyAssembly assembly = new TopologyAssembly(configuration);
        assembly.spout(SPOUT, new LineSource());
        assembly.operatorWithWork(BOLT_0, TextFunctions.PASS).shuffleGrouping(SPOUT);
        assembly.operatorWithWork(BOLT_1, TextFunctions.PASS).shuffleGrouping(BOLT_0);
        assembly.sink(OUTPUT, CountBolt.discarding(true), 1).shuffleGrouping(BOLT_1);
        return assembly.topology();
    }

    @Override
    public Map<String, Map<String, Long>> expectedResults(ExampleConfiguration configuration) throws IOException {
        Map<String, Map<String, Long>> expected = new TreeMap<>();
        InputRecords.forEachText(configuration, (text, sequence) -> InputRecords.add(expected, OUTPUT, text));
        return expected;
    }
}
