package io.eyewall.web.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.storm.generated.ComponentAggregateStats;
import org.apache.storm.generated.ComponentPageInfo;
import org.apache.storm.generated.ComponentType;
import org.apache.storm.generated.ExecutorAggregateStats;
import org.apache.storm.generated.ExecutorInfo;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.generated.ProfileAction;
import org.apache.storm.generated.ProfileRequest;
import org.junit.jupiter.api.Test;

class ComponentJsonTest {

    private static final Set<String> SHARED = Set.of("user", "id", "encodedId", "componentType", "name", "topologyId", "encodedTopologyId",
        "topologyStatus", "executors", "tasks", "window", "windowHint", "schedulerDisplayResource", "outputStats", "executorStats",
        "componentErrors", "debug", "samplingPct", "profilingAndDebuggingCapable", "profileActionEnabled", "profilerActive");
    private static final Set<String> COUNTS = Set.of("emitted", "transferred", "acked", "failed");
    private static final Set<String> OF_EXECUTOR =
        Set.of("id", "encodedId", "uptime", "uptimeSeconds", "host", "port", "workerLogLink");

    private static final ComponentJson JSON = new ComponentJson(Summaries.CONF, Summaries.CLOCK);

    @Test
    void shouldHaveUpstreamsFieldsOfASpout() {
        ComponentPageInfo page = page(ComponentType.SPOUT, Summaries.spout());
        page.set_sid_to_output_stats(Map.of("default", Summaries.spout()));

        Map<String, Object> json = JSON.page(page, 0, List.of(), ":all-time", null);

        assertEquals(with(SHARED, "spoutSummary"), json.keySet());
        assertEquals(with(COUNTS, "window", "windowPretty", "completeLatency"), first(json, "spoutSummary").keySet());
        assertEquals("920.497", first(json, "spoutSummary").get("completeLatency"));
        assertEquals(with(COUNTS, "stream", "completeLatency"), first(json, "outputStats").keySet());
        assertEquals(with(OF_EXECUTOR, with(COUNTS, "completeLatency").toArray(String[]::new)), first(json, "executorStats").keySet());
        assertEquals("spout", json.get("componentType"));
    }

    @Test
    void shouldHaveUpstreamsFieldsOfABolt() {
        ComponentPageInfo page = page(ComponentType.BOLT, Summaries.bolt());
        page.set_gsid_to_input_stats(Map.of(new GlobalStreamId("words", "default"), Summaries.bolt()));
        page.set_sid_to_output_stats(Map.of("default", Summaries.bolt()));
        page.set_eventlog_host("10.11.1.7");
        page.set_eventlog_port(6707);
        page.set_errors(List.of(Summaries.error()));
        ProfileRequest profile = new ProfileRequest(new NodeInfo("10.11.1.7", Set.of(6707L)), ProfileAction.JPROFILE_STOP);
        profile.set_time_stamp(1_030_000);

        Map<String, Object> json = JSON.page(page, 0, List.of(profile), "600", "bert");

        assertEquals(with(SHARED, "boltStats", "inputStats", "eventLogLink"), json.keySet());
        Set<String> ofBolt = with(COUNTS, "executed", "executeLatency", "processLatency", "capacity");
        assertEquals(with(ofBolt, "window", "windowPretty"), first(json, "boltStats").keySet());
        assertEquals(Map.of("component", "words", "encodedComponentId", "words", "stream", "default", "executeLatency", "0.048",
            "processLatency", "2.112", "executed", 28_780L, "acked", 28_860L, "failed", 3L), first(json, "inputStats"));
        assertEquals(Map.of("stream", "default", "emitted", 28_880L, "transferred", 28_870L), first(json, "outputStats"));
        assertEquals(with(ofBolt, OF_EXECUTOR.toArray(String[]::new)), first(json, "executorStats").keySet());
        assertEquals("[24-25]", first(json, "executorStats").get("id"));
        assertTrue(((String) first(json, "componentErrors").get("error")).length() > 300, "the error is whole");
        assertEquals(Map.of("host", "10.11.1.7", "port", "6707", "timestamp", -10_000L,
            "dumplink", "http://10.11.1.7:8000/api/v1/dumps/" + Summaries.TOPOLOGY + "/10.11.1.7:6707"), first(json, "profilerActive"));
    }

    @Test
    void shouldLinkToTheLogOfTheProcessInWhichAnExecutorRuns() {
        ComponentPageInfo page = page(ComponentType.BOLT, Summaries.bolt());
        List<ExecutorAggregateStats> executors = new ArrayList<>();
        for (ExecutorSummary executor : List.of(at(8, 6700), at(4, 6700), at(5, 6701), at(6, 6700))) {
            executors.add(new ExecutorAggregateStats(page.get_exec_stats().get(0)));
            executors.get(executors.size() - 1).set_exec_summary(executor);
        }
        page.set_exec_stats(executors);
        page.set_gsid_to_input_stats(Map.of());
        page.set_sid_to_output_stats(Map.of());

        assertEquals(List.of("6700/worker.log", "6700/worker.log", "6701/worker.log", "6700/worker.log"), logs(page, 0));
        assertEquals(List.of("6700/part-8.log", "6700/part-4.log", "6701/part-5.log", "6700/part-4.log"), logs(page, 2));
    }

    private static ExecutorSummary at(int task, int port) {
        return new ExecutorSummary(new ExecutorInfo(task, task), "part", "10.11.1.7", port, 1);
    }

    private static List<String> logs(ComponentPageInfo page, int executorsPerInstance) {
        String prefix = "http://10.11.1.7:8000/api/v1/log?file=" + Summaries.TOPOLOGY + "%2F";
        return ((List<?>) JSON.page(page, executorsPerInstance, List.of(), "600", null).get("executorStats")).stream()
            .map(executor -> (String) ((Map<?, ?>) executor).get("workerLogLink"))
            .map(link -> link.startsWith(prefix) ? link.substring(prefix.length()).replace("%2F", "/") : link).toList();
    }

    private static Map<?, ?> first(Map<String, Object> json, String name) {
        return (Map<?, ?>) ((List<?>) json.get(name)).get(0);
    }

    private static Set<String> with(Set<String> shared, String... more) {
        Set<String> all = new TreeSet<>(shared);
        all.addAll(List.of(more));
        return all;
    }

    private static ComponentPageInfo page(ComponentType type, ComponentAggregateStats stats) {
        ExecutorAggregateStats executor = new ExecutorAggregateStats();
        executor.set_exec_summary(new ExecutorSummary(new ExecutorInfo(24, 25), "part", "10.11.1.7", 6707, 2_584));
        executor.set_stats(stats);
        ComponentPageInfo page = new ComponentPageInfo("part", type);
        page.set_topology_id(Summaries.TOPOLOGY);
        page.set_topology_name("wordcount");
        page.set_window_to_stats(Map.of(":all-time", stats));
        page.set_exec_stats(List.of(executor));
        page.set_errors(List.of());
        return page;
    }
}
