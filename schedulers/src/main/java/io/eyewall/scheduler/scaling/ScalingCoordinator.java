package io.eyewall.scheduler.scaling;

import io.eyewall.client.settings.elasticity.ElasticityConfiguration;
import io.eyewall.elasticity.measure.ClusterSnapshot;
import io.eyewall.elasticity.model.ClusterState;
import io.eyewall.elasticity.model.Machine;
import io.eyewall.elasticity.model.Slot;
import io.eyewall.elasticity.plan.CongestionConfiguration;
import io.eyewall.elasticity.plan.MachineDemand;
import io.eyewall.elasticity.plan.ScalingGoal;
import io.eyewall.elasticity.plan.ScalingPlan;
import io.eyewall.elasticity.plan.ScalingPlanners;
import io.eyewall.elasticity.plan.ScalingRefusedException;
import io.eyewall.elasticity.plan.ScalingStrategy;
import io.eyewall.scheduler.cluster.ClusterMeter;
import io.eyewall.scheduler.cluster.ClusterView;
import io.eyewall.scheduler.cluster.Rebalancer;
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
 * Coordinates scalings: measures the cluster, responds to requests with a plan, keeps the plan until the rebalance that applies it, and
 * measures the result.
 *
 * <p>Two threads use it. Nimbus's scheduling thread calls {@link #place}; the scheduler's own thread calls {@link #runRound} once per
 * round.
 */
final class ScalingCoordinator {

    /** How long a response is kept if the client does not fetch it, in milliseconds. */
    static final long RESPONSE_LIFETIME_MS = 600_000;

    private static final Logger LOG = LoggerFactory.getLogger(ScalingCoordinator.class);

    private final ScalingStore store;
    private final ClusterMeter meter;
    private final Rebalancer rebalancer;
    private final LongSupplier clockMs;

    /** Plans by topology id. The scheduler's own thread adds and removes them, Nimbus's thread removes them. */
    private final Map<String, PreparedScaling> prepared = new ConcurrentHashMap<>();
    /** The commits since the last round. Nimbus's thread adds them, the scheduler's own thread removes them. */
    private final ConcurrentLinkedQueue<Commit> commits = new ConcurrentLinkedQueue<>();
    /** Events that are not in the log yet. Both threads add them, the scheduler's own thread removes them. */
    private final ConcurrentLinkedQueue<ScalingEvent> events = new ConcurrentLinkedQueue<>();

    private volatile int wantedMachines;

    // Used by the scheduler's own thread only.
    private final Map<String, CommittedScaling> committed = new HashMap<>();
    /** The ids of the requests that this coordinator has handled. */
    private final Set<String> handled = new HashSet<>();
    private final JoinedMachines joined = new JoinedMachines();
    private final Set<String> misconfigured = new HashSet<>();
    private boolean logExists;

    /**
     * A coordinator without plans.
     *
     * @param rebalancer applies the plans for topologies that grow automatically
     * @param clockMs the time in milliseconds since 1970
     */
    ScalingCoordinator(ScalingStore store, WorkerHeartbeats heartbeats, Rebalancer rebalancer, LongSupplier clockMs) {
        this.store = store;
        this.meter = new ClusterMeter(heartbeats);
        this.rebalancer = rebalancer;
        this.clockMs = clockMs;
    }

    /**
     * Applies the plan for a topology that has no assignment, if there is one and it can still be applied; else changes nothing. On
     * Nimbus's thread.
     */
    void place(TopologyDetails topology, Cluster cluster) {
        PreparedScaling scaling = prepared.remove(topology.getId());
        // A Nimbus that did not lead for a while may still have old ones: it has run no round since that drops them.
        if (scaling == null || scaling.placement().isOld(clockMs.getAsLong())) {
            return;
        }
        Optional<String> obstacle = scaling.placement().place(topology, cluster);
        if (obstacle.isPresent()) {
            events.add(event(scaling.request(), ScalingEvent.Kind.ABORTED, obstacle.get()
                + ". Storm's default scheduler places the topology; this restores its previous numbers: " + scaling.response().undo()));
        } else {
            commits.add(new Commit(scaling, clockMs.getAsLong()));
            events.add(event(scaling.request(), ScalingEvent.Kind.COMMITTED, scaling.summary()));
        }
    }

    /** Runs one round: reads heartbeats, responds to requests, writes the log. On the scheduler's own thread. */
    void runRound(ClusterView view) {
        startMeasuringResults();
        ClusterSnapshot snapshot = meter.measure(view, clockMs.getAsLong());
        collectResults(snapshot);
        prepared.values().removeIf(scaling -> scaling.placement().isOld(clockMs.getAsLong()));
        writeLog();
        Set<String> present = new HashSet<>();
        for (ScalingRecord record : store.records()) {
            present.add(record.request().id());
            handle(record, view, snapshot);
        }
        handled.retainAll(present);
        joined.observe(view, this::growsAutomatically);
        misconfigured.retainAll(view.topologies().keySet());
        view.topologies().values().forEach(topology -> growAutomatically(topology, view, snapshot));
        wantedMachines = view.wantedMachines(snapshot, view.topologies().values().stream()
            .anyMatch(topology -> growsAutomatically(topology)
                && MachineDemand.isCongested(snapshot, topology.id(), congestion(topology))));
    }

    /** The number of machines that the cluster wanted in the last round. Any thread may call it. */
    int wantedMachines() {
        return wantedMachines;
    }

    /** Writes new events. The first round creates the log, so that waiting clients find it. */
    private void writeLog() {
        List<ScalingEvent> unwritten = new ArrayList<>(events);
        if (!logExists || !unwritten.isEmpty()) {
            store.log(unwritten);
            events.removeAll(unwritten);
            logExists = true;
        }
    }

    private void startMeasuringResults() {
        for (Commit commit = commits.poll(); commit != null; commit = commits.poll()) {
            committed.put(commit.scaling.topologyId(), new CommittedScaling(commit.scaling, commit.timeMs, meter.starts()));
            meter.restartWindow(commit.scaling.topologyId(), commit.timeMs);
        }
    }

    private void collectResults(ClusterSnapshot snapshot) {
        committed.values().removeIf(scaling -> {
            Optional<ScalingEvent> result = scaling.result(snapshot, meter.starts(), clockMs.getAsLong());
            result.ifPresent(events::add);
            return result.isPresent();
        });
    }

    private void handle(ScalingRecord record, ClusterView view, ClusterSnapshot snapshot) {
        ScalingRequest request = record.request();
        if (record.response() == null) {
            handled.add(request.id());
            store.respond(record.withResponse(respond(record, view, snapshot), clockMs.getAsLong()));
        } else if (clockMs.getAsLong() - record.respondedMs() > RESPONSE_LIFETIME_MS) {
            store.remove(record);
        } else if (!handled.contains(request.id()) && !request.dryRun() && !record.response().isRefused()) {
            logLostPlan(request);
            handled.add(request.id());
        }
    }

    /** Another Nimbus responded to this request, and its plan is lost. Logs this, unless the log already says how the scaling ended. */
    private void logLostPlan(ScalingRequest request) {
        Set<ScalingEvent.Kind> logged = EnumSet.noneOf(ScalingEvent.Kind.class);
        store.events().stream().filter(event -> event.requestId().equals(request.id())).forEach(event -> logged.add(event.kind()));
        if (logged.isEmpty()) {
            events.add(event(request, ScalingEvent.Kind.ABORTED, "Nimbus was restarted, or another Nimbus became the leader, before the "
                + "plan was logged as applied: check with --dry-run what the topology has now, and try again if nothing has changed"));
        } else if (logged.equals(EnumSet.of(ScalingEvent.Kind.COMMITTED))) {
            events.add(event(request, ScalingEvent.Kind.MEASURED,
                "result unknown: Nimbus was restarted, or another Nimbus became the leader, before it was measured"));
        }
    }

    private ScalingResponse respond(ScalingRecord record, ClusterView view, ClusterSnapshot snapshot) {
        ScalingRequest request = record.request();
        try {
            Optional<ClusterView.Topology> topology = view.named(request.topologyName());
            if (topology.isPresent() && !store.isByOwner(record, topology.get().conf())) {
                throw new ScalingRefusedException("You may not rebalance topology " + request.topologyName());
            }
            PreparedScaling scaling = prepare(request, view, snapshot);
            ScalingResponse response = scaling.response();
            if (!request.dryRun()) {
                prepared.put(scaling.topologyId(), scaling);
            }
            return response;
        } catch (ScalingRefusedException | IllegalArgumentException e) {
            return ScalingResponse.refused(view.names().replaceIds(String.valueOf(e.getMessage())));
        }
    }

    private boolean growsAutomatically(ClusterView.Topology topology) {
        try {
            return topology.obstacle() == null && new ElasticityConfiguration(topology.conf()).isAutomatic();
        } catch (IllegalArgumentException e) {
            // Eyewall's client refuses such a value, so another client has submitted the topology.
            if (misconfigured.add(topology.id())) {
                LOG.warn("Topology {} does not grow automatically: {}", topology.name(), e.getMessage());
            }
            return false;
        }
    }

    /** Starts the growth of a topology to joined machines, if it is measured and no other scaling of it is in progress. */
    private void growAutomatically(ClusterView.Topology topology, ClusterView view, ClusterSnapshot snapshot) {
        Set<String> machines = joined.waitingFor(topology.id());
        if (machines.isEmpty() || prepared.containsKey(topology.id()) || committed.containsKey(topology.id())
                || snapshot.rates().get(topology.id()).unmeasuredExecutors() > 0) {
            return;
        }
        ScalingRequest request = new ScalingRequest("automatic-" + topology.id() + "-" + clockMs.getAsLong(), topology.name(),
            ScalingGoal.Direction.OUT, machines.size(),
            ScalingStrategy.named(new ElasticityConfiguration(topology.conf()).strategy()), false);
        try {
            PreparedScaling scaling = prepare(request, view, withMachines(machines, topology.id(), snapshot));
            prepared.put(scaling.topologyId(), scaling);
            rebalancer.rebalance(topology.name(), scaling.response().rebalance());
        } catch (ScalingRefusedException | IllegalArgumentException | TException e) {
            prepared.remove(topology.id());
            events.add(event(request, ScalingEvent.Kind.REFUSED,
                view.names().replaceIds("the topology does not grow to the machines that joined: " + e.getMessage())));
        }
        joined.dismiss(topology.id());
    }

    /** The snapshot without the slots that the plans of other topologies need. */
    private ClusterSnapshot withoutReservedSlots(String topologyId, ClusterSnapshot snapshot) {
        Set<Slot> reserved = new HashSet<>();
        prepared.values().stream().filter(scaling -> !scaling.topologyId().equals(topologyId))
            .forEach(scaling -> reserved.addAll(scaling.plan().placement().values()));
        List<Machine> machines = snapshot.state().machines().stream()
            .map(machine -> new Machine(machine.id(), machine.ports().stream()
                .filter(port -> !reserved.contains(new Slot(machine.id(), port))).toList(), machine.cores()))
            .toList();
        return new ClusterSnapshot(new ClusterState(machines, snapshot.state().topologies()), snapshot.rates());
    }

    /** The snapshot with only these machines and those that the topology uses. */
    private static ClusterSnapshot withMachines(Set<String> machines, String topologyId, ClusterSnapshot snapshot) {
        Set<String> wanted = new HashSet<>(machines);
        snapshot.state().topology(topologyId)
            .ifPresent(topology -> topology.placement().values().forEach(slot -> wanted.add(slot.machine())));
        List<Machine> kept = snapshot.state().machines().stream().filter(machine -> wanted.contains(machine.id())).toList();
        return new ClusterSnapshot(new ClusterState(kept, snapshot.state().topologies()), snapshot.rates());
    }

    private PreparedScaling prepare(ScalingRequest request, ClusterView view, ClusterSnapshot snapshot) throws ScalingRefusedException {
        ClusterView.Topology topology = view.named(request.topologyName()).orElseThrow(() -> new ScalingRefusedException(
            "Topology " + request.topologyName() + " has no workers: `storm list` shows whether it runs and how many slots are free"));
        if (topology.obstacle() != null) {
            throw new ScalingRefusedException("Topology " + request.topologyName() + " cannot be scaled: " + topology.obstacle());
        }
        PreparedScaling waiting = prepared.get(topology.id());
        if (!request.dryRun() && waiting != null && !waiting.request().equals(request)) {
            throw new ScalingRefusedException("Another scaling of topology " + request.topologyName()
                + " is about to be applied: try again in a minute");
        }
        ScalingPlan plan = ScalingPlanners.of(request.strategy(), congestion(topology))
            .plan(withoutReservedSlots(topology.id(), snapshot), new ScalingGoal(topology.id(), request.direction(), request.machines()));
        PreparedScaling scaling = PreparedScaling.of(request, plan, view.placed(topology.id()).orElseThrow(), view, clockMs.getAsLong());
        if (scaling.changed().isEmpty()) {
            throw new ScalingRefusedException("Topology " + request.topologyName() + " would not change: "
                + String.join("; ", plan.notes()));
        }
        return scaling;
    }

    private static CongestionConfiguration congestion(ClusterView.Topology topology) {
        return new CongestionConfiguration(new ElasticityConfiguration(topology.conf()).congestionRate(),
            CongestionConfiguration.DEFAULT.saturation());
    }

    private ScalingEvent event(ScalingRequest request, ScalingEvent.Kind kind, String text) {
        return new ScalingEvent(clockMs.getAsLong(), request.id(), request.topologyName(), request.description(), kind, text);
    }

    private record Commit(PreparedScaling scaling, long timeMs) {
    }
}
