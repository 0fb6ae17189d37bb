package io.eyewall.web.json;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.apache.storm.generated.BoltStats;
import org.apache.storm.generated.ExecutorInfo;
import org.apache.storm.generated.ExecutorSpecificStats;
import org.apache.storm.generated.ExecutorStats;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.SpoutStats;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.testing.TestWordCounter;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.junit.jupiter.api.Test;

class GraphJsonTest {

    private static final GlobalStreamId WORDS = new GlobalStreamId("words", "default");

    @Test
    void shouldShowComponentsWithWhatTheyRead() {
        Map<String, Object> json = graph("600", false).components(false);

        assertEquals(List.of("count", "words"), List.copyOf(json.keySet()));
        Map<?, ?> count = (Map<?, ?>) json.get("count");
        assertEquals(List.of(":type", ":capacity", ":latency", ":transferred", ":stats", ":link", ":inputs"), List.copyOf(count.keySet()));
        assertEquals(List.of(Map.of(":component", "words", ":stream", "default", ":sani-stream", "default", ":grouping", "fields")),
            count.get(":inputs"));
        assertEquals("/component.html?id=count&topology_id=t-1-1", count.get(":link"));
        Map<?, ?> words = (Map<?, ?>) json.get("words");
        assertEquals(List.of(30L, 5.0), List.of(words.get(":transferred"), words.get(":latency")));
        assertEquals(0.4, (double) count.get(":latency"), 1e-9);
        assertEquals(Map.of("600", Map.of("default", 10L)), ((Map<?, ?>) ((List<?>) words.get(":stats")).get(0)).get(":transferred"));
    }

    @Test
    void shouldAddUpExecutorsWhereTheirSumIsWanted() {
        Map<?, ?> words = (Map<?, ?>) graph("600", false).components(true).get("words");

        assertEquals(List.of(Map.of(":transferred", Map.of("600", Map.of("default", 30L)))), words.get(":stats"));
        assertEquals(graph("600", false).components(false).keySet(), graph("600", false).components(true).keySet());
    }

    @Test
    void shouldListTheStreamsThatAreRead() {
        assertEquals(Map.of("visualizationTable", List.of(Map.of(":row",
            List.of(Map.of(":stream", "default", ":sani-stream", "default", ":checked", true))))), graph("600", false).streams());
    }

    @Test
    void shouldAddUpStreamsAndWeighLatenciesByTheirCounts() {
        Map<String, Object> json = graph("600", false).metrics();

        assertEquals(List.of(Map.of("id", "words", "emitted", List.of(Map.of("stream_id", "default", "value", 30L)),
            "transferred", List.of(Map.of("stream_id", "default", "value", 30L)),
            "acked", List.of(Map.of("stream_id", "default", "value", 30L)), "failed", List.of(),
            "complete_ms_avg", List.of(Map.of("stream_id", "default", "value", "5.000")))), json.get("spouts"));
        Map<?, ?> bolt = (Map<?, ?>) ((List<?>) json.get("bolts")).get(0);
        assertEquals(List.of(Map.of("component_id", "words", "stream_id", "default", "value", "0.500")), bolt.get("executed_ms_avg"));
        assertEquals(List.of("id", "emitted", "transferred", "acked", "failed", "process_ms_avg", "executed", "executed_ms_avg"),
            List.copyOf(bolt.keySet()));
    }

    @Test
    void shouldShowStormsOwnStreamsOnlyWhenAsked() {
        List<?> emitted = (List<?>) ((Map<?, ?>) ((List<?>) graph("600", true).metrics().get("spouts")).get(0)).get("emitted");

        assertEquals(List.of("__system", "default"), emitted.stream().map(figure -> ((Map<?, ?>) figure).get("stream_id")).toList());
    }

    /** Of 30 tuples, 10 took 3 ms on one executor and 20 took 6 ms on the other. */
    private static GraphJson graph(String window, boolean system) {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("words", new TestWordSpout(), 2);
        builder.setBolt("count", new TestWordCounter()).fieldsGrouping("words", new Fields("word"));
        StormTopology topology = builder.createTopology();
        return new GraphJson(topology, "t-1-1", List.of(words(1, 10, 3), words(2, 20, 6), count()), window, system);
    }

    private static ExecutorSummary words(int task, long count, double latencyMs) {
        SpoutStats spout = new SpoutStats(window(Map.of("default", count)), window(Map.of()), window(Map.of("default", latencyMs)));
        return executor("words", task, window(Map.of("default", count, "__system", 1L)), window(Map.of("default", count)),
            ExecutorSpecificStats.spout(spout));
    }

    private static ExecutorSummary count() {
        BoltStats bolt = new BoltStats(window(Map.of(WORDS, 30L)), window(Map.of()), window(Map.of(WORDS, 0.4)), window(Map.of(WORDS, 30L)),
            window(Map.of(WORDS, 0.5)));
        return executor("count", 3, window(Map.of()), window(Map.of()), ExecutorSpecificStats.bolt(bolt));
    }

    private static <K, V> Map<String, Map<K, V>> window(Map<K, V> figures) {
        return Map.of("600", figures);
    }

    private static ExecutorSummary executor(String component, int task, Map<String, Map<String, Long>> emitted,
            Map<String, Map<String, Long>> transferred, ExecutorSpecificStats specific) {
        ExecutorSummary executor = new ExecutorSummary(new ExecutorInfo(task, task), component, "host1", 6700, 700);
        executor.set_stats(new ExecutorStats(emitted, transferred, specific, 1.0));
        return executor;
    }
}
