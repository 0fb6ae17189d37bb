package io.eyewall.elasticity.plan;

import static io.eyewall.elasticity.plan.SnapshotBuilder.rates;

import io.eyewall.elasticity.measure.ClusterSnapshot;
import io.eyewall.elasticity.measure.Rates;
import io.eyewall.elasticity.measure.TopologyRates;
import io.eyewall.elasticity.model.ClusterState;
import io.eyewall.elasticity.model.Link;
import io.eyewall.elasticity.model.Machine;
import io.eyewall.elasticity.model.PlacedTopology;
import io.eyewall.elasticity.model.Slot;
import io.eyewall.elasticity.model.TopologyGraph;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A random cluster, made from a seed: two topologies on some of its machines. Their rates are those of random sources and of operators with
 * random capacities. The busy time of most operators is known.
 */
final class RandomCluster {

    static final String TOPOLOGY = "random";

    private final Random random;
    private final int operators;
    private final List<int[]> links = new ArrayList<>();
    private final double[] selectivity;
    private final double[] capacityPerSec;
    private final double[] inputPerSec;

    private RandomCluster(long seed, int operators, boolean cyclic) {
        this.random = new Random(seed);
        this.operators = operators;
        this.selectivity = random.doubles(operators, 0.1, 1.5).toArray();
        this.capacityPerSec = random.doubles(operators, 100, 5_000).toArray();
        this.inputPerSec = new double[operators];
        for (int to = 1; to < operators; to++) {
            int parents = random.nextInt(Math.min(3, to) + 1);
            for (int i = 0; i < parents; i++) {
                links.add(new int[] {random.nextInt(to), to});
            }
        }
        if (cyclic && operators > 2) {
            int to = 1 + random.nextInt(operators - 2);
            links.add(new int[] {to + random.nextInt(operators - to), to});
            selectivity[to] = 0.3;
        }
        // Operators are in topological order: without a cycle one round suffices.
        flow(cyclic ? 200 : 1);
    }

    static ClusterSnapshot snapshot(long seed, int operators, boolean cyclic) {
        return new RandomCluster(seed, operators, cyclic).build().build();
    }

    /** The same cluster, with all lists and maps in another order. */
    static ClusterSnapshot shuffled(ClusterSnapshot snapshot, long seed) {
        Random random = new Random(seed);
        List<Machine> machines = shuffled(snapshot.state().machines(), random);
        List<PlacedTopology> topologies = new ArrayList<>();
        for (PlacedTopology topology : shuffled(snapshot.state().topologies(), random)) {
            TopologyGraph graph = topology.graph();
            TopologyGraph same = new TopologyGraph(graph.id(), shuffled(graph.components(), random), shuffled(graph.links(), random));
            topologies.add(PlacedTopology.of(same, topology.placement()));
        }
        Map<String, TopologyRates> rates = new HashMap<>();
        shuffled(List.copyOf(snapshot.rates().keySet()), random).forEach(id -> rates.put(id, snapshot.rates().get(id)));
        return new ClusterSnapshot(new ClusterState(machines, topologies), rates);
    }

    private static <T> List<T> shuffled(List<T> list, Random random) {
        List<T> copy = new ArrayList<>(list);
        Collections.shuffle(copy, random);
        return copy;
    }

    private SnapshotBuilder build() {
        SnapshotBuilder builder = new SnapshotBuilder(TOPOLOGY);
        for (int i = 0; i < operators; i++) {
            double executed = Math.min(inputPerSec[i], capacityPerSec[i]);
            double busy = isSource(i) || random.nextInt(10) == 0 ? Double.NaN : executed / capacityPerSec[i];
            int tasks = 1 + random.nextInt(8);
            builder.operator("op" + i, 1 + random.nextInt(tasks), tasks,
                rates(inputPerSec[i], executed, executed * selectivity[i], busy));
        }
        builder.operator("__acker", 2, 2, Rates.ZERO);
        for (int i = 0; i < links.size(); i++) {
            int from = links.get(i)[0];
            builder.link(new Link("op" + from, "stream" + i, "op" + links.get(i)[1], 1),
                Math.min(inputPerSec[from], capacityPerSec[from]) * selectivity[from]);
        }
        int hosts = 2 + random.nextInt(6);
        for (int i = 0; i < hosts; i++) {
            builder.host("host" + i, 1 + random.nextInt(3), random.nextBoolean() ? Double.POSITIVE_INFINITY : 0.5 + random.nextInt(4));
        }
        for (int i = 0; i < 3; i++) {
            builder.machine("spare" + i, 1 + random.nextInt(4), 1 + random.nextInt(4));
        }
        SnapshotBuilder neighbour = new SnapshotBuilder("neighbour").operator("x", 1, 1, rates(10, 10, 0, 0.5))
            .host("host0", 1, 1).place(1, 1, new Slot("spare0", 6799));
        return builder.other(neighbour.topology(), neighbour.topologyRates());
    }

    private boolean isSource(int operator) {
        return links.stream().noneMatch(link -> link[1] == operator && link[0] != operator);
    }

    private void flow(int rounds) {
        boolean throttledBySources = random.nextBoolean();
        double[] sources = random.doubles(operators, 10, throttledBySources ? 500 : 5_000).toArray();
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < operators; i++) {
                double sum = isSource(i) ? Math.min(sources[i], capacityPerSec[i]) : 0;
                for (int[] link : links) {
                    if (link[1] == i) {
                        sum += Math.min(inputPerSec[link[0]], capacityPerSec[link[0]]) * selectivity[link[0]];
                    }
                }
                inputPerSec[i] = sum;
            }
        }
    }
}
