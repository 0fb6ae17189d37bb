package io.eyewall.scheduler.henge;

import io.eyewall.client.settings.tail.BalancingConfiguration;
import io.eyewall.client.settings.tail.TechniqueOrders;
import io.eyewall.elasticity.henge.Technique;
import io.eyewall.elasticity.henge.TechniqueStatus;
import io.eyewall.scheduler.cluster.ClusterView;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.storm.cluster.ClusterStateContext;
import org.apache.storm.cluster.ClusterUtils;
import org.apache.storm.cluster.DaemonType;
import org.apache.storm.cluster.IStateStorage;
import org.apache.storm.daemon.StormCommon;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Switches techniques in running workers, by the nodes in ZooKeeper that {@link TechniqueOrders} describes. Connects at the first
 * write. Not thread-safe.
 */
final class TechniqueNodes implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TechniqueNodes.class);
    /** A worker waits for a period after each read, so it reads a little less often than once in a period. */
    private static final int PERIODS_TO_READ = 2;

    private final Supplier<IStateStorage> connect;
    private final LongSupplier clockMs;
    private final ClusterStateContext context;
    /** The orders that the nodes have, by topology id; of topologies that take orders. */
    private final Map<String, Given> given = new HashMap<>();
    /** The topologies whose node alone cannot be read or changed: each is logged once. */
    private final Set<String> failing = new HashSet<>();
    /** Null before the first write. */
    private IStateStorage storage;
    /** Whether it is logged that ZooKeeper itself fails. */
    private boolean warned;

    TechniqueNodes(Supplier<IStateStorage> connect, ClusterStateContext context, LongSupplier clockMs) {
        this.connect = connect;
        this.context = context;
        this.clockMs = clockMs;
    }

    /** The nodes of a cluster, by Nimbus's configuration. */
    static TechniqueNodes ofNimbus(Map<String, Object> conf, LongSupplier clockMs) {
        ClusterStateContext context = new ClusterStateContext(DaemonType.NIMBUS, conf);
        return new TechniqueNodes(() -> {
            try {
                return ClusterUtils.mkStateStorage(conf, conf, context);
            } catch (Exception e) {
                throw new IllegalStateException("Cannot reach the state storage: " + e.getMessage() + ". Check that ZooKeeper is running.",
                    e);
            }
        }, context, clockMs);
    }

    /**
     * An order.
     *
     * @param sinceMs when it was first seen in the node, in milliseconds since 1970. Not before the step under way was planned: until then
     *     another Nimbus may have led, and given other orders
     */
    private record Given(Set<Technique> techniques, long sinceMs) {
    }

    /** Which techniques can be switched in the topologies that have an SLO, and which are on, by topology id. */
    Map<String, TechniqueStatus> statuses(ClusterView view, Set<String> withSlo) {
        Map<String, TechniqueStatus> statuses = new HashMap<>();
        withSlo.stream().map(view.topologies()::get).forEach(topology -> {
            Set<Technique> possible = possible(topology);
            if (!possible.isEmpty()) {
                statuses.put(topology.id(), new TechniqueStatus(possible, topology.shuffled(),
                    Optional.ofNullable(given.get(topology.id())).filter(order -> isRead(order.sinceMs)).map(Given::techniques)));
            }
        });
        return statuses;
    }

    /**
     * Brings all nodes to what is wanted. What fails is tried again with the next call.
     *
     * @param withSlo the topologies that have an SLO; workers of others get no orders
     * @param wanted the techniques that are to be on, by topology id
     * @param plannedMs when the step under way was planned, in milliseconds since 1970; 0 if there is none
     */
    void write(ClusterView view, Set<String> withSlo, SortedMap<String, Set<Technique>> wanted, long plannedMs) {
        try {
            if (storage == null) {
                storage = connect.get();
            }
            boolean isRooted = storage.node_exists(TechniqueOrders.ROOT, false);
            Set<String> stored = isRooted ? new TreeSet<>(storage.get_children(TechniqueOrders.ROOT, false)) : Set.of();
            given.keySet().retainAll(withSlo);
            failing.removeIf(id -> !stored.contains(id) && !withSlo.contains(id));
            for (String id : stored) {
                boolean isHere = view.topologies().containsKey(id);
                // A topology that has lost its slots keeps its orders until it has some again.
                if (!view.alive().contains(id) || (isHere && !withSlo.contains(id))) {
                    change(id, () -> storage.delete_node(TechniqueOrders.path(id)));
                }
            }
            SortedMap<String, Set<Technique>> orders = new TreeMap<>();
            for (String id : withSlo) {
                Set<Technique> possible = possible(view.topologies().get(id));
                orders.put(id, wanted.getOrDefault(id, Set.of()).stream().filter(possible::contains)
                    .collect(Collectors.toUnmodifiableSet()));
            }
            if (!isRooted && orders.values().stream().anyMatch(techniques -> !techniques.isEmpty())) {
                storage.mkdirs(TechniqueOrders.ROOT, context.getDefaultZkAcls());
            }
            orders.forEach((id, techniques) -> change(id, () -> {
                write(view.topologies().get(id), techniques, stored.contains(id));
                Given before = given.get(id);
                if (before == null || !before.techniques.equals(techniques) || before.sinceMs < plannedMs) {
                    given.put(id, new Given(techniques, clockMs.getAsLong()));
                }
            }));
            warned = false;
        } catch (RuntimeException e) {
            if (!warned) {
                warned = true;
                LOG.warn("Workers get no orders about techniques against the tail now. Every round tries again: {}", e.toString());
            }
        }
    }

    @Override
    public void close() {
        if (storage != null) {
            storage.close();
        }
    }

    /** Changes the node of one topology. A failure of this node alone does not affect other topologies. */
    private void change(String topologyId, Runnable change) {
        try {
            change.run();
            failing.remove(topologyId);
        } catch (RuntimeException e) {
            storage.node_exists(TechniqueOrders.ROOT, false);
            if (failing.add(topologyId)) {
                LOG.warn("Node {} cannot be read or changed, so the workers of this topology get no orders about techniques against the"
                    + " tail. Every round tries again: {}", TechniqueOrders.path(topologyId), e.toString());
            }
        }
    }

    private void write(ClusterView.Topology topology, Set<Technique> techniques, boolean isStored) {
        String path = TechniqueOrders.path(topology.id());
        byte[] contents = TechniqueOrders.encode(techniques.stream().map(TechniqueNodes::key).toList());
        if (techniques.isEmpty()) {
            if (isStored) {
                storage.delete_node(path);
            }
        } else if (!isStored || !Arrays.equals(contents, storage.get_data(path, false))) {
            storage.set_data(path, contents, ClusterUtils.mkTopoReadOnlyAcls(topology.conf()));
        }
    }

    /** Whether all workers have read an order by now. */
    private boolean isRead(long sinceMs) {
        return clockMs.getAsLong() - sinceMs > PERIODS_TO_READ * TechniqueOrders.READ_PERIOD_MS;
    }

    /** The techniques that a topology lets the scheduler switch: workers decide by the same keys. */
    private static Set<Technique> possible(ClusterView.Topology topology) {
        Set<Technique> possible = EnumSet.noneOf(Technique.class);
        if (topology.takesOrders()) {
            if (!topology.shuffled().isEmpty()) {
                possible.add(Technique.BALANCING);
            }
            if (StormCommon.hasAckers(topology.conf()) && !StormCommon.hasEventLoggers(topology.conf())) {
                possible.add(Technique.TIMEOUT);
            }
            possible.removeIf(technique -> topology.conf().containsKey(key(technique)));
            if (topology.hasTargets()) {
                possible.add(Technique.DEADLINES);
            }
        }
        return possible;
    }

    private static String key(Technique technique) {
        return switch (technique) {
            case BALANCING -> BalancingConfiguration.BALANCING;
            case TIMEOUT -> TechniqueOrders.ADAPTIVE_TIMEOUT;
            case DEADLINES -> TechniqueOrders.DEADLINES;
        };
    }
}
