package io.eyewall.examples;

import clojure.java.api.Clojure;
import io.eyewall.examples.configuration.ExampleConfiguration;
import io.eyewall.examples.operator.ClojureSerializers;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.thrift.TException;

/**
 * A word count whose bolts are written in Clojure, through storm-clojure. The topology is in {@code clojure_word_count.clj}; this class
 * adds its name, main class and self-check. It counts words, and under {@code ^word} the words at the beginning of a line.
 */
public final class ClojureWordCountTopology implements ExampleTopology {

    private static final String NAMESPACE = "io.eyewall.examples.clojure-word-count";
    private static final String COUNT = "count";
    private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{Nd}]+");

    /**
     * Submits this topology; see {@link Main}.
     */
    public static void main(String[] arguments) throws TException {
        Main.submit(new ClojureWordCountTopology(), arguments);
    }

    @Override
    public String name() {
        return "clojure-word-count";
    }

    @Override
    public String picture() {
        return "spout -> split -> (fields: word) count* x4";
    }

    @Override
    public Map<String, Object> requiredConfiguration() {
        return Map.of(Config.TOPOLOGY_KRYO_REGISTER, ClojureSerializers.registrations());
    }

    @Override
    public StormTopology build(ExampleConfiguration configuration) {
        Clojure.var("clojure.core", "require").invoke(Clojure.read(NAMESPACE));
        return (StormTopology) Clojure.var(NAMESPACE, "word-count").invoke(configuration);
    }

    @Override
    public Map<String, Map<String, Long>> expectedResults(ExampleConfiguration configuration) throws IOException {
        Map<String, Map<String, Long>> expected = new TreeMap<>();
        InputRecords.forEachText(configuration, (text, sequence) -> {
            Matcher words = WORD.matcher(text);
            for (boolean first = true; words.find(); first = false) {
                InputRecords.add(expected, COUNT, words.group());
                if (first) {
                    InputRecords.add(expected, COUNT, '^' + words.group());
                }
            }
        });
        return expected;
    }
}
