package io.eyewall.web.json;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.storm.Config;
import org.apache.storm.generated.BoltAggregateStats;
import org.apache.storm.generated.CommonAggregateStats;
import org.apache.storm.generated.ComponentAggregateStats;
import org.apache.storm.generated.DebugOptions;
import org.apache.storm.generated.ErrorInfo;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.TopologyPageInfo;
import org.apache.storm.generated.TopologyStats;
import org.apache.storm.utils.Utils;

/** One topology: its figures, components, workers and configuration. Latencies are in milliseconds, memory is in MB. */
public final class TopologyJson {

    private static final int SHORT_ERROR_CHARS = 200;
    private static final double DEFAULT_SAMPLING_PERCENT = 10;

    private final ClusterJson cluster;
    private final LogLinks logs;
    private final InstantSource clock;

    /** With the configuration of the cluster, and the clock that ages of errors are counted with. */
    public TopologyJson(Map<String, Object> conf, InstantSource clock) {
        this.cluster = new ClusterJson(conf);
        this.logs = LogLinks.of(conf);
        this.clock = clock;
    }

    /**
     * {@code topology/{id}}.
     *
     * @param configuration the topology's, without secrets
     * @param user null if nobody has logged in
     */
    public Map<String, Object> page(TopologyPageInfo topology, Map<String, Object> configuration, String window, String user) {
        Map<String, Object> json = new LinkedHashMap<>();
        putIdentity(json, topology);
        putResources(json, topology);
        json.put("user", user);
        json.put("window", window);
        json.put("windowHint", Values.windowHint(window));
        json.put("msgTimeout", configuration.get(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS));
        json.put("topologyStats", windows(topology.get_topology_stats()));
        json.put("spouts", components(topology.get_id_to_spout_agg_stats(), topology.get_id(), "spoutId", "encodedSpoutId"));
        json.put("bolts", components(topology.get_id_to_bolt_agg_stats(), topology.get_id(), "boltId", "encodedBoltId"));
        json.put("workers", cluster.workers(topology.get_workers()));
        json.put("configuration", configuration);
        putDebug(json, topology.get_debug_options());
        json.put("visualizationTable", List.of());
        cluster.putDisplay(json);
        cluster.putLinks(json);
        return json;
    }

    /** {@code topology-workers/{id}}: every host and port once, in order. */
    public Map<String, Object> workers(List<ExecutorSummary> executors) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("hostPortList", executors.stream()
            .sorted(Comparator.comparing(ExecutorSummary::get_host).thenComparing(ExecutorSummary::get_port))
            .map(executor -> {
                Map<String, Object> place = new LinkedHashMap<>();
                place.put("host", executor.get_host());
                place.put("port", executor.get_port());
                return place;
            }).distinct().toList());
        logs.putLogviewer(json);
        return json;
    }

    static void putDebug(Map<String, Object> json, DebugOptions options) {
        json.put("debug", options != null && options.is_enable());
        json.put("samplingPct", options != null && options.is_enable() ? options.get_samplingpct() : DEFAULT_SAMPLING_PERCENT);
    }

    static void putCounts(Map<String, Object> json, CommonAggregateStats common) {
        json.put("emitted", common.get_emitted());
        json.put("transferred", common.get_transferred());
        json.put("acked", common.get_acked());
        json.put("failed", common.get_failed());
    }

    /** Adds the figures that only a spout or only a bolt has. */
    static void putSpecific(Map<String, Object> json, ComponentAggregateStats stats) {
        if (stats.get_specific_stats().is_set_spout()) {
            json.put("completeLatency", Values.number(stats.get_specific_stats().get_spout().get_complete_latency_ms()));
        } else {
            BoltAggregateStats bolt = stats.get_specific_stats().get_bolt();
            json.put("executed", bolt.get_executed());
            json.put("executeLatency", Values.number(bolt.get_execute_latency_ms()));
            json.put("processLatency", Values.number(bolt.get_process_latency_ms()));
            json.put("capacity", Values.number(bolt.get_capacity()));
        }
    }

    /** An error with the text under {@code name}; null for {@code error} gives the same fields without values. */
    Map<String, Object> error(ErrorInfo error, String topologyId, String name) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put(name, error == null ? "" : error.get_error());
        json.put("errorHost", error == null ? "" : error.get_host());
        json.put("errorPort", error == null ? null : error.get_port());
        json.put("errorTime", error == null ? null : error.get_error_time_secs());
        json.put("errorLapsedSecs", error == null ? null : Math.max(0, clock.instant().getEpochSecond() - error.get_error_time_secs()));
        json.put("errorWorkerLogLink",
            error == null || error.get_host() == null ? "" : logs.worker(topologyId, error.get_host(), error.get_port()));
        return json;
    }

    private static void putIdentity(Map<String, Object> json, TopologyPageInfo topology) {
        json.put("id", topology.get_id());
        json.put("encodedId", Utils.urlEncodeUtf8(topology.get_id()));
        json.put("name", topology.get_name());
        json.put("owner", topology.get_owner());
        json.put("status", topology.get_status());
        json.put("uptime", Values.duration(topology.get_uptime_secs()));
        json.put("uptimeSeconds", topology.get_uptime_secs());
        json.put("workersTotal", topology.get_num_workers());
        json.put("executorsTotal", topology.get_num_executors());
        json.put("tasksTotal", topology.get_num_tasks());
        json.put("replicationCount", topology.get_replication_count());
        json.put("schedulerInfo", topology.get_sched_status());
        json.put("topologyVersion", topology.get_topology_version());
        json.put("stormVersion", topology.get_storm_version());
    }

    private static void putResources(Map<String, Object> json, TopologyPageInfo topology) {
        json.put("requestedMemOnHeap", topology.get_requested_memonheap());
        json.put("requestedMemOffHeap", topology.get_requested_memoffheap());
        json.put("requestedTotalMem", topology.get_requested_memonheap() + topology.get_requested_memoffheap());
        json.put("requestedCpu", topology.get_requested_cpu());
        json.put("requestedRegularOnHeapMem", topology.get_requested_regular_on_heap_memory());
        json.put("requestedSharedOnHeapMem", topology.get_requested_shared_on_heap_memory());
        json.put("requestedRegularOffHeapMem", topology.get_requested_regular_off_heap_memory());
        json.put("requestedSharedOffHeapMem", topology.get_requested_shared_off_heap_memory());
        json.put("requestedGenericResources", Values.genericResources(topology.get_requested_generic_resources()));
        json.put("assignedMemOnHeap", topology.get_assigned_memonheap());
        json.put("assignedMemOffHeap", topology.get_assigned_memoffheap());
        json.put("assignedTotalMem", topology.get_assigned_memonheap() + topology.get_assigned_memoffheap());
        json.put("assignedCpu", topology.get_assigned_cpu());
        json.put("assignedRegularOnHeapMem", topology.get_assigned_regular_on_heap_memory());
        json.put("assignedSharedOnHeapMem", topology.get_assigned_shared_on_heap_memory());
        json.put("assignedRegularOffHeapMem", topology.get_assigned_regular_off_heap_memory());
        json.put("assignedSharedOffHeapMem", topology.get_assigned_shared_off_heap_memory());
        json.put("assignedGenericResources", Values.genericResources(topology.get_assigned_generic_resources()));
    }

    private static List<Map<String, Object>> windows(TopologyStats stats) {
        List<Map<String, Object>> windows = new ArrayList<>();
        for (String window : Values.WINDOWS) {
            if (stats.get_window_to_emitted().containsKey(window)) {
                Map<String, Object> json = new LinkedHashMap<>();
                json.put("window", window);
                json.put("windowPretty", Values.windowHint(window));
                json.put("emitted", stats.get_window_to_emitted().get(window));
                json.put("transferred", stats.get_window_to_transferred().getOrDefault(window, 0L));
                json.put("completeLatency", Values.number(stats.get_window_to_complete_latencies_ms().get(window)));
                json.put("acked", stats.get_window_to_acked().getOrDefault(window, 0L));
                json.put("failed", stats.get_window_to_failed().getOrDefault(window, 0L));
                windows.add(json);
            }
        }
        return windows;
    }

    private List<Map<String, Object>> components(Map<String, ComponentAggregateStats> byId, String topologyId, String idName,
            String encodedIdName) {
        List<Map<String, Object>> components = new ArrayList<>();
        new TreeMap<>(byId).forEach((id, stats) -> {
            CommonAggregateStats common = stats.get_common_stats();
            Map<String, Object> json = new LinkedHashMap<>();
            json.put(idName, id);
            json.put(encodedIdName, Utils.urlEncodeUtf8(id));
            json.put("executors", common.get_num_executors());
            json.put("tasks", common.get_num_tasks());
            putCounts(json, common);
            putSpecific(json, stats);
            Values.putRequested(json, common.get_resources_map(), "requestedGenericResourcesComp");
            json.putAll(lastError(stats.get_last_error(), topologyId));
            components.add(json);
        });
        return components;
    }

    private Map<String, Object> lastError(ErrorInfo error, String topologyId) {
        Map<String, Object> json = error(error, topologyId, "lastError");
        json.computeIfPresent("lastError", (name, text) -> {
            String whole = String.valueOf(text);
            return whole.substring(0, Math.min(whole.length(), SHORT_ERROR_CHARS));
        });
        return json;
    }
}
