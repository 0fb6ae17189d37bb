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
import org.apache.storm.topology.BoltDeclarer;

/**
 * Stela's Star: five spouts that share the records, one bolt in the center, and five sinks that each receive every message once.
 */
public final class StarTopology implements ExampleTopology {

    private static final int ARMS = 5;
    private static final String SPOUT = "spout-";
    private static final String CENTER = "center";
    private static final String OUTPUT = "bolt-";

    /**
     * Submits this topology; see {@link Main}.
     */
    public static void main(String[] arguments) throws TException {
        Main.submit(new StarTopology(), arguments);
    }

    @Override
    public String name() {
        return "star";
    }

    @Override
    public String picture() {
        return "{spout-0, ..., spout-4} -> center* -> {bolt-0, ..., bolt-4}";
    }

    @Override
    public StormTopology build(ExampleConfiguration configuration) {
        TopologyAssembly assembly = new TopologyAssembly(configuration);
        BoltDeclarer center = assembly.operatorWithWork(CENTER, TextFunctions.PASS);
        for (int arm = 0; arm < ARMS; arm++) {
            assembly.spout(SPOUT + arm, new LineSource(), arm, ARMS);
            center.shuffleGrouping(SPOUT + arm);
            assembly.sink(OUTPUT + arm, CountBolt.discarding(false), 1).shuffleGrouping(CENTER);
        }
        return assembly.topology();
    }

    @Override
    public Map<String, Map<String, Long>> expectedResults(ExampleConfiguration configuration) throws IOException {
        Map<String, Map<String, Long>> expected = new TreeMap<>();
        InputRecords.forEachText(configuration, (text, sequence) -> {
            for (int arm = 0; arm < ARMS; arm++) {
                InputRecords.add(expected, OUTPUT + arm, text);
            }
        });
        return expected;
    }
}
