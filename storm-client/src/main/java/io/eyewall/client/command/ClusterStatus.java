package io.eyewall.client.command;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.SupervisorSummary;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.shade.net.minidev.json.JSONObject;
import org.apache.storm.utils.NimbusClient;

/** Asks Nimbus once for the supervisors and topologies of the cluster and prints them as one JSON object on standard output. */
public final class ClusterStatus {

    private ClusterStatus() {
    }

    /**
     * Prints the status.
     *
     * @param arguments none
     * @throws Exception if Nimbus does not answer
     */
    public static void main(String[] arguments) throws Exception {
        NimbusClient.withConfiguredClient(nimbus -> System.out.println(JSONObject.toJSONString(describe(nimbus.getClusterInfo()))));
    }

    static Map<String, Object> describe(ClusterSummary summary) {
        int slots = 0;
        for (SupervisorSummary supervisor : summary.get_supervisors()) {
            slots += supervisor.get_num_workers();
        }
        List<Map<String, Object>> topologies = summary.get_topologies().stream().map(ClusterStatus::describe).toList();
        Map<String, Object> description = new LinkedHashMap<>();
        description.put("supervisors", summary.get_supervisors_size());
        description.put("slots", slots);
        description.put("topologies", topologies);
        return description;
    }

    private static Map<String, Object> describe(TopologySummary topology) {
        Map<String, Object> description = new LinkedHashMap<>();
        description.put("name", topology.get_name());
        description.put("status", topology.get_status());
        description.put("workers", topology.get_num_workers());
        description.put("executors", topology.get_num_executors());
        return description;
    }
}
