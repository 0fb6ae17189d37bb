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
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * A cluster in virtual time whose queues fill and empty, second by second. Each executor has a queue, and those of an operator get equal
 * shares of its input; what the machines' cores give them is as in {@link SimulatedCluster}. When an operator gets more executors, what
 * waits stays with those that it had; when it loses some, what waits for these goes to the others. A full queue holds the senders of its
 * operator back, up to the spouts, where tuples then wait that count in no figure. The figures are those of the last two minutes, or since
 * the last step, as the scheduler has them. So a latency is that of the tuples that left in that time, some of which came long before.
 */
final class QueueingCluster {

    /** How many tuples wait for an executor before its senders are held back. */
    private static final double QUEUE = 10_000;
    private static final int WINDOW_SECS = 120;
    private static final double HOP_MS = 0.5;
    /** The longest that a tuple waits because others come at the same time, in service times. */
    private static final double LONGEST_WAIT = 20;

    final SortedMap<String, SimulatedTopology> topologies = new TreeMap<>();
    final List<Machine> machines = new ArrayList<>();
    private final SortedMap<String, Flow> flows = new TreeMap<>();
    private final Map<String, Integer> machineNumbers = new HashMap<>();
    private double[] usedCores = {};
    private final Random random;
    private final double noise;
    private int secs;

    QueueingCluster(long seed, double noise) {
        random = new Random(seed);
        this.noise = noise;
    }

    QueueingCluster machine(String id, int slots, double cores) {
        machineNumbers.put(id, machines.size());
        machines.add(new Machine(id, IntStream.range(6700, 6700 + slots).boxed().toList(), cores));
        return this;
    }

    QueueingCluster add(SimulatedTopology topology) {
        topologies.put(topology.graph.id(), topology);
        flows.put(topology.graph.id(), new Flow(topology));
        return this;
    }

    void apply(HengePlan plan) {
        plan.changes().forEach((id, change) -> topologies.get(id).place(change.placement()));
        flows.values().forEach(flow -> flow.windowSecs = 0);
    }

    /** Measures a topology anew from now on. */
    void restartWindow(String topologyId) {
        flows.get(topologyId).windowSecs = 0;
    }

    /** The mean since the beginning of the sum of all utilities that a client sees: by the latencies of the tuples that leave. */
    double meanUtility() {
        return meanUtility(0, secs);
    }

    /** The same from one second to another. */
    double meanUtility(int fromSecs, int toSecs) {
        return flows.values().stream().filter(flow -> flow.topology.slo != null)
            .mapToDouble(flow -> flow.utilities.subList(fromSecs, toSecs).stream().mapToDouble(Double::doubleValue).sum()).sum()
            / (toSecs - fromSecs);
    }

    /** The utility of a topology with an SLO that a client sees, second by second. */
    List<Double> utilities(String topologyId) {
        return flows.get(topologyId).utilities;
    }

    /** How many executors all topologies have. */
    int executors() {
        return topologies.values().stream().mapToInt(topology -> topology.operators.length).sum();
    }

    double maxUtility() {
        return topologies.values().stream().filter(topology -> topology.slo != null).mapToDouble(topology -> topology.slo.maxUtility())
            .sum();
    }

    /** The juice of a topology in the last two minutes, or since the last step; 1 right after a step. */
    double juice(String topologyId) {
        Flow flow = flows.get(topologyId);
        int window = Math.min(WINDOW_SECS, flow.windowSecs);
        return window == 0 ? 1 : new Juice(flow.topology.graph, flow.rates(window)).ofTopology().orElse(1);
    }

    /** How many tuples wait for an operator. */
    double queued(String topologyId, String operator) {
        Flow flow = flows.get(topologyId);
        int index = flow.topology.graph.indexOf(operator);
        return Arrays.stream(flow.queue, flow.first[index], flow.first[index] + flow.executors[index]).sum();
    }

    int secs() {
        return secs;
    }

    /** What the sink of a topology has processed in the last seconds, in tuples per second. */
    double throughputPerSec(String topologyId, int lastSecs) {
        Flow flow = flows.get(topologyId);
        return flow.rate(2 * flow.size - 1, lastSecs);
    }

    /** Lets some seconds pass, and looks at the cluster. */
    Observation observe(int afterSecs) {
        for (int i = 0; i < afterSecs; i++) {
            second();
        }
        Map<String, TopologyRates> rates = new HashMap<>();
        SortedMap<String, SloStatus> statuses = new TreeMap<>();
        List<PlacedTopology> placed = new ArrayList<>();
        flows.forEach((id, flow) -> {
            rates.put(id, flow.rates(Math.min(WINDOW_SECS, flow.windowSecs)));
            if (flow.topology.slo != null) {
                statuses.put(id, flow.status(rates.get(id), Math.min(WINDOW_SECS, flow.windowSecs)));
            }
            placed.add(flow.topology.placed);
        });
        Map<String, Double> load = new HashMap<>();
        IntStream.range(0, usedCores.length)
            .forEach(i -> load.put(machines.get(i).id(), Math.min(1, usedCores[i] / machines.get(i).cores())));
        return new Observation(1_000L * secs, new ClusterSnapshot(new ClusterState(machines, placed), rates), statuses, load,
            Map.of());
    }

    private void second() {
        secs++;
        flows.values().forEach(flow -> flow.windowSecs++);
        List<List<Double>> wants = new ArrayList<>();
        machines.forEach(machine -> wants.add(new ArrayList<>()));
        flows.values().forEach(flow -> flow.want(wants));
        usedCores = wants.stream().mapToDouble(wanted -> wanted.stream().mapToDouble(Double::doubleValue).sum()).toArray();
        double[] level = IntStream.range(0, usedCores.length)
            .mapToDouble(i -> SimulatedCluster.fairLevel(wants.get(i), machines.get(i).cores())).toArray();
        for (Flow flow : flows.values()) {
            flow.second(level);
            if (flow.topology.slo != null) {
                flow.utilities.add(flow.utility());
            }
        }
    }

    private double noisy(double value) {
        return value * (1 + noise * (2 * random.nextDouble() - 1));
    }

    /** The queues of a topology, and what has flown since the beginning. */
    private final class Flow {

        final SimulatedTopology topology;
        final int size;
        /** The operators of each link. */
        final int[] from;
        final int[] to;
        final double[] arrived;
        /** For which the following are. */
        PlacedTopology placed;
        /** How many executors each operator has, and the number of its first one. */
        int[] executors;
        int[] first;
        /** The machine of each executor, and how many tuples wait for it. */
        int[] machine;
        double[] queue = {};
        final List<Double> utilities = new ArrayList<>();
        int windowSecs;
        double lag;
        double leftMs;
        /** The sums since the beginning, one for each second: what operators got, executed, how busy they were, and the latency. */
        final List<double[]> sums = new ArrayList<>();

        Flow(SimulatedTopology topology) {
            this.topology = topology;
            size = topology.graph.size();
            from = topology.graph.links().stream().mapToInt(link -> topology.graph.indexOf(link.from())).toArray();
            to = topology.graph.links().stream().mapToInt(link -> topology.graph.indexOf(link.to())).toArray();
            arrived = new double[size];
            executors = new int[size];
            first = new int[size];
            sums.add(new double[3 * size + 2]);
        }

        /** Takes over the executors that the topology has now. */
        @SuppressWarnings("ReferenceEquality") // A placement is replaced, not changed.
        private void follow() {
            if (placed == topology.placed) {
                return;
            }
            placed = topology.placed;
            int[] executorsBefore = executors;
            int[] firstBefore = first;
            double[] queueBefore = queue;
            executors = new int[size];
            first = new int[size];
            // Executors are in the order of their tasks, so those of an operator follow each other.
            for (int i = 0; i < topology.operators.length; i++) {
                if (executors[topology.operators[i]]++ == 0) {
                    first[topology.operators[i]] = i;
                }
            }
            machine = Arrays.stream(topology.machines).mapToInt(machineNumbers::get).toArray();
            queue = new double[machine.length];
            for (int i = 0; i < size; i++) {
                int stay = Math.min(executorsBefore[i], executors[i]);
                double gone = Arrays.stream(queueBefore, firstBefore[i] + stay, firstBefore[i] + executorsBefore[i]).sum();
                for (int k = 0; k < stay; k++) {
                    queue[first[i] + k] = queueBefore[firstBefore[i] + k] + gone / stay;
                }
            }
        }

        /** Begins a second: adds the cores that its executors want. */
        void want(List<List<Double>> wants) {
            follow();
            for (int i = 0; i < machine.length; i++) {
                int operator = topology.operators[i];
                wants.get(machine[i]).add(SimulatedCluster.OVERHEAD_CORES
                    + Math.min(1, (queue[i] + arrived[operator] / executors[operator]) * topology.workSecs[operator]));
            }
        }

        void second(double[] level) {
            double[] capacity = new double[machine.length];
            for (int i = 0; i < capacity.length; i++) {
                double workSecs = topology.workSecs[topology.operators[i]];
                capacity[i] = workSecs == 0 ? Double.POSITIVE_INFINITY : level[machine[i]] / workSecs;
            }
            double[] sum = sums.get(sums.size() - 1).clone();
            double[] executed = new double[size];
            double[] until = new double[size];
            leftMs = 0;
            for (int i = 0; i < size; i++) {
                arrived[i] = topology.graph.isSource(i) ? topology.inputPerSec + lag : 0;
                for (int parent : topology.graph.parents(i)) {
                    arrived[i] += executed[parent] * topology.selectivity[parent];
                    until[i] = Math.max(until[i], until[parent]);
                }
                if (topology.graph.isSource(i)) {
                    executed[i] = Math.min(arrived[i], taken(i, capacity));
                    lag = arrived[i] - executed[i];
                    arrived[i] = executed[i];
                } else {
                    executed[i] = execute(i, capacity, until, sum);
                }
                leftMs = Math.max(leftMs, until[i]);
                sum[i] += arrived[i];
                sum[size + i] += executed[i];
            }
            sum[3 * size] += leftMs * executed[size - 1];
            sum[3 * size + 1] += executed[size - 1];
            sums.add(sum);
        }

        /** Lets the executors of an operator process what they can; adds the mean time that this takes a tuple, and how busy they are. */
        private double execute(int operator, double[] capacity, double[] until, double[] sum) {
            int end = first[operator] + executors[operator];
            double each = arrived[operator] / executors[operator];
            double possible = 0;
            for (int i = first[operator]; i < end; i++) {
                possible += Math.min(capacity[i], queue[i] + each);
            }
            double share = possible == 0 ? 0 : Math.min(1, taken(operator, capacity) / possible);
            double tupleMs = 0;
            for (int i = first[operator]; i < end; i++) {
                double done = share * Math.min(capacity[i], queue[i] + each);
                double busy = Math.min(1, done / capacity[i]);
                queue[i] += each - done;
                double ms = 1_000 * queue[i] / Math.max(1, done)
                    + 1_000 / capacity[i] * Math.min(LONGEST_WAIT, 1 / Math.max(1e-9, 1 - busy)) + HOP_MS;
                tupleMs += ms * (share == 0 ? 1.0 / executors[operator] : done / (share * possible));
                sum[2 * size + operator] += busy / executors[operator];
            }
            until[operator] += tupleMs;
            return share * possible;
        }

        /** How much an operator may process without overfilling a queue of its children. */
        private double taken(int operator, double[] capacity) {
            double taken = Double.POSITIVE_INFINITY;
            for (int link = 0; link < from.length; link++) {
                if (from[link] == operator) {
                    int child = to[link];
                    double room = Double.POSITIVE_INFINITY;
                    for (int i = first[child]; i < first[child] + executors[child]; i++) {
                        room = Math.min(room, Math.max(0, QUEUE - queue[i]) + capacity[i]);
                    }
                    taken = Math.min(taken, executors[child] * room / topology.graph.parents(child).length
                        / topology.selectivity[operator]);
                }
            }
            return taken;
        }

        /** The utility by what leaves in this second. */
        double utility() {
            double[] sum = sums.get(sums.size() - 1);
            double[] before = sums.get(Math.max(0, sums.size() - 2));
            double juice = Math.min(1, (sum[2 * size - 1] - before[2 * size - 1]) / Math.max(1e-9, sum[size - 1] - before[size - 1]));
            return topology.slo.utility(Map.of(SloMetric.LATENCY_MS, leftMs, SloMetric.JUICE, juice)).orElseThrow();
        }

        private double rate(int index, int window) {
            int last = sums.size() - 1;
            return window == 0 ? 0 : (sums.get(last)[index] - sums.get(last - window)[index]) / window;
        }

        SloStatus status(TopologyRates rates, int window) {
            double left = rate(3 * size + 1, window);
            Map<SloMetric, Double> values = new HashMap<>();
            new Juice(topology.graph, rates).ofTopology().ifPresent(juice -> values.put(SloMetric.JUICE, juice));
            if (left > 0) {
                values.put(SloMetric.LATENCY_MS, noisy(rate(3 * size, window) / left));
            }
            return new SloStatus(topology.slo, values, true);
        }

        TopologyRates rates(int window) {
            Map<String, Rates> operators = new HashMap<>();
            for (Component operator : topology.graph.operators()) {
                int i = topology.graph.indexOf(operator.id());
                double executed = rate(size + i, window);
                operators.put(operator.id(), new Rates(rate(i, window), executed, executed * topology.selectivity[i],
                    topology.graph.isSource(i) ? Double.NaN : Math.min(1, noisy(rate(2 * size + i, window))), 0));
            }
            Map<Link, Double> sent = new HashMap<>();
            Map<Link, Double> done = new HashMap<>();
            for (Link link : topology.graph.links()) {
                int from = topology.graph.indexOf(link.from());
                int to = topology.graph.indexOf(link.to());
                double input = rate(to, window);
                sent.put(link, rate(size + from, window) * topology.selectivity[from]);
                done.put(link, sent.get(link) * (input == 0 ? 1 : rate(size + to, window) / input));
            }
            return new TopologyRates(new Rates(rate(0, window), 0, 0, Double.NaN, 0), operators, Map.of(), sent, done, window == 0 ? 1 : 0);
        }
    }
}
