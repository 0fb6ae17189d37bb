package io.eyewall.integration.system;

import io.eyewall.integration.cluster.ProcessCluster;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.generated.TopologySummary;

/** Changes how many workers and executors a topology has, one change after the other. Not thread safe. */
final class Rebalances {

    private final ProcessCluster cluster;
    private final String topology;
    /** What the topology was submitted with. */
    private final int initialWorkers;
    private final Map<String, Integer> initialExecutors;
    private final int otherExecutors;

    /** Of a topology that runs; {@code executors} has each component whose number is to be changed, with what it is now. */
    Rebalances(ProcessCluster cluster, String topology, Map<String, Integer> executors) {
        this.cluster = cluster;
        this.topology = topology;
        TopologySummary now = cluster.topologies().find(topology).orElseThrow();
        initialWorkers = now.get_num_workers();
        initialExecutors = new TreeMap<>(executors);
        otherExecutors = now.get_num_executors() - sum(executors);
    }

    /** Asks for so many workers and executors, and returns when Nimbus has given them out, which the workers are only then to follow. */
    void change(int workers, Map<String, Integer> executors) {
        RebalanceOptions options = new RebalanceOptions();
        options.set_wait_secs(0);
        options.set_num_workers(workers);
        options.set_num_executors(executors);
        cluster.topologies().rebalance(topology, options);
        // Asked for a topology's executors while it rebalances, upstream's Nimbus remembers the old ones.
        cluster.await("Nimbus has given out the executors of " + topology, () -> cluster.topologies().find(topology)
            .filter(now -> now.get_status().equals("ACTIVE")).isPresent());
    }

    /** Asks for any numbers, of workers and executors 1 or more. Returns what it has asked for. */
    String changeAtRandom(Random random, int mostWorkers, Map<String, Integer> mostExecutors) {
        int workers = 1 + random.nextInt(mostWorkers);
        Map<String, Integer> executors = new LinkedHashMap<>();
        new TreeMap<>(mostExecutors).forEach((component, most) -> executors.put(component, 1 + random.nextInt(most)));
        change(workers, executors);
        return workers + " workers, " + executors;
    }

    /** Asks for what the topology was submitted with, and waits until it has it. */
    void restore() {
        change(initialWorkers, initialExecutors);
        awaitChanged(initialWorkers, initialExecutors);
    }

    /** Waits until the topology has so many workers and executors, and all have reported to Nimbus. */
    void awaitChanged(int workers, Map<String, Integer> executors) {
        cluster.await(topology + " has " + workers + " workers and executors " + executors, () -> cluster.topologies().find(topology)
            .filter(now -> now.get_num_workers() == workers && now.get_num_executors() == otherExecutors + sum(executors)).isPresent());
        cluster.awaitRunning(topology, workers);
    }

    private static int sum(Map<String, Integer> executors) {
        return executors.values().stream().mapToInt(Integer::intValue).sum();
    }
}
