package io.eyewall.examples;

import com.google.gson.stream.JsonReader;
import io.eyewall.examples.configuration.ExampleConfiguration;
import io.eyewall.examples.operator.AdEventSource;
import io.eyewall.examples.operator.Advertisements;
import io.eyewall.examples.operator.CampaignJoinBolt;
import io.eyewall.examples.operator.CampaignWindowBolt;
import io.eyewall.examples.operator.FunctionBolt;
import io.eyewall.examples.operator.MalformedRecordException;
import io.eyewall.examples.operator.MessageSource;
import io.eyewall.examples.operator.TopologyAssembly;
import java.io.IOException;
import java.io.StringReader;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.thrift.TException;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/**
 * The Yahoo Streaming Benchmark (S. Chintapalli et al., Benchmarking Streaming Computation Engines: Storm, Flink and Spark Streaming,
 * IPDPS Workshops 2016) with a spout instead of Kafka: how often the advertisements of each campaign were viewed in each window of ten
 * seconds, joined and counted in Redis.
 *
 * <p>The benchmark's own latency, which can be read from Redis, is the time of the last write to a window minus the start of the window,
 * and so includes the window. The latency that this topology measures is that of each message, as in all examples.
 */
public final class YahooStreamingTopology implements ExampleTopology {

    private static final String SPOUT = "spout";
    private static final String DESERIALIZE = "deserialize";
    private static final String FILTER = "filter";
    private static final String PROJECTION = "projection";
    private static final String JOIN = "join";
    private static final String WINDOW = "window";

    private static final Fields EVENT =
        new Fields("userId", "pageId", "adId", "adType", "eventType", "eventMs", "ipAddress", MessageSource.DUE_NS);
    private static final int AD_ID = 2;
    private static final int EVENT_TYPE = 4;
    private static final int EVENT_MS = 5;
    private static final int DUE_NS = 7;

    /**
     * Submits this topology; see {@link Main}.
     */
    public static void main(String[] arguments) throws TException {
        Main.submit(new YahooStreamingTopology(), arguments);
    }

    @Override
    public String name() {
        return "yahoo-streaming";
    }

    @Override
    public String picture() {
        return "spout -> deserialize -> filter 1/3 -> projection -> join (Redis) -> (fields: campaign) window* (Redis)";
    }

    @Override
    public boolean readsInput() {
        return false;
    }

    @Override
    public StormTopology build(ExampleConfiguration configuration) {
        TopologyAssembly assembly = new TopologyAssembly(configuration);
        assembly.spout(SPOUT, new AdEventSource());
        assembly.bolt(DESERIALIZE, new FunctionBolt(EVENT, (tuple, seed) -> deserialize(tuple), false), 1).shuffleGrouping(SPOUT);
        assembly.bolt(FILTER, new FunctionBolt(EVENT, (tuple, seed) -> filter(tuple), false), 1).shuffleGrouping(DESERIALIZE);
        assembly.bolt(PROJECTION, new FunctionBolt(new Fields("adId", "eventMs", MessageSource.DUE_NS),
            (tuple, seed) -> new Values(tuple.getValue(AD_ID), tuple.getValue(EVENT_MS), tuple.getValue(DUE_NS)), false), 1)
            .shuffleGrouping(FILTER);
        assembly.bolt(JOIN, new CampaignJoinBolt(), 1).shuffleGrouping(PROJECTION);
        assembly.sink(WINDOW, new CampaignWindowBolt(), 1).fieldsGrouping(JOIN, new Fields("campaign"));
        return assembly.topology();
    }

    /**
     * The views of each campaign in all windows together, since the window of an event depends on when it was due.
     */
    @Override
    public Map<String, Map<String, Long>> expectedResults(ExampleConfiguration configuration) {
        Map<String, Map<String, Long>> expected = new TreeMap<>();
        Advertisements advertisements = new Advertisements(configuration);
        long records = InputRecords.count(configuration);
        for (long sequence = 0; sequence < records; sequence++) {
            if (advertisements.isView(sequence)) {
                InputRecords.add(expected, WINDOW, advertisements.campaign(advertisements.ofEvent(sequence)));
            }
        }
        return expected;
    }

    private static Values deserialize(Tuple tuple) throws MalformedRecordException {
        String text = tuple.getString(0);
        Map<String, String> event = new HashMap<>();
        try (JsonReader json = new JsonReader(new StringReader(text))) {
            json.beginObject();
            while (json.hasNext()) {
                event.put(json.nextName(), json.nextString());
            }
            json.endObject();
            return new Values(event.get("user_id"), event.get("page_id"), event.get("ad_id"), event.get("ad_type"),
                event.get("event_type"), Long.valueOf(event.get("event_time")), event.get("ip_address"), tuple.getValue(1));
        } catch (IOException | IllegalStateException | NumberFormatException malformed) {
            throw new MalformedRecordException("Expected an advertisement event, but got: " + text, malformed);
        }
    }

    private static Values filter(Tuple tuple) {
        return tuple.getString(EVENT_TYPE).equals(AdEventSource.VIEW) ? new Values(tuple.getValues().toArray()) : null;
    }
}
