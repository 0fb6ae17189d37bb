package io.eyewall.examples;

import io.eyewall.examples.configuration.ExampleConfiguration;
import io.eyewall.examples.operator.CountBolt;
import io.eyewall.examples.operator.TopologyAssembly;
import io.eyewall.examples.operator.WordSource;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.thrift.TException;
import org.apache.storm.tuple.Fields;

/**
 * Counts the words of the input. A fields grouping sends each word to the same counter.
 */
public final class WordCountTopology implements ExampleTopology {

    private static final String SPOUT = "spout";
    private static final String COUNT = "count";
    private static final int COUNTERS = 4;

    /**
     * Submits this topology; see {@link Main}.
     */
    public static void main(String[] arguments) throws TException {
        Main.submit(new WordCountTopology(), arguments);
    }

    @Override
    public String name() {
        return "word-count";
    }

    @Override
    public String picture() {
        return "spout -> (fields: text) count* x4";
    }

    @Override
    public StormTopology build(ExampleConfiguration configuration) {
        TopologyAssembly assembly = new TopologyAssembly(configuration);
        assembly.spout(SPOUT, new WordSource());
        assembly.sink(COUNT, CountBolt.counting(), COUNTERS).fieldsGrouping(SPOUT, new Fields("text"));
        return assembly.topology();
    }

    @Override
    public Map<String, Map<String, Long>> expectedResults(ExampleConfiguration configuration) throws IOException {
        Map<String, Map<String, Long>> expected = new TreeMap<>();
        InputRecords.forEachWord(configuration, word -> InputRecords.add(expected, COUNT, word));
        return expected;
    }
}
