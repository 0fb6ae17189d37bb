package io.eyewall.client.command;

import io.eyewall.client.seam.woven.SubmissionEntry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.SupervisorSummary;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.shade.net.minidev.json.JSONObject;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.VersionInfo;

/**
 * Asks Nimbus once for the supervisors and topologies of the cluster and the versions of its daemons, and prints them as one JSON object on
 * standard output, with the versions of this installation.
 */
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
        NimbusClient.withConfiguredClient(nimbus -> {
            ClusterSummary summary = nimbus.getClusterInfo();
            Map<String, Object> description = describe(summary);
            description.put("versions", versions(VersionInfo.getVersion()));
            description.put("daemons", daemons(summary));
            System.out.println(JSONObject.toJSONString(description));
        });
    }

    /** What each kind of daemon reports as its version if it is of this installation. */
    static Map<String, String> versions(String own) {
        return Map.of("nimbus", own, "supervisor", SubmissionEntry.supervisorVersion(own));
    }

    /** The daemons that Nimbus knows. */
    static List<Map<String, String>> daemons(ClusterSummary summary) {
        List<Map<String, String>> daemons = new ArrayList<>();
        summary.get_nimbuses().forEach(nimbus -> daemons.add(daemon("nimbus", nimbus.get_host(), nimbus.get_version())));
        summary.get_supervisors().forEach(
            supervisor -> daemons.add(daemon("supervisor", supervisor.get_host(), supervisor.get_version())));
        return daemons;
    }

    private static Map<String, String> daemon(String kind, String host, String version) {
        return Map.of("kind", kind, "host", host, "version", String.valueOf(version));
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
