package io.eyewall.web.json;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.storm.Config;
import org.apache.storm.DaemonConfig;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.NimbusSummary;
import org.apache.storm.generated.OwnerResourceSummary;
import org.apache.storm.generated.SupervisorPageInfo;
import org.apache.storm.generated.SupervisorSummary;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.generated.WorkerSummary;
import org.apache.storm.scheduler.resource.normalization.NormalizedResourceRequest;
import org.apache.storm.utils.IVersionInfo;
import org.apache.storm.utils.Utils;
import org.apache.storm.utils.VersionInfo;

/** The cluster: its Nimbuses, Supervisors, owners and list of topologies. Memory is in MB; 100 of CPU is a core. */
public final class ClusterJson {

    private static final String UNKNOWN = "Not applicable";
    private static final String NO_GUARANTEE = "N/A";
    private static final double PERCENT = 100;

    private final Map<String, Object> conf;
    private final LogLinks logs;

    /** With the configuration of the cluster. */
    public ClusterJson(Map<String, Object> conf) {
        this.conf = conf;
        this.logs = LogLinks.of(conf);
    }

    /** {@code cluster/summary}; {@code user} is null if nobody has logged in. */
    public Map<String, Object> summary(ClusterSummary cluster, String user) {
        List<SupervisorSummary> supervisors = cluster.get_supervisors();
        List<TopologySummary> topologies = cluster.get_topologies();
        int slotsTotal = supervisors.stream().mapToInt(SupervisorSummary::get_num_workers).sum();
        int slotsUsed = supervisors.stream().mapToInt(SupervisorSummary::get_num_used_workers).sum();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("stormVersion", VersionInfo.getVersion());
        json.put("stormVersionInfo", version(VersionInfo.OUR_FULL_VERSION));
        putOtherVersions(json);
        json.put("user", user);
        json.put("supervisors", supervisors.size());
        json.put("topologies", topologies.size());
        json.put("slotsTotal", slotsTotal);
        json.put("slotsUsed", slotsUsed);
        json.put("slotsFree", slotsTotal - slotsUsed);
        json.put("executorsTotal", topologies.stream().mapToInt(TopologySummary::get_num_executors).sum());
        json.put("tasksTotal", topologies.stream().mapToInt(TopologySummary::get_num_tasks).sum());
        putResources(json, supervisors);
        putDisplay(json);
        putLinks(json);
        return json;
    }

    /** {@code nimbus/summary}: those that are known, and those of {@code nimbus.seeds} that are not. */
    public Map<String, Object> nimbuses(ClusterSummary cluster) {
        List<Map<String, Object>> nimbuses = new ArrayList<>();
        TreeSet<String> missing = new TreeSet<>();
        Object seeds = conf.get(Config.NIMBUS_SEEDS);
        if (seeds instanceof List<?> hosts) {
            hosts.stream().map(String::valueOf).filter(host -> !Utils.isLocalhostAddress(host)).forEach(missing::add);
        }
        for (NimbusSummary nimbus : cluster.get_nimbuses()) {
            nimbuses.add(nimbus(nimbus.get_host(), nimbus.get_port(), nimbus.is_isLeader() ? "Leader" : "Not a Leader",
                nimbus.get_version(), nimbus.get_uptime_secs(), Values.duration(nimbus.get_uptime_secs())));
            missing.remove(nimbus.get_host());
        }
        String port = String.valueOf(conf.get(Config.NIMBUS_THRIFT_PORT));
        missing.forEach(host -> nimbuses.add(nimbus(host, port, "Offline", UNKNOWN, UNKNOWN, UNKNOWN)));
        return new LinkedHashMap<>(Map.of("nimbuses", nimbuses));
    }

    /** {@code supervisor/summary}. */
    public Map<String, Object> supervisors(List<SupervisorSummary> supervisors) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("supervisors", supervisors.stream().map(this::supervisor).toList());
        putDisplay(json);
        logs.putLogviewer(json);
        return json;
    }

    /** {@code supervisor}: one Supervisor or those of a host, with their workers. */
    public Map<String, Object> supervisors(SupervisorPageInfo page) {
        Map<String, Object> json = supervisors(page.get_supervisor_summaries());
        json.put("workers", workers(page.get_worker_summaries()));
        return json;
    }

    /** {@code owner-resources}. */
    public Map<String, Object> owners(List<OwnerResourceSummary> owners) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("owners", owners.stream().map(ClusterJson::owner).toList());
        putDisplay(json);
        return json;
    }

    /** {@code owner-resources/{id}}; {@code topologies} may be those of all owners. */
    public Map<String, Object> owner(OwnerResourceSummary owner, List<TopologySummary> topologies) {
        Map<String, Object> json = owner(owner);
        json.put("topologies", topologies.stream().filter(topology -> owner.get_owner().equals(topology.get_owner()))
            .map(ClusterJson::topology).toList());
        putDisplay(json);
        return json;
    }

    /** {@code topology/summary}. */
    public Map<String, Object> topologies(List<TopologySummary> topologies) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("topologies", topologies.stream().map(ClusterJson::topology).toList());
        putDisplay(json);
        return json;
    }

    /** Workers of one topology or of one Supervisor; an empty list for null. */
    List<Map<String, Object>> workers(List<WorkerSummary> workers) {
        return workers == null ? List.of() : workers.stream().map(this::worker).toList();
    }

    /** Adds where a site has its bug tracker and its logs. */
    void putLinks(Map<String, Object> json) {
        json.put("bugtracker-url", conf.get(DaemonConfig.UI_PROJECT_BUGTRACKER_URL));
        json.put("central-log-url", conf.get(DaemonConfig.UI_CENTRAL_LOGGING_URL));
    }

    /** Adds whether the scheduler is one that reckons with resources. */
    void putDisplay(Map<String, Object> json) {
        json.put("schedulerDisplayResource", conf.get(DaemonConfig.SCHEDULER_DISPLAY_RESOURCE));
    }

    private static void putResources(Map<String, Object> json, List<SupervisorSummary> supervisors) {
        double totalMem = supervisors.stream().mapToDouble(supervisor -> Values.memory(supervisor.get_total_resources())).sum();
        double usedMem = supervisors.stream().mapToDouble(SupervisorSummary::get_used_mem).sum();
        double totalCpu = supervisors.stream().mapToDouble(supervisor -> Values.cpu(supervisor.get_total_resources())).sum();
        double usedCpu = supervisors.stream().mapToDouble(SupervisorSummary::get_used_cpu).sum();
        json.put("totalMem", totalMem);
        json.put("availMem", totalMem - usedMem);
        json.put("totalCpu", totalCpu);
        json.put("availCpu", totalCpu - usedCpu);
        json.put("fragmentedMem", supervisors.stream().mapToDouble(SupervisorSummary::get_fragmented_mem).sum());
        json.put("fragmentedCpu", supervisors.stream().mapToDouble(SupervisorSummary::get_fragmented_cpu).sum());
        json.put("memAssignedPercentUtil", percent(usedMem, totalMem));
        json.put("cpuAssignedPercentUtil", percent(usedCpu, totalCpu));
        Map<String, Double> total = new HashMap<>();
        Map<String, Double> used = new HashMap<>();
        for (SupervisorSummary supervisor : supervisors) {
            total = NormalizedResourceRequest.addResourceMap(total, supervisor.get_total_resources());
            used = NormalizedResourceRequest.addResourceMap(used, supervisor.get_used_generic_resources());
        }
        json.put("totalGenerics", Values.genericResources(total));
        json.put("availGenerics", Values.genericResources(NormalizedResourceRequest.subtractResourceMap(total, used)));
    }

    private static String percent(double part, double whole) {
        return whole > 0 ? Values.number(part * PERCENT / whole) : "0.0";
    }

    private void putOtherVersions(Map<String, Object> json) {
        List<Map<String, Object>> others = new ArrayList<>();
        Utils.getAlternativeVersionsMap(conf).forEach((match, info) -> {
            Map<String, Object> other = version(info);
            other.put("versionMatch", match);
            others.add(other);
        });
        if (!others.isEmpty()) {
            json.put("alternativeWorkerVersions", others);
        }
    }

    private static Map<String, Object> version(IVersionInfo info) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("version", info.getVersion());
        json.put("revision", info.getRevision());
        json.put("branch", info.getBranch());
        json.put("date", info.getDate());
        json.put("srcChecksum", info.getSrcChecksum());
        return json;
    }

    private Map<String, Object> nimbus(String host, Object port, String status, String version, Object uptimeSecs, String uptime) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("host", host);
        json.put("port", port);
        json.put("status", status);
        json.put("version", version);
        json.put("nimbusUpTime", uptime);
        json.put("nimbusUpTimeSeconds", uptimeSecs);
        json.put("nimbusLogLink", logs.daemon(host, "nimbus.log"));
        return json;
    }

    private Map<String, Object> supervisor(SupervisorSummary supervisor) {
        Map<String, Double> total = supervisor.get_total_resources();
        Map<String, Double> used = supervisor.get_used_generic_resources();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("id", supervisor.get_supervisor_id());
        json.put("host", supervisor.get_host());
        json.put("uptime", Values.duration(supervisor.get_uptime_secs()));
        json.put("uptimeSeconds", supervisor.get_uptime_secs());
        json.put("slotsTotal", supervisor.get_num_workers());
        json.put("slotsUsed", supervisor.get_num_used_workers());
        json.put("slotsFree", Math.max(0, supervisor.get_num_workers() - supervisor.get_num_used_workers()));
        json.put("blacklisted", supervisor.is_blacklisted());
        json.put("version", supervisor.get_version());
        json.put("totalMem", Values.memory(total));
        json.put("usedMem", supervisor.get_used_mem());
        json.put("availMem", Values.memory(total) - supervisor.get_used_mem());
        json.put("totalCpu", Values.cpu(total));
        json.put("usedCpu", supervisor.get_used_cpu());
        json.put("availCpu", Values.cpu(total) - supervisor.get_used_cpu());
        json.put("totalGenericResources", Values.genericResources(total));
        json.put("usedGenericResources", Values.genericResources(used));
        json.put("availGenericResources", total == null || used == null ? null
            : Values.genericResources(NormalizedResourceRequest.subtractResourceMap(new HashMap<>(total), used)));
        json.put("logLink", logs.daemon(supervisor.get_host(), "supervisor.log"));
        return json;
    }

    private Map<String, Object> worker(WorkerSummary worker) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("supervisorId", worker.get_supervisor_id());
        json.put("host", worker.get_host());
        json.put("port", worker.get_port());
        json.put("topologyId", worker.get_topology_id());
        json.put("topologyName", worker.get_topology_name());
        json.put("executorsTotal", worker.get_num_executors());
        json.put("assignedMemOnHeap", worker.get_assigned_memonheap());
        json.put("assignedMemOffHeap", worker.get_assigned_memoffheap());
        json.put("assignedCpu", worker.get_assigned_cpu());
        json.put("componentNumTasks", worker.get_component_to_num_tasks());
        json.put("uptime", Values.duration(worker.get_uptime_secs()));
        json.put("uptimeSeconds", worker.get_uptime_secs());
        json.put("workerLogLink", logs.worker(worker.get_topology_id(), worker.get_host(), worker.get_port()));
        json.put("owner", worker.get_owner());
        return json;
    }

    private static Map<String, Object> owner(OwnerResourceSummary owner) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("owner", owner.get_owner());
        json.put("totalTopologies", owner.get_total_topologies());
        json.put("totalExecutors", owner.get_total_executors());
        json.put("totalWorkers", owner.get_total_workers());
        json.put("totalTasks", owner.get_total_tasks());
        json.put("totalMemoryUsage", owner.get_memory_usage());
        json.put("totalCpuUsage", owner.get_cpu_usage());
        json.put("memoryGuarantee", owner.is_set_memory_guarantee() ? (Object) owner.get_memory_guarantee() : NO_GUARANTEE);
        json.put("cpuGuarantee", owner.is_set_cpu_guarantee() ? (Object) owner.get_cpu_guarantee() : NO_GUARANTEE);
        json.put("isolatedNodes", owner.is_set_isolated_node_guarantee() ? (Object) owner.get_isolated_node_guarantee() : NO_GUARANTEE);
        json.put("memoryGuaranteeRemaining",
            owner.is_set_memory_guarantee_remaining() ? (Object) owner.get_memory_guarantee_remaining() : NO_GUARANTEE);
        json.put("cpuGuaranteeRemaining",
            owner.is_set_cpu_guarantee_remaining() ? (Object) owner.get_cpu_guarantee_remaining() : NO_GUARANTEE);
        json.put("totalReqOnHeapMem", owner.get_requested_on_heap_memory());
        json.put("totalReqOffHeapMem", owner.get_requested_off_heap_memory());
        json.put("totalReqMem", owner.get_requested_total_memory());
        json.put("totalReqCpu", owner.get_requested_cpu());
        json.put("totalAssignedOnHeapMem", owner.get_assigned_on_heap_memory());
        json.put("totalAssignedOffHeapMem", owner.get_assigned_off_heap_memory());
        return json;
    }

    private static Map<String, Object> topology(TopologySummary topology) {
        Map<String, Object> json = new LinkedHashMap<>();
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
        json.put("requestedMemOnHeap", topology.get_requested_memonheap());
        json.put("requestedMemOffHeap", topology.get_requested_memoffheap());
        json.put("requestedTotalMem", topology.get_requested_memonheap() + topology.get_requested_memoffheap());
        json.put("requestedCpu", topology.get_requested_cpu());
        json.put("requestedGenericResources", Values.genericResources(topology.get_requested_generic_resources()));
        json.put("assignedMemOnHeap", topology.get_assigned_memonheap());
        json.put("assignedMemOffHeap", topology.get_assigned_memoffheap());
        json.put("assignedTotalMem", topology.get_assigned_memonheap() + topology.get_assigned_memoffheap());
        json.put("assignedCpu", topology.get_assigned_cpu());
        json.put("assignedGenericResources", Values.genericResources(topology.get_assigned_generic_resources()));
        json.put("topologyVersion", topology.get_topology_version());
        json.put("stormVersion", topology.get_storm_version());
        return json;
    }
}
