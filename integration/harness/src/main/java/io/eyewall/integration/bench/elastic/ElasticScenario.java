package io.eyewall.integration.bench.elastic;

import io.eyewall.integration.cluster.Hosts;
import io.eyewall.integration.cluster.ProcessCluster;
import io.eyewall.integration.cluster.StormHome;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.storm.generated.RebalanceOptions;

/**
 * A topology of the examples under load, before and after a change.
 *
 * @param name its name on the command line
 * @param topology its name in the examples' jar
 * @param workers before the change
 * @param workersAfter after the change
 * @param settings topology configuration
 * @param clusterSettings of Eyewall's cluster
 * @param hosts of the workers, one each, or empty if they share this machine
 * @param figures the figures that are measured
 */
record ElasticScenario(String name, String topology, int workers, int workersAfter, Map<String, Object> settings,
    Map<String, Object> clusterSettings, Optional<Hosts> hosts, List<ElasticFigure> figures) {

    private static final String REBALANCE = "elastic/rebalance";
    private static final String SCALE_OUT = "elastic/scale-out/";
    private static final String SCALE_IN = "elastic/scale-in/page-load";
    private static final String FULL_QUEUES = "elastic/full-queues/";
    private static final String HOT = "topology.rebalance.hot";
    private static final Map<String, Integer> MORE_EXECUTORS = Map.of("output", 3, "stage-1", 3);

    /** All scenarios. */
    static List<ElasticScenario> all() {
        return Stream.of(Stream.of(rebalance()),
            Stream.of("star", "linear", "diamond", "page-load", "processing", "network-monitoring").map(ElasticScenario::scaleOut),
            Stream.of(scaleIn()), Stream.of(1_024, 8_192).map(ElasticScenario::fullQueues)).flatMap(scenarios -> scenarios).toList();
    }

    /** The messages that are due per second. */
    String ratePerSec() {
        return String.valueOf(settings.get("eyewall.rate.per.sec"));
    }

    /** The number of supervisors: one for each worker that there is before or after the change. */
    int supervisors() {
        return Math.max(workers, workersAfter);
    }

    /** The sides that are compared. */
    List<ElasticSide> sides(StormHome upstream, StormHome eyewall) {
        if (name.equals(REBALANCE)) {
            ElasticSide.Change change = (cluster, running) -> cluster.topologies().rebalance(running, 0, MORE_EXECUTORS);
            return List.of(new ElasticSide("upstream", upstream, Map.of(), change),
                new ElasticSide("Eyewall, restarting", eyewall, Map.of(HOT, false), change),
                new ElasticSide("Eyewall, hot", eyewall, Map.of(HOT, true), change));
        }
        if (name.startsWith(FULL_QUEUES)) {
            return List.of(new ElasticSide("upstream", upstream, Map.of(), this::rebalanceToOtherWorkers),
                new ElasticSide("Eyewall, hot", eyewall, Map.of(HOT, true), this::rebalanceToOtherWorkers));
        }
        ElasticSide storm = new ElasticSide("Storm's rebalance", upstream, Map.of(), this::rebalanceToOtherWorkers);
        ElasticSide stela = strategy("Stela", "etp", eyewall);
        return name.equals(SCALE_IN)
            ? List.of(storm, new ElasticSide("Storm's rebalance, hot", eyewall, Map.of(HOT, true), this::rebalanceToOtherWorkers), stela)
            : List.of(storm, strategy("least link load", "least-link-load", eyewall), stela, strategy("DS2", "ds2", eyewall));
    }

    private ElasticSide strategy(String label, String strategy, StormHome eyewall) {
        return new ElasticSide(label, eyewall, Map.of(HOT, true), new StormScaleChange(eyewall, workersAfter - workers, strategy));
    }

    private void rebalanceToOtherWorkers(ProcessCluster cluster, String running) {
        RebalanceOptions options = new RebalanceOptions();
        options.set_wait_secs(0);
        options.set_num_workers(workersAfter);
        cluster.topologies().rebalance(running, options);
    }

    /** The chain at a fixed rate: two operators get more executors, and most of the other executors, spouts included, change workers. */
    private static ElasticScenario rebalance() {
        return new ElasticScenario(REBALANCE, "chain", 2, 2, Map.of("topology.acker.executors", 1, "eyewall.rate.per.sec", 1_000,
            "eyewall.parallelism", 2, "eyewall.tasks", 6), Map.of(), Optional.empty(), List.of(ElasticFigure.RESTARTED,
            ElasticFigure.AT_ZERO, ElasticFigure.MISSING, ElasticFigure.FAILED, ElasticFigure.P99_BEFORE, ElasticFigure.WORST_P99,
            ElasticFigure.P99_AFTERWARDS, ElasticFigure.AS_BEFORE));
    }

    /**
     * A topology of the thesis grows by a host. It is offered more than it can take before the change and after it. Working operators
     * sleep, as those of the thesis did, so that what they can take depends on their executors: two of each, with twice as many tasks, take
     * 1,000/s. Shuffle groupings send messages to the tasks in turn, as Storm's did when the thesis was written. Storm's load-aware
     * ones would send nothing to new executors on another host until the queues of their own worker are four fifths full.
     */
    private static ElasticScenario scaleOut(String topology) {
        Map<String, Object> settings = new HashMap<>(Map.of("eyewall.rate.per.sec", 1_500, "eyewall.parallelism", 2, "eyewall.tasks", 4,
            "topology.disable.loadaware.messaging", true));
        if (topology.equals("diamond")) {
            settings.put("eyewall.work.ms.output", 1); // It receives what all four branches emit.
        }
        if (Set.of("linear", "diamond").contains(topology)) {
            settings.put("eyewall.tasks", 12); // Most operators get a third executor, which takes a third of their tasks.
        }
        return scaling(SCALE_OUT + topology, topology, 2, 3, 0.6, settings);
    }

    /**
     * Page Load leaves half of its hosts, each of which has one executor. Two of its seven operators compute for about as long as their
     * host lets them, so that it matters which operators they share a host with afterwards.
     */
    private static ElasticScenario scaleIn() {
        return scaling(SCALE_IN, "page-load", 8, 4, 0.25, Map.of("eyewall.rate.per.sec", 1_000, "eyewall.parallelism.output", 2,
            "eyewall.work.ms", 0, "eyewall.work.ops", 500_000));
    }

    /**
     * The chain leaves one of its two workers while the queues of its first bolt are full, in both workers: each executor sleeps 2 ms for a
     * message, and more are due than they can take. Without acks, so nothing else holds the spouts back.
     */
    private static ElasticScenario fullQueues(int queueSize) {
        Map<String, Object> settings = Map.of("topology.acker.executors", 0, "eyewall.rate.per.sec", 4_000, "eyewall.parallelism", 2,
            "eyewall.work.ms.stage-1", 2, "topology.executor.receive.buffer.size", queueSize);
        return new ElasticScenario(FULL_QUEUES + queueSize, "chain", 2, 1, settings, Map.of(), Optional.empty(),
            List.of(ElasticFigure.LEFT, ElasticFigure.HELD, ElasticFigure.RATE_BEFORE, ElasticFigure.RATE_AFTERWARDS,
                ElasticFigure.AT_ZERO, ElasticFigure.RESTARTED));
    }

    /** Hosts have a part of a core each. Workers of all sides run without the second compiler, which would take most of it for a minute. */
    private static ElasticScenario scaling(String name, String topology, int workers, int workersAfter, double cores,
            Map<String, Object> settings) {
        Map<String, Object> all = new HashMap<>(Map.of("eyewall.work.ms", 4));
        all.putAll(settings);
        all.put("topology.acker.executors", 0);
        all.put("topology.worker.childopts", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
        Map<String, Object> clusterSettings = Map.of("storm.scheduler", "io.eyewall.scheduler.scaling.ElasticityScheduler",
            "blacklist.scheduler.tolerance.count", 1_000);
        return new ElasticScenario(name, topology, workers, workersAfter, all, clusterSettings, Optional.of(new Hosts(false, cores)),
            List.of(ElasticFigure.RATE_BEFORE, ElasticFigure.RATE_AFTERWARDS, ElasticFigure.GAIN, ElasticFigure.AT_ZERO,
                ElasticFigure.MISSING, ElasticFigure.CONVERGENCE, ElasticFigure.RESTARTED));
    }
}
