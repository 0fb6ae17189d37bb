package io.eyewall.examples;

import io.eyewall.examples.configuration.ExampleConfiguration;
import io.eyewall.examples.configuration.ExampleKeys;
import io.eyewall.examples.operator.CountBolt;
import io.eyewall.examples.operator.LineSource;
import io.eyewall.examples.operator.TextFunctions;
import io.eyewall.examples.operator.TopologyAssembly;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.thrift.TException;

/**
 * Yahoo's Processing topology, in the layout that L. Xu, B. Peng and I. Gupta published with Stela (Stela: Enabling Stream Processing
 * Systems to Scale-in and Scale-out On-demand, IC2E 2016, figure 5): two branches over one transformed stream, the first of which drops
 * a fifth of the messages.
 */
public final class ProcessingTopology implements ExampleTopology {

    private static final String SPOUT = "spout";
    private static final String TRANSFORM = "transform";
    private static final String FILTER = "filter";
    private static final String JOIN_1 = "join-1";
    private static final String OUTPUT_1 = "output-1";
    private static final String JOIN_2 = "join-2";
    private static final String NORMALIZE = "normalize";
    private static final String OUTPUT_2 = "output-2";

    /**
     * Submits this topology; see {@link Main}.
     */
    public static void main(String[] arguments) throws TException {
        Main.submit(new ProcessingTopology(), arguments);
    }

    @Override
    public String name() {
        return "processing";
    }

    @Override
    public String picture() {
        return "spout -> transform -> {filter 80 % -> join-1* -> output-1, join-2* -> normalize -> output-2}";
    }

    @Override
    public StormTopology build(ExampleConfiguration configuration) {
        TopologyAssembly assembly = new TopologyAssembly(configuration);
        assembly.spout(SPOUT, new LineSource());
        assembly.operatorWithoutWork(TRANSFORM, TextFunctions.FIRST_WORD_LAST).shuffleGrouping(SPOUT);
        assembly.operatorWithoutWork(FILTER, TextFunctions.KEEP_FOUR_FIFTHS).shuffleGrouping(TRANSFORM);
        assembly.operatorWithWork(JOIN_1, TextFunctions.PASS).shuffleGrouping(FILTER);
        assembly.sink(OUTPUT_1, CountBolt.discarding(false), 1).shuffleGrouping(JOIN_1);
        assembly.operatorWithWork(JOIN_2, TextFunctions.PASS).shuffleGrouping(TRANSFORM);
        assembly.operatorWithoutWork(NORMALIZE, (text, sequence, seed) -> normalize(text)).shuffleGrouping(JOIN_2);
        assembly.sink(OUTPUT_2, CountBolt.discarding(false), 1).shuffleGrouping(NORMALIZE);
        return assembly.topology();
    }

    @Override
    public Map<String, Map<String, Long>> expectedResults(ExampleConfiguration configuration) throws IOException {
        Map<String, Map<String, Long>> expected = new TreeMap<>();
        long seed = configuration.number(ExampleKeys.SEED);
        InputRecords.forEachText(configuration, (text, sequence) -> {
            String transformed = TextFunctions.FIRST_WORD_LAST.apply(text, sequence, seed);
            if (TextFunctions.isKept(sequence, seed)) {
                InputRecords.add(expected, OUTPUT_1, transformed);
            }
            InputRecords.add(expected, OUTPUT_2, normalize(transformed));
        });
        return expected;
    }

    private static String normalize(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
