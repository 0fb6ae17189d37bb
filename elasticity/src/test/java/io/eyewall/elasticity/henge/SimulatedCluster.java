package io.eyewall.elasticity.henge;

import io.eyewall.elasticity.measure.ClusterSnapshot;
import io.eyewall.elasticity.measure.Rates;
import io.eyewall.elasticity.measure.TopologyRates;
import io.eyewall.elasticity.model.ClusterState;
import io.eyewall.elasticity.model.Component;
import io.eyewall.elasticity.model.Link;
import io.eyewall.elasticity.model.Machine;
import io.eyewall.elasticity.model.PlacedTopology;
import io.eyewall.elasticity.slo.Juice;
import io.eyewall.elasticity.slo.SloMetric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A cluster in virtual time, as a queueing model in its steady state. The executors of an operator share its input evenly. Each is a queue
 * with one server: a tuple waits the longer the busier the executor is (M/M/1). If the executors of a machine want more than its cores,
 * the cores are shared max-min fairly: every executor gets what it wants, up to a level that is the same for all of them. Every executor
 * also needs a little CPU time by itself. An operator that receives more than it can process falls behind, and its queue is long. The
 * latency of a topology is that of its slowest path, longer if it has a tail and the adaptive timeout is off, with which some messages are
 * sent twice. All figures have a little noise, from a seed.
 */
final class SimulatedCluster {

    static final double OVERHEAD_CORES = 0.02;
    private static final double HOP_MS = 0.5;
    /** How many tuples wait for an executor that is behind, for each time its input exceeds what it can process. */
    private static final double BACKLOG = 2_000;
    private static final int ROUNDS = 25;
    /** The share of its messages that a topology sends twice with the adaptive timeout. */
    private static final double SENT_TWICE = 0.05;

    final SortedMap<String, SimulatedTopology> topologies = new TreeMap<>();
    final List<Machine> machines = new ArrayList<>();
    /** Whether the topologies let the scheduler switch the adaptive timeout. */
    boolean switchable;
    /** What others do on all machines beside the topologies, as a CPU load. */
    double otherLoad;
    /** How far the load that machines report is off at most. */
    double loadNoise;
    private final Random random;
    private final Random loadRandom;
    private final double noise;
    /** The level of each machine: the share of a core that an executor can get there. */
    private final Map<String, Double> level = new HashMap<>();
    /** The cores that executors want, by machine. */
    private final Map<String, List<Double>> wants = new HashMap<>();
    /** What the levels were computed for. */
    private List<Object> balanced;
    private long timeMs;

    SimulatedCluster(long seed, double noise) {
        random = new Random(seed);
        loadRandom = new Random(seed);
        this.noise = noise;
    }

    SimulatedCluster machine(String id, int slots, double cores) {
        List<Integer> ports = new ArrayList<>();
        for (int i = 0; i < slots; i++) {
            ports.add(6700 + i);
        }
        machines.add(new Machine(id, ports, cores));
        return this;
    }

    SimulatedCluster add(SimulatedTopology topology) {
        topologies.put(topology.graph.id(), topology);
        return this;
    }

    void apply(HengePlan plan) {
        plan.changes().forEach((id, change) -> {
            topologies.get(id).place(change.placement());
            topologies.get(id).techniques = change.techniques();
        });
    }

    /** Lets some time pass, and looks at the cluster. */
    Observation observe(long afterMs) {
        timeMs += afterMs;
        balance();
        SortedMap<String, SloStatus> statuses = new TreeMap<>();
        Map<String, TopologyRates> rates = new HashMap<>();
        List<PlacedTopology> placed = new ArrayList<>();
        Map<String, Double> load = new HashMap<>();
        Map<String, TechniqueStatus> techniques = new HashMap<>();
        machines.forEach(machine -> load.put(machine.id(), Math.min(1, otherLoad + loadNoise * loadRandom.nextDouble()
            + wants.getOrDefault(machine.id(), List.of()).stream().mapToDouble(Double::doubleValue).sum() / machine.cores())));
        for (SimulatedTopology topology : topologies.values()) {
            String id = topology.graph.id();
            Flow flow = new Flow(topology);
            rates.put(id, flow.rates());
            statuses.put(id, new SloStatus(topology.slo, Map.of(SloMetric.LATENCY_MS, noisy(flow.latencyMs()), SloMetric.JUICE,
                new Juice(topology.graph, rates.get(id)).ofTopology().orElseThrow()), true));
            placed.add(topology.placed);
            if (switchable) {
                techniques.put(id, new TechniqueStatus(Set.of(Technique.TIMEOUT), Set.of(), Optional.of(topology.techniques)));
            }
        }
        return new Observation(timeMs, new ClusterSnapshot(new ClusterState(machines, placed), rates), statuses, load,
            techniques);
    }

    /** The sum of the utilities now, without noise. */
    double totalUtility() {
        balance();
        return topologies.values().stream().mapToDouble(this::utility).sum();
    }

    /** The lowest utility now, as a share of the topology's maximum, without noise. */
    double lowestShare() {
        balance();
        return topologies.values().stream().mapToDouble(topology -> utility(topology) / topology.slo.maxUtility()).min().orElseThrow();
    }

    private double utility(SimulatedTopology topology) {
        Flow flow = new Flow(topology);
        double juice = new Juice(topology.graph, flow.rates()).ofTopology().orElseThrow();
        return topology.slo.utility(Map.of(SloMetric.LATENCY_MS, flow.latencyMs(), SloMetric.JUICE, juice)).orElseThrow();
    }

    /** Finds the levels at which the shares of the cores and the flows fit together. */
    private void balance() {
        List<Object> present = new ArrayList<>(machines);
        topologies.values().forEach(topology -> present.addAll(List.of(sentPerSec(topology), topology.placed)));
        if (present.equals(balanced)) {
            return;
        }
        balanced = present;
        machines.forEach(machine -> level.put(machine.id(), 1.0));
        for (int round = 0; round < ROUNDS; round++) {
            wants.clear();
            for (SimulatedTopology topology : topologies.values()) {
                Flow flow = new Flow(topology);
                for (int i = 0; i < topology.operators.length; i++) {
                    wants.computeIfAbsent(topology.machines[i], id -> new ArrayList<>())
                        .add(OVERHEAD_CORES + flow.cores(topology.operators[i]));
                }
            }
            for (Machine machine : machines) {
                double fair = fairLevel(wants.getOrDefault(machine.id(), List.of()), machine.cores());
                level.merge(machine.id(), fair, (old, next) -> (old + next) / 2);
            }
        }
    }

    /** The level up to which everyone gets what it wants: water is poured until the cores are used up. */
    static double fairLevel(List<Double> wanted, double cores) {
        double[] ascending = wanted.stream().mapToDouble(Double::doubleValue).toArray();
        if (Arrays.stream(ascending).sum() <= cores) {
            return 1;
        }
        Arrays.sort(ascending);
        double left = cores;
        for (int i = 0; i < ascending.length; i++) {
            double share = left / (ascending.length - i);
            if (share < ascending[i]) {
                return Math.min(1, share);
            }
            left -= ascending[i];
        }
        return 1;
    }

    private static double sentPerSec(SimulatedTopology topology) {
        return topology.inputPerSec * (topology.techniques.contains(Technique.TIMEOUT) ? 1 + SENT_TWICE : 1);
    }

    private double noisy(double value) {
        return value * (1 + noise * (2 * random.nextDouble() - 1));
    }

    /** What flows through a topology at the present levels. */
    private final class Flow {

        final SimulatedTopology topology;
        final int[] executors;
        final double[] input;
        final double[] executed;
        /** The mean level of an operator's executors. */
        final double[] share;

        Flow(SimulatedTopology topology) {
            this.topology = topology;
            this.executors = new int[topology.graph.size()];
            for (int operator : topology.operators) {
                executors[operator]++;
            }
            int n = topology.graph.size();
            input = new double[n];
            executed = new double[n];
            share = new double[n];
            for (int i = 0; i < topology.operators.length; i++) {
                share[topology.operators[i]] += level.get(topology.machines[i]) / executors[topology.operators[i]];
            }
            for (int i = 0; i < n; i++) {
                input[i] = topology.graph.isSource(i) ? sentPerSec(topology) : 0;
                for (int parent : topology.graph.parents(i)) {
                    input[i] += executed[parent] * topology.selectivity[parent];
                }
                executed[i] = Math.min(input[i], capacity(i));
            }
        }

        private double capacity(int i) {
            return topology.workSecs[i] == 0 ? Double.POSITIVE_INFINITY : executors[i] * share[i] / topology.workSecs[i];
        }

        /** The cores that an executor of an operator wants. */
        double cores(int i) {
            return Math.min(1, input[i] * topology.workSecs[i] / executors[i]);
        }

        private double busy(int i) {
            return Math.min(1, executed[i] / capacity(i));
        }

        double latencyMs() {
            double[] until = new double[input.length];
            double longest = 0;
            for (int i = 0; i < until.length; i++) {
                for (int parent : topology.graph.parents(i)) {
                    until[i] = Math.max(until[i], until[parent]);
                }
                until[i] += 1_000 * secs(i) + HOP_MS;
                longest = Math.max(longest, until[i]);
            }
            return topology.techniques.contains(Technique.TIMEOUT) ? longest : topology.tail * longest;
        }

        /** How long a tuple stays at an operator. */
        private double secs(int i) {
            if (topology.workSecs[i] == 0) {
                return 0;
            }
            double perExecutor = capacity(i) / executors[i];
            double overload = input[i] / capacity(i);
            return overload < 1 ? Math.min(BACKLOG / 10, 1 / (1 - overload)) / perExecutor
                : BACKLOG * overload / perExecutor;
        }

        TopologyRates rates() {
            Map<String, Rates> operators = new HashMap<>();
            for (Component operator : topology.graph.operators()) {
                int i = topology.graph.indexOf(operator.id());
                boolean source = topology.graph.isSource(i);
                operators.put(operator.id(), new Rates(input[i], executed[i], executed[i] * topology.selectivity[i],
                    source ? Double.NaN : Math.min(1, noisy(busy(i))), 0));
            }
            Map<Link, Double> sent = new HashMap<>();
            Map<Link, Double> done = new HashMap<>();
            for (Link link : topology.graph.links()) {
                int from = topology.graph.indexOf(link.from());
                int to = topology.graph.indexOf(link.to());
                sent.put(link, executed[from] * topology.selectivity[from]);
                done.put(link, sent.get(link) * (input[to] == 0 ? 1 : executed[to] / input[to]));
            }
            return new TopologyRates(new Rates(sentPerSec(topology), 0, 0, Double.NaN, 0), operators, Map.of(), sent, done, 0);
        }
    }
}
