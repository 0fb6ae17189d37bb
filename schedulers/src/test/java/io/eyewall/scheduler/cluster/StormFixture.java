package io.eyewall.scheduler.cluster;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.storm.Constants;
import org.apache.storm.daemon.StormCommon;
import org.apache.storm.daemon.nimbus.Nimbus;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.DefaultScheduler;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.SchedulerAssignment;
import org.apache.storm.scheduler.SchedulerAssignmentImpl;
import org.apache.storm.scheduler.SupervisorDetails;
import org.apache.storm.scheduler.Topologies;
import org.apache.storm.scheduler.TopologyDetails;
import org.apache.storm.scheduler.WorkerSlot;
import org.apache.storm.scheduler.resource.normalization.ResourceMetrics;
import org.apache.storm.testing.TestGlobalCount;
import org.apache.storm.testing.TestWordCounter;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.utils.Utils;

/**
 * A cluster in Nimbus's own classes, with one topology: source, work and sink, with two executors and four tasks each, and one acker.
 * Machines have two slots, two cores and 4 GiB.
 */
public final class StormFixture {

    /** The topology's id. */
    public static final String ID = "linear-1-1";
    /** The topology's name. */
    public static final String NAME = "linear";

    private static final int PORT = 6700;
    private static final int SERVER_PORT = 6628;
    private static final double TWO_CORES = 200;
    private static final double MEMORY_MB = 4096;
    private static final Map<String, Object> DEFAULTS = Collections.unmodifiableMap(Utils.readDefaultConfig());

    private final Map<String, Object> conf = new HashMap<>(DEFAULTS);
    private final Map<String, SupervisorDetails> supervisors = new TreeMap<>();
    private final StormTopology topology;
    private final Map<String, Integer> executors = new TreeMap<>(Map.of("source", 2, "work", 2, "sink", 2, "__acker", 1));
    private int workers;
    private SchedulerAssignment assignment;
    /** By component, until the topology or its configuration changes. */
    private Map<String, List<Integer>> tasks;

    /** Places the topology by Storm's default on machines with these ids; their hosts have the same names. */
    public StormFixture(String... machines) {
        for (String machine : machines) {
            join(machine);
        }
        workers = machines.length;
        conf.put("topology.name", NAME);
        conf.put("topology.acker.executors", 1);
        conf.put("topology.workers", workers);
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("source", new TestWordSpout(), 2).setNumTasks(4);
        builder.setBolt("work", new TestWordCounter(), 2).setNumTasks(4).shuffleGrouping("source");
        builder.setBolt("sink", new TestGlobalCount(), 2).setNumTasks(4).allGrouping("work");
        topology = builder.createTopology();
        Cluster cluster = cluster();
        new DefaultScheduler().schedule(cluster.getTopologies(), cluster);
        keep(cluster);
    }

    /** Adds a machine. */
    public void join(String machine) {
        supervisors.put(machine, new SupervisorDetails(machine, SERVER_PORT, machine, null, null, List.of(PORT, PORT + 1),
            Map.of(Constants.COMMON_CPU_RESOURCE_NAME, TWO_CORES, Constants.COMMON_TOTAL_MEMORY_RESOURCE_NAME, MEMORY_MB)));
    }

    /** Removes a machine. */
    public void leave(String machine) {
        supervisors.remove(machine);
    }

    /** Sets a key of the topology's configuration. */
    public void set(String key, Object value) {
        conf.put(key, value);
        tasks = null;
    }

    /** Adds a spout with that configuration, whose executor has no place. */
    public void spout(String id, Map<String, Object> configuration) {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout(id, new TestWordSpout()).setNumTasks(1).addConfigurations(configuration);
        topology.put_to_spouts(id, builder.createTopology().get_spouts().get(id));
        executors.put(id, 1);
        tasks = null;
    }

    /** Changes the topology as Nimbus does in a rebalance: it has new numbers and no assignment. */
    public void rebalance(RebalanceOptions options) {
        executors.putAll(options.get_num_executors());
        workers = options.get_num_workers();
        assignment = null;
    }

    /** The cluster that Nimbus would pass to its scheduler now. */
    public Cluster cluster() {
        Map<String, SchedulerAssignment> assignments = new HashMap<>();
        if (assignment != null) {
            assignments.put(ID, assignment);
        }
        return new Cluster(new Nimbus.StandaloneINimbus(), new ResourceMetrics(new StormMetricsRegistry()), supervisors, assignments,
            new Topologies(details()), conf);
    }

    /** Assigns executors to slots. */
    public void place(Map<ExecutorDetails, WorkerSlot> placement) {
        assignment = new SchedulerAssignmentImpl(ID, placement, null, null);
    }

    /** Keeps the assignment that a scheduler has made. */
    public void keep(Cluster cluster) {
        assignment = new SchedulerAssignmentImpl(cluster.getAssignmentById(ID));
    }

    /** The slot of every executor. */
    public Map<ExecutorDetails, WorkerSlot> placement() {
        return assignment.getExecutorToSlot();
    }

    /** The view that a scheduler's own thread would have now. */
    public ClusterView view() {
        Cluster cluster = cluster();
        return ClusterView.of(cluster.getTopologies(), cluster);
    }

    /** Nimbus's description of the topology, with tasks divided among executors as Nimbus divides them. */
    public TopologyDetails details() {
        Map<ExecutorDetails, String> components = new HashMap<>();
        tasks().forEach((component, its) -> {
            for (List<Integer> share : Utils.partitionFixed(executors.getOrDefault(component, 0), its)) {
                components.put(new ExecutorDetails(share.get(0), share.get(share.size() - 1)), component);
            }
        });
        return new TopologyDetails(ID, conf, topology, workers, components, "somebody");
    }

    /** The component that a task belongs to. */
    public String componentOf(int task) {
        return tasks().entrySet().stream().filter(entry -> entry.getValue().contains(task)).findFirst().orElseThrow().getKey();
    }

    private Map<String, List<Integer>> tasks() {
        if (tasks != null) {
            return tasks;
        }
        try {
            tasks = new TreeMap<>(Utils.reverseMap(StormCommon.stormTaskInfo(topology, conf)));
            tasks.values().forEach(each -> each.sort(null));
            return tasks;
        } catch (InvalidTopologyException e) {
            throw new IllegalStateException(e);
        }
    }
}
