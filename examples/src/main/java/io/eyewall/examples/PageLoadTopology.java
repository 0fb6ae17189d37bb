package io.eyewall.examples;

import io.eyewall.examples.configuration.ExampleConfiguration;
import io.eyewall.examples.configuration.ExampleKeys;
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
 * Yahoo's Page Load topology, in the layout that L. Xu, B. Peng and I. Gupta published with Stela (see {@link ProcessingTopology}): seven
 * operators in a row, two of which drop a fifth of the messages.
 */
public final class PageLoadTopology implements ExampleTopology {

    private static final String SPOUT = "spout";
    private static final String TRANSFORM = "transform";
    private static final String FILTER = "filter";
    private static final String JOIN = "join";
    private static final String FILTER_2 = "filter-2";
    private static final String AGGREGATE = "aggregate";
    private static final String OUTPUT = "output";

    /**
     * Submits this topology; see {@link Main}.
     */
    public static void main(String[] arguments) throws TException {
        Main.submit(new PageLoadTopology(), arguments);
    }

    @Override
    public String name() {
        return "page-load";
    }

    @Override
    public String picture() {
        return "spout -> transform -> filter 80 % -> join* -> filter-2 80 % -> aggregate* -> output";
    }

    @Override
    public StormTopology build(ExampleConfiguration configuration) {
        TopologyAssembly assembly = new TopologyAssembly(configuration);
        assembly.spout(SPOUT, new LineSource());
        assembly.operatorWithoutWork(TRANSFORM, TextFunctions.FIRST_WORD_LAST).shuffleGrouping(SPOUT);
        assembly.operatorWithoutWork(FILTER, TextFunctions.KEEP_FOUR_FIFTHS).shuffleGrouping(TRANSFORM);
        assembly.operatorWithWork(JOIN, TextFunctions.PASS).shuffleGrouping(FILTER);
        assembly.operatorWithoutWork(FILTER_2, TextFunctions.KEEP_OTHER_FOUR_FIFTHS).shuffleGrouping(JOIN);
        assembly.operatorWithWork(AGGREGATE, (text, sequence, seed) -> aggregate(text)).shuffleGrouping(FILTER_2);
        assembly.sink(OUTPUT, CountBolt.discarding(false), 1).shuffleGrouping(AGGREGATE);
        return assembly.topology();
    }

    @Override
    public Map<String, Map<String, Long>> expectedResults(ExampleConfiguration configuration) throws IOException {
        Map<String, Map<String, Long>> expected = new TreeMap<>();
        long seed = configuration.number(ExampleKeys.SEED);
        InputRecords.forEachText(configuration, (text, sequence) -> {
            if (TextFunctions.isKept(sequence, seed) && TextFunctions.isKept(sequence, ~seed)) {
                InputRecords.add(expected, OUTPUT, aggregate(TextFunctions.FIRST_WORD_LAST.apply(text, sequence, seed)));
            }
        });
        return expected;
    }

    /** Appends the length of the text. */
    private static String aggregate(String text) {
        return text + " (" + text.length() + ')';
    }
}
