package io.eyewall.scheduler.henge;

import io.eyewall.client.settings.Setting;
import io.eyewall.elasticity.henge.HengeEvent;
import io.eyewall.elasticity.model.PlacedTopology;
import io.eyewall.elasticity.slo.Slo;
import io.eyewall.scheduler.cluster.ClusterView;
import io.eyewall.scheduler.cluster.PlannedPlacement;
import io.eyewall.scheduler.henge.HengeCoordinator.Placed;
import io.eyewall.scheduler.henge.HengeCoordinator.Prepared;
import io.eyewall.scheduler.henge.SloRequest.Progress;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/** Handles requests for other SLOs of running topologies. On the scheduler's own thread. */
final class SloRequests {

    /** How long a request that is ready waits for its rebalance, in milliseconds. */
    static final long READY_LIFETIME_MS = 30_000;
    /** How long a request that is done or refused is kept if the client does not remove it, in milliseconds. */
    static final long RESPONSE_LIFETIME_MS = 600_000;

    private final HengeStore store;
    private final Map<String, Prepared> prepared;
    private final LongSupplier clockMs;
    /** The requests that are ready, by id. */
    private final Map<String, SloRequest> ready = new HashMap<>();

    SloRequests(HengeStore store, Map<String, Prepared> prepared, LongSupplier clockMs) {
        this.store = store;
        this.prepared = prepared;
        this.clockMs = clockMs;
    }

    /** The memory with the SLOs of the requests whose rebalances came. */
    HengeMemory takeEffect(List<Placed> news, HengeMemory memory) {
        HengeMemory changed = memory;
        for (Placed one : news) {
            SloRequest request = ready.get(one.what().requestId());
            if (request != null && one.obstacle() == null) {
                changed = changed.withSlo(one.topologyId(), request.settings());
            }
        }
        return changed;
    }

    /** What the log says of the requests whose rebalances came. */
    List<HengeEvent> events(List<Placed> news) {
        return news.stream().filter(one -> one.obstacle() == null && ready.containsKey(one.what().requestId())).map(one -> {
            SloRequest request = ready.get(one.what().requestId());
            return new HengeEvent(one.timeMs(), 0, HengeEvent.Kind.SLO_CHANGED,
                "the SLO of " + request.topologyName() + " is now " + request.text());
        }).toList();
    }

    /** Reports these requests as done, or as refused if something else was rebalanced than the client asked for. */
    void confirm(List<Placed> news) {
        for (Placed one : news) {
            SloRequest request = ready.remove(one.what().requestId());
            if (request != null) {
                store.replace(one.obstacle() == null ? request.with(Progress.DONE, request.text(), clockMs.getAsLong())
                    : request.with(Progress.REFUSED, "another rebalance of topology " + request.topologyName() + " came first: "
                        + one.obstacle() + ". Try again", clockMs.getAsLong()));
            }
        }
    }

    /** Responds to new requests, and ends old ones. */
    void respond(ClusterView view, HengeMemory memory) {
        List<SloRequest> requests = store.requests();
        // A client that may not rebalance the topology has withdrawn its request: it must not take effect with somebody else's rebalance.
        ready.keySet().retainAll(requests.stream().map(SloRequest::id).toList());
        prepared.values().removeIf(one -> one.requestId() != null && !ready.containsKey(one.requestId()));
        for (SloRequest request : requests) {
            long ageMs = clockMs.getAsLong() - request.changedMs();
            if (request.progress() == Progress.WAITING) {
                store.replace(response(request, view, memory));
            } else if (request.progress() == Progress.READY && ageMs > READY_LIFETIME_MS) {
                ready.remove(request.id());
                prepared.values().removeIf(one -> request.id().equals(one.requestId()));
                store.replace(request.with(Progress.REFUSED, "Nimbus was not asked for the rebalance in time, or was restarted before it "
                    + "came. Try again", clockMs.getAsLong()));
            } else if (request.progress() != Progress.READY && ageMs > RESPONSE_LIFETIME_MS) {
                store.remove(request);
            }
        }
    }

    private SloRequest response(SloRequest request, ClusterView view, HengeMemory memory) {
        try {
            SloRequest response = request.with(Progress.READY, prepare(request, view, memory), clockMs.getAsLong());
            ready.put(request.id(), response);
            return response;
        } catch (IllegalArgumentException e) {
            return request.with(Progress.REFUSED, e.getMessage(), clockMs.getAsLong());
        }
    }

    /** A key as {@code storm slo set} takes it. */
    private static String shortKey(String key) {
        return key.startsWith(SloConfiguration.PREFIX) ? key.substring(SloConfiguration.PREFIX.length()) : key;
    }

    /** Prepares the rebalance that changes an SLO, and returns the SLO as text. */
    private String prepare(SloRequest request, ClusterView view, HengeMemory memory) {
        ClusterView.Topology topology = view.named(request.topologyName()).orElseThrow(() -> new IllegalArgumentException(
            "Topology " + request.topologyName() + " has no workers: `storm list` shows whether it runs and how many slots are free"));
        if (!store.isByOwner(request, topology.conf())) {
            throw new IllegalArgumentException("You may not rebalance topology " + request.topologyName());
        }
        PlacedTopology placed = view.placed(topology.id()).orElseThrow(() -> new IllegalArgumentException(
            "Topology " + request.topologyName() + " can have no SLO: " + topology.obstacle()));
        List<String> keys = new SloConfiguration().settings().stream().map(Setting::key).toList();
        for (String key : request.settings().keySet()) {
            if (!keys.contains(key)) {
                throw new IllegalArgumentException("There is no key " + shortKey(key) + ": there are "
                    + keys.stream().map(SloRequests::shortKey).collect(Collectors.joining(", ")));
            }
        }
        String slo = new SloConfiguration(memory.withSlo(topology.id(), request.settings()).effective(topology.id(), topology.conf())).slo()
            .map(Slo::toString).orElse("none, until latency.ms, juice.min or throughput.min is set");
        boolean changing = memory.state().pending().filter(pending -> pending.appliedMs().isEmpty())
            .filter(pending -> pending.plan().changes().containsKey(topology.id())).isPresent();
        Prepared mine = new Prepared(new PlannedPlacement(placed.placement(), topology.requestedWorkers(),
            new HashSet<>(placed.placement().values()), view.names(), clockMs.getAsLong()), request.id());
        if (changing || prepared.putIfAbsent(topology.id(), mine) != null) {
            throw new IllegalArgumentException("Topology " + request.topologyName() + " is about to change: try again in a minute");
        }
        return slo;
    }
}
