package io.eyewall.web.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.storm.generated.ComponentAggregateStats;
import org.apache.storm.generated.DebugOptions;
import org.apache.storm.generated.ExecutorInfo;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.TopologyPageInfo;
import org.apache.storm.generated.TopologyStats;
import org.junit.jupiter.api.Test;

class TopologyJsonTest {

    private static final Set<String> SHARED = Set.of("executors", "tasks", "emitted", "transferred", "acked", "failed",
        "requestedMemOnHeap", "requestedMemOffHeap", "requestedCpu", "requestedGenericResourcesComp", "lastError", "errorHost", "errorPort",
        "errorTime", "errorLapsedSecs", "errorWorkerLogLink");

    private static final TopologyJson JSON = new TopologyJson(Summaries.CONF, Summaries.CLOCK);

    @Test
    void shouldHaveUpstreamsFields() {
        Map<String, Object> json = JSON.page(page(), Map.of("topology.message.timeout.secs", 30L), "600", null);

        assertEquals(Set.of("id", "encodedId", "name", "owner", "status", "uptime", "uptimeSeconds", "workersTotal", "executorsTotal",
            "tasksTotal", "replicationCount", "schedulerInfo", "topologyVersion", "stormVersion", "requestedMemOnHeap",
            "requestedMemOffHeap", "requestedTotalMem", "requestedCpu", "requestedRegularOnHeapMem", "requestedSharedOnHeapMem",
            "requestedRegularOffHeapMem", "requestedSharedOffHeapMem", "requestedGenericResources", "assignedMemOnHeap",
            "assignedMemOffHeap", "assignedTotalMem", "assignedCpu", "assignedRegularOnHeapMem", "assignedSharedOnHeapMem",
            "assignedRegularOffHeapMem", "assignedSharedOffHeapMem", "assignedGenericResources", "user", "window", "windowHint",
            "msgTimeout", "topologyStats", "spouts", "bolts", "workers", "configuration", "debug", "samplingPct", "visualizationTable",
            "schedulerDisplayResource", "bugtracker-url", "central-log-url"), json.keySet());
        assertEquals(List.of("600", "10m 0s", 30L, false, 10.0),
            List.of("window", "windowHint", "msgTimeout", "debug", "samplingPct").stream().map(json::get).toList());
    }

    @Test
    void shouldWriteLatenciesAndCapacityAsText() {
        Map<String, Object> json = JSON.page(page(), Map.of(), ":all-time", null);
        Map<?, ?> spout = (Map<?, ?>) ((List<?>) json.get("spouts")).get(0);
        Map<?, ?> bolt = (Map<?, ?>) ((List<?>) json.get("bolts")).get(0);

        assertEquals(with(SHARED, "spoutId", "encodedSpoutId", "completeLatency"), spout.keySet());
        assertEquals("920.497", spout.get("completeLatency"));
        assertEquals(with(SHARED, "boltId", "encodedBoltId", "executed", "executeLatency", "processLatency", "capacity"), bolt.keySet());
        assertEquals(List.of("split/er", "split%2Fer", "0.048", "2.112", "0.003", 28_780L),
            List.of("boltId", "encodedBoltId", "executeLatency", "processLatency", "capacity", "executed").stream().map(bolt::get)
                .toList());
    }

    @Test
    void shouldShowTheBeginningOfTheLastErrorAndItsAge() {
        Map<String, Object> json = JSON.page(page(), Map.of(), ":all-time", null);
        Map<?, ?> spout = (Map<?, ?>) ((List<?>) json.get("spouts")).get(0);
        Map<?, ?> bolt = (Map<?, ?>) ((List<?>) json.get("bolts")).get(0);

        assertEquals(200, ((String) bolt.get("lastError")).length());
        assertEquals(List.of("10.11.1.7", 6707, 1_000, 20L), List.of("errorHost", "errorPort", "errorTime", "errorLapsedSecs").stream()
            .map(bolt::get).toList());
        assertEquals("", spout.get("lastError"));
        assertNull(spout.get("errorTime"));
    }

    @Test
    void shouldListTheWindowsFromTheShortest() {
        List<?> windows = (List<?>) JSON.page(page(), Map.of(), ":all-time", null).get("topologyStats");

        assertEquals(List.of(
            Map.of("window", "600", "windowPretty", "10m 0s", "emitted", 7L, "transferred", 6L, "completeLatency", "1.500", "acked", 0L,
                "failed", 0L),
            Map.of("window", ":all-time", "windowPretty", "All time", "emitted", 9L, "transferred", 8L, "completeLatency", "0", "acked", 5L,
                "failed", 1L)), windows);
    }

    @Test
    void shouldSayThatDebuggingIsOnAndHowMuchIsLogged() {
        TopologyPageInfo page = page();
        DebugOptions options = new DebugOptions();
        options.set_enable(true);
        options.set_samplingpct(25);
        page.set_debug_options(options);

        Map<String, Object> json = JSON.page(page, Map.of(), ":all-time", "bert");

        assertEquals(List.of(true, 25.0, "bert"), List.of(json.get("debug"), json.get("samplingPct"), json.get("user")));
    }

    @Test
    void shouldListEveryWorkerOnceInOrder() {
        List<ExecutorSummary> executors = List.of(executor("b", 6701), executor("a", 6702), executor("b", 6701));

        assertEquals(Map.of("hostPortList", List.of(Map.of("host", "a", "port", 6702), Map.of("host", "b", "port", 6701)),
            "logviewerPort", 8000, "logviewerScheme", "http"), JSON.workers(executors));
    }

    private static Set<String> with(Set<String> shared, String... more) {
        Set<String> all = new TreeSet<>(shared);
        all.addAll(List.of(more));
        return all;
    }

    private static ExecutorSummary executor(String host, int port) {
        return new ExecutorSummary(new ExecutorInfo(1, 1), "words", host, port, 10);
    }

    private static TopologyPageInfo page() {
        ComponentAggregateStats failing = Summaries.bolt();
        failing.set_last_error(Summaries.error());
        TopologyStats stats = new TopologyStats();
        stats.set_window_to_emitted(new HashMap<>(Map.of(":all-time", 9L, "600", 7L)));
        stats.set_window_to_transferred(Map.of(":all-time", 8L, "600", 6L));
        stats.set_window_to_complete_latencies_ms(Map.of("600", 1.5));
        stats.set_window_to_acked(Map.of(":all-time", 5L));
        stats.set_window_to_failed(Map.of(":all-time", 1L));
        TopologyPageInfo page = new TopologyPageInfo(Summaries.TOPOLOGY);
        page.set_name("wordcount");
        page.set_topology_stats(stats);
        page.set_id_to_spout_agg_stats(Map.of("words", Summaries.spout()));
        page.set_id_to_bolt_agg_stats(Map.of("split/er", failing));
        page.set_workers(List.of(Summaries.worker()));
        return page;
    }
}
