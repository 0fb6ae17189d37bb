package io.eyewall.examples;

import io.eyewall.examples.configuration.ExampleConfiguration;
import io.eyewall.examples.operator.CountBolt;
import io.eyewall.examples.operator.TextFunction;
import io.eyewall.examples.operator.TopologyAssembly;
import io.eyewall.examples.operator.WordSource;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.thrift.TException;

/**
 * Three bolts in a row that each append exclamation marks to the words of the input.
 */
public final class ExclamationTopology implements ExampleTopology {

    private static final String SPOUT = "spout";
    private static final String EXCLAIM_1 = "exclaim-1";
    private static final String EXCLAIM_2 = "exclaim-2";
    private static final String EXCLAIM_3 = "exclaim-3";
    private static final TextFunction EXCLAIM = (text, sequence, seed) -> text + "!!!";

    /**
     * Submits this topology; see {@link Main}.
     */
    public static void main(String[] arguments) throws TException {
        Main.submit(new ExclamationTopology(), arguments);
    }

    @Override
    public String name() {
        return "exclamation";
    }

    @Override
    public String picture() {
        return "spout -> exclaim-1* -> exclaim-2* -> exclaim-3*";
    }

    @Override
    public StormTopology build(ExampleConfiguration configuration) {
        TopologyAssembly assembly = new TopologyAssembly(configuration);
        assembly.spout(SPOUT, new WordSource());
        assembly.operatorWithWork(EXCLAIM_1, EXCLAIM).shuffleGrouping(SPOUT);
        assembly.operatorWithWork(EXCLAIM_2, EXCLAIM).shuffleGrouping(EXCLAIM_1);
        assembly.sink(EXCLAIM_3, CountBolt.applying(EXCLAIM), 1).shuffleGrouping(EXCLAIM_2);
        return assembly.topology();
    }

    @Override
    public Map<String, Map<String, Long>> expectedResults(ExampleConfiguration configuration) throws IOException {
        Map<String, Map<String, Long>> expected = new TreeMap<>();
        InputRecords.forEachWord(configuration, word -> InputRecords.add(expected, EXCLAIM_3, word + "!!!!!!!!!"));
        return expected;
    }
}
