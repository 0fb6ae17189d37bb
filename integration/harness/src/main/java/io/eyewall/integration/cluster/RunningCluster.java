package io.eyewall.integration.cluster;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.TopologyInfo;

/** A cluster that runs topologies, whether its daemons are processes of this machine or run in containers. Thread safe. */
public interface RunningCluster {

    /** The settings of a client on this machine, ports and addresses included. */
    Map<String, Object> settings();

    /** The directory of all logs. */
    Path logs();

    /** Nimbus's operations on topologies. */
    Topologies topologies();

    /** The JVMs of all workers of the cluster. */
    List<WorkerProcess> workers();

    /**
     * Runs a program that submits a topology, and returns what it printed. Throws {@link ClusterException} with the end of that if it
     * fails.
     */
    String submit(Submission submission);

    /** Waits until the condition holds; throws {@link ClusterException} after four minutes, which says where the logs are. */
    void await(String what, Condition condition);

    /** The problems that the logs report, by file; empty if there are none. */
    default String problems() {
        return ClusterLogs.problems(logs());
    }

    /** The JVMs of the topology's workers. */
    default List<WorkerProcess> workers(String topology) {
        return topologies().find(topology).map(found -> workers().stream()
            .filter(worker -> worker.topologyId().equals(found.get_id())).toList()).orElse(List.of());
    }

    /** Waits until the topology is active, every executor has reported to Nimbus, and that many workers run. */
    default void awaitRunning(String topology, int workers) {
        await("topology " + topology + " runs on " + workers + " workers", () ->
            topologies().find(topology).filter(found -> found.get_status().equals("ACTIVE")).isPresent()
                && workers(topology).size() == workers
                && topologies().info(topology).filter(RunningCluster::allReported).isPresent());
    }

    /** Waits until Nimbus has forgotten the topology and its workers are gone. */
    default void awaitGone(String topology) {
        await("topology " + topology + " is gone", () -> topologies().find(topology).isEmpty()
            && workers().stream().noneMatch(worker -> worker.topologyId().startsWith(topology + "-")));
    }

    /** Something to wait for. */
    @FunctionalInterface
    interface Condition {

        /** Whether the condition holds now. Called again and again, by another thread than the waiting one. */
        boolean holds();
    }

    private static boolean allReported(TopologyInfo topology) {
        return topology.get_executors_size() > 0 && topology.get_executors().stream().allMatch(ExecutorSummary::is_set_stats);
    }
}
