package io.eyewall.web.json;

import io.eyewall.client.stream.plan.Instance;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.storm.DaemonConfig;
import org.apache.storm.generated.ComponentAggregateStats;
import org.apache.storm.generated.ComponentPageInfo;
import org.apache.storm.generated.ComponentType;
import org.apache.storm.generated.ErrorInfo;
import org.apache.storm.generated.ExecutorAggregateStats;
import org.apache.storm.generated.ExecutorInfo;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.ProfileRequest;
import org.apache.storm.utils.Utils;

/** One spout or bolt: its figures by window, stream and executor, and its errors. */
public final class ComponentJson {

    private final Map<String, Object> conf;
    private final ClusterJson cluster;
    private final TopologyJson topology;
    private final LogLinks logs;
    private final InstantSource clock;

    /** With the configuration of the cluster, and the clock that ages are counted with. */
    public ComponentJson(Map<String, Object> conf, InstantSource clock) {
        this.conf = conf;
        this.cluster = new ClusterJson(conf);
        this.topology = new TopologyJson(conf, clock);
        this.logs = LogLinks.of(conf);
        this.clock = clock;
    }

    /**
     * {@code topology/{id}/component/{component}}.
     *
     * @param executorsPerInstance how many of its executors share a process behind a stream manager at most; 0 if they run in workers
     * @param profiles the profiles that are being taken of the component's workers
     * @param user null if nobody has logged in
     */
    public Map<String, Object> page(ComponentPageInfo page, int executorsPerInstance, List<ProfileRequest> profiles, String window,
            String user) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("user", user);
        json.put("id", page.get_component_id());
        json.put("encodedId", Utils.urlEncodeUtf8(page.get_component_id()));
        json.put("componentType", page.get_component_type().toString().toLowerCase(Locale.ROOT));
        json.put("name", page.get_topology_name());
        json.put("topologyId", page.get_topology_id());
        json.put("encodedTopologyId", Utils.urlEncodeUtf8(page.get_topology_id()));
        json.put("topologyStatus", page.get_topology_status());
        json.put("executors", page.get_num_executors());
        json.put("tasks", page.get_num_tasks());
        json.put("window", window);
        json.put("windowHint", Values.windowHint(window));
        Values.putRequested(json, page.get_resources_map(), "requestedGenericResources");
        cluster.putDisplay(json);
        boolean bolt = page.get_component_type() == ComponentType.BOLT;
        json.put(bolt ? "boltStats" : "spoutSummary", windows(page.get_window_to_stats()));
        if (bolt) {
            json.put("inputStats", inputs(page.get_gsid_to_input_stats()));
        }
        json.put("outputStats", outputs(page.get_sid_to_output_stats(), bolt));
        json.put("executorStats", executors(page, executorsPerInstance));
        json.put("componentErrors", errors(page));
        TopologyJson.putDebug(json, page.get_debug_options());
        if (page.get_eventlog_host() != null && !page.get_eventlog_host().isEmpty()) {
            json.put("eventLogLink", logs.events(page.get_topology_id(), page.get_eventlog_host(), page.get_eventlog_port()));
        }
        json.put("profilingAndDebuggingCapable", true);
        json.put("profileActionEnabled", conf.get(DaemonConfig.WORKER_PROFILER_ENABLED));
        json.put("profilerActive", profiles.stream().map(profile -> profile(profile, page.get_topology_id())).toList());
        return json;
    }

    private static List<Map<String, Object>> windows(Map<String, ComponentAggregateStats> byWindow) {
        List<Map<String, Object>> windows = new ArrayList<>();
        for (String window : Values.WINDOWS) {
            ComponentAggregateStats stats = byWindow.get(window);
            if (stats != null) {
                Map<String, Object> json = new LinkedHashMap<>();
                json.put("window", window);
                json.put("windowPretty", Values.windowHint(window));
                TopologyJson.putCounts(json, stats.get_common_stats());
                TopologyJson.putSpecific(json, stats);
                windows.add(json);
            }
        }
        return windows;
    }

    private static List<Map<String, Object>> inputs(Map<GlobalStreamId, ComponentAggregateStats> byStream) {
        List<Map<String, Object>> inputs = new ArrayList<>();
        new TreeMap<>(byStream).forEach((stream, stats) -> {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("component", stream.get_componentId());
            json.put("encodedComponentId", Utils.urlEncodeUtf8(stream.get_componentId()));
            json.put("stream", stream.get_streamId());
            TopologyJson.putSpecific(json, stats);
            json.remove("capacity");
            json.put("acked", stats.get_common_stats().get_acked());
            json.put("failed", stats.get_common_stats().get_failed());
            inputs.add(json);
        });
        return inputs;
    }

    private static List<Map<String, Object>> outputs(Map<String, ComponentAggregateStats> byStream, boolean bolt) {
        List<Map<String, Object>> outputs = new ArrayList<>();
        new TreeMap<>(byStream).forEach((stream, stats) -> {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("stream", stream);
            TopologyJson.putCounts(json, stats.get_common_stats());
            if (bolt) {
                json.keySet().removeAll(List.of("acked", "failed"));
            } else {
                TopologyJson.putSpecific(json, stats);
            }
            outputs.add(json);
        });
        return outputs;
    }

    private List<Map<String, Object>> executors(ComponentPageInfo page, int executorsPerInstance) {
        Map<Integer, String> instances = executorsPerInstance == 0 ? Map.of() : instances(page, executorsPerInstance);
        List<Map<String, Object>> executors = new ArrayList<>();
        for (ExecutorAggregateStats each : page.get_exec_stats()) {
            ExecutorSummary executor = each.get_exec_summary();
            ExecutorInfo tasks = executor.get_executor_info();
            String id = "[" + tasks.get_task_start() + "-" + tasks.get_task_end() + "]";
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("id", id);
            json.put("encodedId", Utils.urlEncodeUtf8(id));
            json.put("uptime", Values.duration(executor.get_uptime_secs()));
            json.put("uptimeSeconds", executor.get_uptime_secs());
            json.put("host", executor.get_host());
            json.put("port", executor.get_port());
            TopologyJson.putCounts(json, each.get_stats().get_common_stats());
            TopologyJson.putSpecific(json, each.get_stats());
            String instance = instances.get(tasks.get_task_start());
            json.put("workerLogLink", instance == null ? logs.worker(page.get_topology_id(), executor.get_host(), executor.get_port())
                : logs.instance(page.get_topology_id(), executor.get_host(), executor.get_port(), instance));
            executors.add(json);
        }
        return executors;
    }

    /** The name of the instance in which an executor runs, by the executor's first task. */
    private static Map<Integer, String> instances(ComponentPageInfo page, int executorsPerInstance) {
        Map<String, List<List<Long>>> bySlot = page.get_exec_stats().stream().map(ExecutorAggregateStats::get_exec_summary)
            .sorted(Comparator.comparingInt(executor -> executor.get_executor_info().get_task_start()))
            .collect(Collectors.groupingBy(executor -> executor.get_host() + ":" + executor.get_port(), Collectors.mapping(executor ->
                List.of((long) executor.get_executor_info().get_task_start(), (long) executor.get_executor_info().get_task_end()),
                Collectors.toList())));
        Map<Integer, String> instances = new HashMap<>();
        bySlot.values().forEach(executors -> Instance.sharing(page.get_component_id(), executors, executorsPerInstance).forEach(instance ->
            instance.executors().forEach(executor -> instances.put(executor.get(0).intValue(), instance.name()))));
        return instances;
    }

    private List<Map<String, Object>> errors(ComponentPageInfo page) {
        return page.get_errors().stream().sorted(Comparator.comparingInt(ErrorInfo::get_error_time_secs))
            .map(error -> topology.error(error, page.get_topology_id(), "error")).toList();
    }

    private Map<String, Object> profile(ProfileRequest profile, String topologyId) {
        String host = profile.get_nodeInfo().get_node();
        long port = profile.get_nodeInfo().get_port().iterator().next();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("host", host);
        json.put("port", String.valueOf(port));
        json.put("dumplink", logs.dumps(topologyId, host, port));
        json.put("timestamp", clock.millis() - profile.get_time_stamp());
        return json;
    }
}
