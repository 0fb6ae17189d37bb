package io.eyewall.scheduler.scaling;

import io.eyewall.client.elasticity.ElasticityConfiguration;
import io.eyewall.elasticity.measure.ClusterSnapshot;
import io.eyewall.elasticity.model.ClusterState;
import io.eyewall.elasticity.model.Machine;
import io.eyewall.elasticity.model.Slot;
import io.eyewall.elasticity.plan.CongestionConfiguration;
import io.eyewall.elasticity.plan.ScalingGoal;
import io.eyewall.elasticity.plan.ScalingPlan;
import io.eyewall.elasticity.plan.ScalingPlanners;
import io.eyewall.elasticity.plan.ScalingRefusedException;
import io.eyewall.elasticity.plan.ScalingStrategy;
import io.eyewall.scheduler.cluster.ClusterMeter;
import io.eyewall.scheduler.cluster.ClusterView;
import io.eyewall.scheduler.cluster.WorkerHeartbeats;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.TopologyDetails;
import org.apache.storm.thrift.TException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures, plans when it is asked to, remembers the plan until the rebalance comes that asks for it, and measures what came of it.
 *
 * <p>Two threads: Nimbus's, which schedules, calls {@link #place}; one of the scheduler's own calls {@link #work} once a round.
 */
final class ScalingCoordinator {

    /** How long a plan waits for its rebalance, in milliseconds. */
    static final long LAPSE_MS = 60_000;
    /** How long an answered order is kept for a caller who does not fetch it, in milliseconds. */
    static final long KEEP_MS = 600_000;

    private static final Logger LOG = LoggerFactory.getLogger(ScalingCoordinator.class);

    private final ScalingStore board;
    private final ClusterMeter meter;
    private final Rebalancer rebalancer;
    private final LongSupplier clockMs;

    /** By topology id. Filled by the scheduler's own thread, emptied by both. */
    private final Map<String, PreparedScaling> prepared = new ConcurrentHashMap<>();
    /** What was committed since the last round. Filled by Nimbus's thread. */
    private final ConcurrentLinkedQueue<Committed> committed = new ConcurrentLinkedQueue<>();
    /** What has yet to be written to the log. Filled by both threads. */
    private final ConcurrentLinkedQueue<ScalingEvent> events = new ConcurrentLinkedQueue<>();

    // For the scheduler's own thread.
    private final Map<String, CommittedScaling> underway = new HashMap<>();
    /** The orders that this desk has answered. */
    private final Set<String> answered = new HashSet<>();
    private final JoinedMachines joined = new JoinedMachines();
    private final Set<String> misconfigured = new HashSet<>();
    private boolean hasLog;

    /**
     * A desk at which nothing has happened yet.
     *
     * @param rebalancer what applies the plans that nobody but the scheduler asks for
     * @param clockMs the time in milliseconds since 1970
     */
    ScalingCoordinator(ScalingStore board, WorkerHeartbeats heartbeats, Rebalancer rebalancer, LongSupplier clockMs) {
        this.board = board;
        this.meter = new ClusterMeter(heartbeats);
        this.rebalancer = rebalancer;
        this.clockMs = clockMs;
    }

    /**
     * Gives a topology that has no place the one that was prepared for it, if there is one and nothing has come in its way; otherwise
     * changes nothing. On Nimbus's thread.
     */
    void place(TopologyDetails topology, Cluster cluster) {
        PreparedScaling scaling = prepared.remove(topology.getId());
        if (scaling == null) {
            return;
        }
        Optional<String> obstacle = scaling.place(topology, cluster);
        if (obstacle.isPresent()) {
            events.add(event(scaling.order(), ScalingEvent.Kind.ABORTED, obstacle.get() + ". Storm places the topology by itself; to have "
                + "its former numbers back: " + scaling.answer().undo()));
        } else {
            committed.add(new Committed(scaling, clockMs.getAsLong()));
            events.add(event(scaling.order(), ScalingEvent.Kind.COMMITTED, scaling.summary()));
        }
    }

    /** One round: reads heartbeats, answers orders, writes the log. On the scheduler's own thread. */
    void work(ClusterView view) {
        startToFollow();
        ClusterSnapshot snapshot = meter.measure(view, clockMs.getAsLong());
        follow(snapshot);
        prepared.values().removeIf(scaling -> clockMs.getAsLong() - scaling.preparedMs() > LAPSE_MS);
        writeLog();
        Set<String> present = new HashSet<>();
        for (ScalingRecord post : board.posts()) {
            present.add(post.order().id());
            handle(post, view, snapshot);
        }
        answered.retainAll(present);
        joined.see(view, this::growsAutomatically);
        misconfigured.retainAll(view.topologies().keySet());
        view.topologies().values().forEach(topology -> grow(topology, view, snapshot));
    }

    /** Makes the log in the first round, so that who waits for news finds one. */
    private void writeLog() {
        List<ScalingEvent> news = new ArrayList<>(events);
        if (!hasLog || !news.isEmpty()) {
            board.log(news);
            events.removeAll(news);
            hasLog = true;
        }
    }

    private void startToFollow() {
        for (Committed one = committed.poll(); one != null; one = committed.poll()) {
            underway.put(one.scaling.topologyId(), new CommittedScaling(one.scaling, one.timeMs, meter.starts()));
            meter.startAnew(one.scaling.topologyId(), one.timeMs);
        }
    }

    private void follow(ClusterSnapshot snapshot) {
        underway.values().removeIf(progress -> {
            Optional<ScalingEvent> result = progress.result(snapshot, meter.starts(), clockMs.getAsLong());
            result.ifPresent(events::add);
            return result.isPresent();
        });
    }

    private void handle(ScalingRecord post, ClusterView view, ClusterSnapshot snapshot) {
        if (post.answer() == null) {
            answered.add(post.order().id());
            board.answer(post.answered(answer(post.order(), view, snapshot), clockMs.getAsLong()));
        } else if (clockMs.getAsLong() - post.answeredMs() > KEEP_MS) {
            board.remove(post);
        } else if (!answered.contains(post.order().id()) && !post.order().dryRun() && !post.answer().isRefused()) {
            takeOver(post.order());
            answered.add(post.order().id());
        }
    }

    /** Another Nimbus has answered this order, and the plan is forgotten with it: says so, as far as the log does not tell how it ended. */
    private void takeOver(ScalingRequest order) {
        Set<ScalingEvent.Kind> told = EnumSet.noneOf(ScalingEvent.Kind.class);
        board.events().stream().filter(event -> event.action().equals(order.id())).forEach(event -> told.add(event.kind()));
        if (told.isEmpty()) {
            events.add(event(order, ScalingEvent.Kind.ABORTED, "Nimbus was restarted, or another leads now, before it was noted that the "
                + "plan was applied: see with --dry-run what the topology has now, and ask again if it is as before"));
        } else if (told.equals(EnumSet.of(ScalingEvent.Kind.COMMITTED))) {
            events.add(event(order, ScalingEvent.Kind.MEASURED,
                "not what came of it: Nimbus was restarted meanwhile, or another leads now"));
        }
    }

    private ScalingResponse answer(ScalingRequest order, ClusterView view, ClusterSnapshot snapshot) {
        try {
            PreparedScaling scaling = prepare(order, view, snapshot);
            ScalingResponse answer = scaling.answer();
            if (!order.dryRun()) {
                prepared.put(scaling.topologyId(), scaling);
            }
            return answer;
        } catch (ScalingRefusedException | IllegalArgumentException e) {
            return ScalingResponse.refused(view.names().in(String.valueOf(e.getMessage())));
        }
    }

    private boolean growsAutomatically(ClusterView.Topology topology) {
        try {
            return topology.obstacle() == null && new ElasticityConfiguration(topology.conf()).isAutomatic();
        } catch (IllegalArgumentException e) {
            // Eyewall's client would have refused it; another one has submitted it.
            if (misconfigured.add(topology.id())) {
                LOG.warn("Topology {} does not grow by itself: {}", topology.name(), e.getMessage());
            }
            return false;
        }
    }

    /** Lets a topology grow to the machines that have joined for it, once it has been measured and nothing else is going on. */
    private void grow(ClusterView.Topology topology, ClusterView view, ClusterSnapshot snapshot) {
        Set<String> machines = joined.waitingFor(topology.id());
        if (machines.isEmpty() || prepared.containsKey(topology.id()) || underway.containsKey(topology.id())
                || snapshot.rates().get(topology.id()).unmeasuredExecutors() > 0) {
            return;
        }
        ScalingRequest order = new ScalingRequest("automatic-" + topology.id() + "-" + clockMs.getAsLong(), topology.name(),
            ScalingGoal.Direction.OUT, machines.size(),
            ScalingStrategy.named(new ElasticityConfiguration(topology.conf()).strategy()), false);
        try {
            PreparedScaling scaling = prepare(order, view, onlyWith(machines, topology.id(), snapshot));
            prepared.put(scaling.topologyId(), scaling);
            rebalancer.rebalance(topology.name(), scaling.answer().rebalance());
        } catch (ScalingRefusedException | IllegalArgumentException | TException e) {
            prepared.remove(topology.id());
            events.add(event(order, ScalingEvent.Kind.REFUSED, view.names().in("machines joined, but: " + e.getMessage())));
        }
        joined.dismiss(topology.id());
    }

    /** The snapshot without the slots that plans of other topologies wait for. */
    private ClusterSnapshot unreserved(String topologyId, ClusterSnapshot snapshot) {
        Set<Slot> reserved = new HashSet<>();
        prepared.values().stream().filter(scaling -> !scaling.topologyId().equals(topologyId))
            .forEach(scaling -> reserved.addAll(scaling.plan().placement().values()));
        List<Machine> machines = snapshot.state().machines().stream()
            .map(machine -> new Machine(machine.id(), machine.ports().stream()
                .filter(port -> !reserved.contains(new Slot(machine.id(), port))).toList(), machine.cores()))
            .toList();
        return new ClusterSnapshot(new ClusterState(machines, snapshot.state().topologies()), snapshot.rates());
    }

    /** The snapshot without machines that the topology does not use, but for these. */
    private static ClusterSnapshot onlyWith(Set<String> machines, String topologyId, ClusterSnapshot snapshot) {
        Set<String> wanted = new HashSet<>(machines);
        snapshot.state().topologies().stream().filter(topology -> topology.graph().id().equals(topologyId))
            .forEach(topology -> topology.placement().values().forEach(slot -> wanted.add(slot.machine())));
        List<Machine> those = snapshot.state().machines().stream().filter(machine -> wanted.contains(machine.id())).toList();
        return new ClusterSnapshot(new ClusterState(those, snapshot.state().topologies()), snapshot.rates());
    }

    private PreparedScaling prepare(ScalingRequest order, ClusterView view, ClusterSnapshot snapshot) throws ScalingRefusedException {
        ClusterView.Topology topology = view.named(order.topologyName()).orElseThrow(() -> new ScalingRefusedException(
            "Topology " + order.topologyName() + " has no workers: `storm list` shows whether it runs and how many slots are free"));
        if (topology.obstacle() != null) {
            throw new ScalingRefusedException("Topology " + order.topologyName() + " cannot be scaled: " + topology.obstacle());
        }
        PreparedScaling waiting = prepared.get(topology.id());
        if (!order.dryRun() && waiting != null && !waiting.order().equals(order)) {
            throw new ScalingRefusedException("Another scaling of topology " + order.topologyName()
                + " is about to be applied: ask again in a minute");
        }
        CongestionConfiguration congestion = new CongestionConfiguration(new ElasticityConfiguration(topology.conf()).congestionRate(),
            CongestionConfiguration.DEFAULT.saturation());
        ScalingPlan plan = ScalingPlanners.of(order.strategy(), congestion)
            .plan(unreserved(topology.id(), snapshot), new ScalingGoal(topology.id(), order.direction(), order.machines()));
        PreparedScaling scaling = new PreparedScaling(order, plan, view.placed(topology.id()).orElseThrow(), view, clockMs.getAsLong());
        if (scaling.changed().isEmpty()) {
            throw new ScalingRefusedException("Topology " + order.topologyName() + " would stay as it is: "
                + String.join("; ", plan.notes()));
        }
        return scaling;
    }

    private ScalingEvent event(ScalingRequest order, ScalingEvent.Kind kind, String text) {
        return new ScalingEvent(clockMs.getAsLong(), order.id(), order.topologyName(), order.inWords(), kind, text);
    }

    private record Committed(PreparedScaling scaling, long timeMs) {
    }
}
