package io.eyewall.examples;

import com.google.gson.stream.JsonReader;
import io.eyewall.examples.configuration.ExampleConfiguration;
import io.eyewall.examples.configuration.ExampleKeys;
import io.eyewall.examples.operator.CountBolt;
import io.eyewall.examples.operator.FunctionBolt;
import io.eyewall.examples.operator.MalformedRecordException;
import io.eyewall.examples.operator.MessageSource;
import io.eyewall.examples.operator.NetworkEventSource;
import io.eyewall.examples.operator.TextFunctions;
import io.eyewall.examples.operator.TopologyAssembly;
import io.eyewall.examples.operator.TupleFunction;
import java.io.IOException;
import java.io.Serializable;
import java.io.StringReader;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.thrift.TException;
import org.apache.storm.topology.IRichBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/**
 * Stela's Network Monitoring. Events are split by their tag. Failures are counted by source, filtered and shortened. Both branches meet
 * in a join, which receives each event at the task that its number selects.
 */
public final class NetworkMonitoringTopology implements ExampleTopology {

    private static final String SPOUT = "spout";
    private static final String PARSE = "parse";
    private static final String FILTER_FAILURE = "filter-failure";
    private static final String PARSE_FAILURE = "parse-failure";
    private static final String AGGREGATE = "aggregate";
    private static final String FILTER = "filter";
    private static final String FUNCTOR = "functor";
    private static final String FILTER_SUCCESS = "filter-success";
    private static final String PARSE_SUCCESS = "parse-success";
    private static final String JOIN = "join";

    private static final Fields EVENT = new Fields("sentence", "count", "id", "tag", MessageSource.DUE_NS);
    private static final int SENTENCE = 0;
    private static final int COUNT = 1;
    private static final int ID = 2;
    private static final int TAG = 3;
    private static final double SHORTENED = 0.8;

    /**
     * Submits this topology; see {@link Main}.
     */
    public static void main(String[] arguments) throws TException {
        Main.submit(new NetworkMonitoringTopology(), arguments);
    }

    @Override
    public String name() {
        return "network-monitoring";
    }

    @Override
    public String picture() {
        return "spout -> parse -> {filter-failure -> parse-failure -> (fields: id) aggregate* -> filter 80 % -> functor, "
            + "filter-success -> parse-success} -> (fields: count) join*";
    }

    @Override
    public StormTopology build(ExampleConfiguration configuration) {
        TopologyAssembly assembly = new TopologyAssembly(configuration);
        assembly.spout(SPOUT, new NetworkEventSource());
        assembly.bolt(PARSE, operator((tuple, seed) -> parse(tuple)), 1).shuffleGrouping(SPOUT);
        assembly.bolt(FILTER_FAILURE, keeping(NetworkEventSource.FAIL), 1).shuffleGrouping(PARSE);
        assembly.bolt(PARSE_FAILURE, rewriting(NetworkMonitoringTopology::failure), 1).shuffleGrouping(FILTER_FAILURE);
        assembly.bolt(AGGREGATE, new FunctionBolt(EVENT, new FailureCounts(), true), 1).fieldsGrouping(PARSE_FAILURE, new Fields("id"));
        assembly.bolt(FILTER, operator((tuple, seed) -> TextFunctions.isKept(tuple.getLong(COUNT), seed) ? copy(tuple) : null), 1)
            .shuffleGrouping(AGGREGATE);
        assembly.bolt(FUNCTOR, rewriting(NetworkMonitoringTopology::shorten), 1).shuffleGrouping(FILTER);
        assembly.bolt(FILTER_SUCCESS, keeping(NetworkEventSource.SUCCESS), 1).shuffleGrouping(PARSE);
        assembly.bolt(PARSE_SUCCESS, rewriting(NetworkMonitoringTopology::success), 1).shuffleGrouping(FILTER_SUCCESS);
        assembly.sink(JOIN, CountBolt.discarding(true), 1)
            .fieldsGrouping(FUNCTOR, new Fields("count"))
            .fieldsGrouping(PARSE_SUCCESS, new Fields("count"));
        return assembly.topology();
    }

    @Override
    public Map<String, Map<String, Long>> expectedResults(ExampleConfiguration configuration) throws IOException {
        Map<String, Map<String, Long>> expected = new TreeMap<>();
        long seed = configuration.number(ExampleKeys.SEED);
        InputRecords.forEachLine(configuration, (line, sequence) -> {
            String sentence = line.substring(line.lastIndexOf('\t') + 1);
            if (NetworkEventSource.isSuccess(sequence, seed)) {
                InputRecords.add(expected, JOIN, success(sentence));
            } else if (TextFunctions.isKept(sequence, seed)) {
                InputRecords.add(expected, JOIN, shorten(failure(sentence)));
            }
        });
        return expected;
    }

    private static IRichBolt operator(TupleFunction function) {
        return new FunctionBolt(EVENT, function, false);
    }

    private static IRichBolt keeping(String tag) {
        return operator((tuple, seed) -> tuple.getString(TAG).equals(tag) ? copy(tuple) : null);
    }

    private static IRichBolt rewriting(SentenceFunction function) {
        return operator((tuple, seed) -> {
            Values values = copy(tuple);
            values.set(SENTENCE, function.apply(tuple.getString(SENTENCE)));
            return values;
        });
    }

    private static Values copy(Tuple tuple) {
        return new Values(tuple.getValues().toArray());
    }

    private static Values parse(Tuple tuple) throws MalformedRecordException {
        String text = tuple.getString(0);
        Map<String, String> event = new HashMap<>();
        try (JsonReader json = new JsonReader(new StringReader(text))) {
            json.beginObject();
            while (json.hasNext()) {
                event.put(json.nextName(), json.nextString());
            }
            json.endObject();
            return new Values(event.get("sentence"), Long.valueOf(event.get("count")), event.get("id"), event.get("tag"),
                tuple.getValue(1));
        } catch (IOException | IllegalStateException | NumberFormatException malformed) {
            throw new MalformedRecordException("Expected an event with id, count, time, sentence and tag, but got: " + text, malformed);
        }
    }

    private static String success(String sentence) {
        return "ok: " + sentence;
    }

    private static String failure(String sentence) {
        return "failed: " + sentence;
    }

    private static String shorten(String sentence) {
        return sentence.substring(0, (int) (sentence.length() * SHORTENED));
    }

    /** A function on the first field. */
    @FunctionalInterface
    private interface SentenceFunction extends Serializable {
        String apply(String sentence);
    }

    /** Counts the failures of each monitored source, and adds the count to the tag of each event. */
    private static final class FailureCounts implements TupleFunction {

        private final HashMap<String, Integer> failures = new HashMap<>();

        @Override
        public Values apply(Tuple tuple, long seed) {
            Values values = copy(tuple);
            values.set(TAG, tuple.getString(TAG) + ' ' + failures.merge(tuple.getString(ID), 1, Integer::sum));
            return values;
        }
    }
}
