package io.eyewall.scheduler.henge;

import io.eyewall.elasticity.henge.Admission;
import io.eyewall.elasticity.henge.HengeEvent;
import io.eyewall.elasticity.henge.HengePlan;
import io.eyewall.elasticity.henge.HengePlanner;
import io.eyewall.elasticity.henge.HengeState;
import io.eyewall.elasticity.henge.HengeStep;
import io.eyewall.elasticity.henge.Observation;
import io.eyewall.elasticity.henge.SloStatus;
import io.eyewall.elasticity.henge.Technique;
import io.eyewall.elasticity.henge.TopologyChange;
import io.eyewall.elasticity.model.ExecutorId;
import io.eyewall.elasticity.model.PlacedTopology;
import io.eyewall.elasticity.slo.Slo;
import io.eyewall.scheduler.cluster.ClusterView;
import io.eyewall.scheduler.cluster.PlannedPlacement;
import io.eyewall.scheduler.cluster.Rebalancer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.TopologyDetails;
import org.apache.storm.thrift.TException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows the cluster to the {@link HengePlanner} in every round, applies its plans by rebalances and orders to workers, and changes SLOs on
 * request.
 *
 * <p>The state of the steps is read from the store at the beginning of a round and written before a plan is applied. So any Nimbus can
 * run the next round: it applies the plan of a step under way again, or lets the planner judge or undo it.
 *
 * <p>Two threads use it. Nimbus's scheduling thread calls {@link #place}; the scheduler's own thread calls {@link #runRound} once per
 * round. Any thread may call {@link #report} and {@link #wantedMachines}.
 */
final class HengeCoordinator {

    private static final Logger LOG = LoggerFactory.getLogger(HengeCoordinator.class);
    /** The id of a topology that does not run any more: its name, a number and the seconds since 1970. */
    private static final Pattern GONE = Pattern.compile("([\\w.-]+)-\\d+-\\d{10}(?![\\w-])");
    /** The longest time between two points of the history while topologies have SLOs, in milliseconds. */
    private static final long POINT_MS = 60_000;

    private final HengeStore store;
    private final SloFigures figures;
    private final TechniqueNodes techniques;
    private final HengeSettings settings;
    private final HengePlanner planner;
    private final Rebalancer rebalancer;
    private final LongSupplier clockMs;

    /** Placements by topology id. The scheduler's own thread adds and removes them, Nimbus's thread removes them. */
    private final Map<String, Prepared> prepared = new ConcurrentHashMap<>();
    /** What was placed since the last round. Nimbus's thread adds to it, the scheduler's own thread removes from it. */
    private final ConcurrentLinkedQueue<Placed> placed = new ConcurrentLinkedQueue<>();
    /** How often each kind of event has happened. The scheduler's own thread writes it. */
    private final Map<HengeEvent.Kind, AtomicLong> counts = Stream.of(HengeEvent.Kind.values())
        .collect(Collectors.toUnmodifiableMap(kind -> kind, kind -> new AtomicLong()));
    private volatile int wantedMachines;
    private volatile SloReport report = SloReport.NONE;

    // Used by the scheduler's own thread only.
    private final SloRequests requests;
    /** When Nimbus was last asked for the rebalance of a topology, by the step and the topology's id. */
    private final Map<String, Long> askedMs = new HashMap<>();
    /** The executors of each topology in the last round, by topology id. */
    private final Map<String, Set<ExecutorId>> executors = new HashMap<>();
    /** The last remark on each topology in nimbus.log, by topology id. */
    private final Map<String, String> remarks = new HashMap<>();
    private SloHistory.Point lastPoint = new SloHistory.Point(0, new TreeMap<>(), new TreeSet<>());
    private long lastReportMs;
    /** Null before the first round. */
    private BusyCores busyCores;

    HengeCoordinator(HengeStore store, SloFigures figures, TechniqueNodes techniques, HengeSettings settings, Rebalancer rebalancer,
            LongSupplier clockMs) {
        this.store = store;
        this.figures = figures;
        this.techniques = techniques;
        this.settings = settings;
        planner = new HengePlanner(settings.configuration());
        this.rebalancer = rebalancer;
        this.clockMs = clockMs;
        this.requests = new SloRequests(store, prepared, clockMs);
    }

    /**
     * A placement that waits for a rebalance.
     *
     * @param placement the placement
     * @param requestId the id of the request for another SLO that takes effect with it; null for a step
     */
    record Prepared(PlannedPlacement placement, String requestId) {
    }

    /**
     * A placement whose rebalance came.
     *
     * @param obstacle why the executors could not be placed as prepared; null if they were
     */
    record Placed(String topologyId, Prepared what, String obstacle, long timeMs) {
    }

    /**
     * Applies what was prepared for a topology that has no assignment, if anything was and it can still be applied; else changes nothing.
     * On Nimbus's thread.
     */
    void place(TopologyDetails topology, Cluster cluster) {
        Prepared what = prepared.remove(topology.getId());
        // A Nimbus that did not lead for a while may still have old ones: it has run no round since that drops them.
        if (what != null && !what.placement.isOld(clockMs.getAsLong())) {
            Optional<String> obstacle = what.placement.place(topology, cluster);
            obstacle.ifPresent(why -> LOG.warn("Topology {} is not placed as planned: {}. Storm's default scheduler places it.",
                topology.getName(), why));
            placed.add(new Placed(topology.getId(), what, obstacle.orElse(null), clockMs.getAsLong()));
        }
    }

    /** How often something has happened since this Nimbus began. Any thread may call it. */
    long count(HengeEvent.Kind kind) {
        return counts.get(kind).get();
    }

    /** How all topologies with an SLO did in the last round. */
    SloReport report() {
        return report;
    }

    /** Runs one round. On the scheduler's own thread. */
    void runRound(ClusterView view) {
        HengeMemory before = store.memory();
        // The Nimbus that stored them may have ended before it wrote the log.
        store.log(before.events());
        List<Placed> news = new ArrayList<>(placed);
        restartWindows(view, news);
        HengeMemory memory = requests.takeEffect(news, before).retain(view.alive()).withoutEvents();
        prepared.values().removeIf(what -> what.placement.isOld(clockMs.getAsLong()));
        Map<String, Slo> slos = slos(view, memory);
        SloFigures.Measured measured = figures.measure(view, slos);
        Observation now = observation(slos, measured, view);
        Optional<HengeStep> step = slos.isEmpty() ? Optional.empty() : Optional.of(planner.step(memory.state(), now));
        List<HengeEvent> events = new ArrayList<>(requests.events(news));
        events.addAll(step.isPresent() ? readable(step.get(), view) : end(memory.state()));
        memory = step.isPresent() ? memory.with(step.get().state(), events)
            : memory.with(HengeMemory.withoutSearch(memory.state(), view.topologies().keySet()), events);
        if (!memory.equals(before)) {
            store.remember(memory);
        }
        // What this look or, before it, another Nimbus has stored and not written yet.
        techniques.write(view, slos.keySet(), memory.state().techniques(),
            memory.state().pending().map(HengeState.Pending::plannedMs).orElse(0L));
        placed.removeAll(news);
        step.ifPresent(one -> one.measuredAnew().forEach(id -> figures.restartWindow(id, clockMs.getAsLong())));
        if (!events.isEmpty()) {
            store.log(events);
            events.forEach(event -> counts.get(event.kind()).incrementAndGet());
            events.forEach(event -> LOG.info("{}{}: {}", event.kind(), event.step() == 0 ? "" : " step " + event.step(), event.text()));
        }
        requests.confirm(news);
        step.filter(one -> one.plan().isPresent()).flatMap(one -> one.state().pending())
            .ifPresentOrElse(pending -> apply(pending, view), askedMs::clear);
        requests.respond(view, memory);
        tell(view, memory, now, measured, !events.isEmpty());
        wantedMachines = view.wantedMachines(measured.snapshot(),
            report.rows().stream().anyMatch(row -> row.state().equals(SloReport.MISSED)));
    }

    /** The number of machines that the cluster wanted in the last round. Any thread may call it. */
    int wantedMachines() {
        return wantedMachines;
    }

    /** Begins new windows after a step, for all topologies since it may affect them all, and for those that somebody else has changed. */
    private void restartWindows(ClusterView view, List<Placed> news) {
        news.stream().filter(one -> one.what.requestId == null).mapToLong(Placed::timeMs).max()
            .ifPresent(timeMs -> view.topologies().keySet().forEach(id -> figures.restartWindow(id, timeMs)));
        Set<String> stepped = new HashSet<>();
        news.forEach(one -> stepped.add(one.topologyId));
        executors.keySet().retainAll(view.topologies().keySet());
        for (PlacedTopology topology : view.state().topologies()) {
            String id = topology.graph().id();
            Set<ExecutorId> before = executors.put(id, topology.placement().keySet());
            if (before != null && !before.equals(topology.placement().keySet()) && !stepped.contains(id)) {
                figures.restartWindow(id, clockMs.getAsLong());
            }
        }
    }

    private Map<String, Slo> slos(ClusterView view, HengeMemory memory) {
        Map<String, Slo> slos = new TreeMap<>();
        remarks.keySet().retainAll(view.topologies().keySet());
        for (ClusterView.Topology topology : view.topologies().values()) {
            try {
                new SloConfiguration(memory.effective(topology.id(), topology.conf())).slo().ifPresent(slo -> {
                    if (topology.obstacle() == null) {
                        slos.put(topology.id(), slo);
                    } else {
                        remark(topology, topology.obstacle());
                    }
                });
            } catch (IllegalArgumentException e) {
                // Nimbus refuses such an SLO, so it was submitted to one without this scheduler's classes.
                remark(topology, e.getMessage());
            }
        }
        return slos;
    }

    private Observation observation(Map<String, Slo> slos, SloFigures.Measured measured, ClusterView view) {
        SortedMap<String, SloStatus> statuses = new TreeMap<>();
        measured.figures().forEach((id, one) -> statuses.put(id, new SloStatus(slos.get(id), one.values(), one.isCurrent())));
        return new Observation(clockMs.getAsLong(), measured.snapshot(), statuses, measured.cpuLoad(),
            techniques.statuses(view, slos.keySet()));
    }

    /** Asks Nimbus for the rebalances of a plan, once in a while until the cluster has the plan's executors. A switch needs none. */
    private void apply(HengeState.Pending pending, ClusterView view) {
        HengePlan plan = pending.plan();
        Set<String> current = new HashSet<>();
        plan.changes().forEach((id, change) -> {
            String key = plan.step() + " " + id;
            current.add(key);
            PlacedTopology topology = view.placed(id).orElse(null);
            long nowMs = clockMs.getAsLong();
            Prepared waiting = prepared.get(id);
            // A client's rebalance, which changes the SLO, comes before that of the step or is given up within half a minute.
            boolean isAwaited = waiting != null && waiting.requestId != null;
            if (topology == null || !pending.moves(id) || change.isAppliedTo(topology) || isAwaited
                    || nowMs - askedMs.getOrDefault(key, Long.MIN_VALUE / 2) < PlannedPlacement.LIFETIME_MS) {
                return;
            }
            prepared.put(id, new Prepared(new PlannedPlacement(change.placement(), change.workers(),
                new HashSet<>(topology.placement().values()), view.names(), nowMs), null));
            try {
                rebalancer.rebalance(view.topologies().get(id).name(), options(change));
                askedMs.put(key, nowMs);
            } catch (TException e) {
                prepared.remove(id);
                LOG.warn("Nimbus does not rebalance topology {} for step {}, the next round tries again: {}", id, plan.step(),
                    e.toString());
            }
        });
        askedMs.keySet().retainAll(current);
    }

    private static RebalanceOptions options(TopologyChange change) {
        RebalanceOptions options = new RebalanceOptions();
        options.set_wait_secs(0);
        options.set_num_workers(change.workers());
        options.set_num_executors(new TreeMap<>(change.executors()));
        return options;
    }

    /** The events of a step with names instead of ids, and with what a plan changes. */
    private static List<HengeEvent> readable(HengeStep step, ClusterView view) {
        return step.events().stream().map(event -> {
            String text = event.text();
            HengeState.Pending pending = step.state().pending().orElse(null);
            if (event.kind() == HengeEvent.Kind.PLANNED && pending != null && pending.plan().step() == event.step()) {
                text += "; " + pending.plan().changes().keySet().stream().map(id -> id + ' ' + change(pending, id))
                    .collect(Collectors.joining(", "));
            }
            return new HengeEvent(event.timeMs(), event.step(), event.kind(), readable(text, view));
        }).toList();
    }

    /** What a step changes of a topology. */
    private static String change(HengeState.Pending pending, String topologyId) {
        TopologyChange change = pending.plan().changes().get(topologyId);
        List<String> parts = new ArrayList<>();
        if (pending.moves(topologyId)) {
            parts.add("gets " + (change.executors().isEmpty() ? "another place" : change.executors()) + " on " + change.workers()
                + " workers");
        }
        if (pending.switches(topologyId)) {
            parts.add("uses " + (change.techniques().isEmpty() ? "no technique"
                : change.techniques().stream().map(Technique::toString).collect(Collectors.joining(" and "))));
        }
        return String.join(" and ", parts);
    }

    /** The events of the end of a search for which there are no SLOs any more. */
    private List<HengeEvent> end(HengeState state) {
        return state.pending().stream().map(pending -> new HengeEvent(clockMs.getAsLong(), pending.plan().step(),
            HengeEvent.Kind.NOT_JUDGED, "no topology has an SLO")).toList();
    }

    private static String readable(String text, ClusterView view) {
        String readable = text;
        for (ClusterView.Topology topology : view.topologies().values()) {
            readable = readable.replace(topology.id(), topology.name());
        }
        return GONE.matcher(view.names().replaceIds(readable)).replaceAll("$1");
    }

    /** Writes the report, the history, and remarks on topologies that are left alone. */
    private void tell(ClusterView view, HengeMemory memory, Observation now, SloFigures.Measured measured, boolean hasEvents) {
        List<HengeEvent> log = now.statuses().isEmpty() ? List.of() : store.events();
        List<SloReport.Row> rows = SloRows.of(view, now, measured, log);
        String noRoom = Admission.obstacle(memory.state(), now, settings.configuration()).map(text -> readable(text, view)).orElse("");
        if (busyCores == null) {
            busyCores = new BusyCores(store.report().busyCores());
        }
        Admission.busyCores(measured.snapshot()).forEach((id, cores) -> busyCores.add(view.topologies().get(id).name(), cores));
        SloReport next = new SloReport(now.timeMs(), SloRows.activity(memory.state(), log), noRoom, settings.refuses(),
            Admission.freeCores(now, settings.configuration()), busyCores.all(), rows);
        // Without SLOs only a client that submits the first one reads it.
        if (!rows.isEmpty() || !report.rows().isEmpty() || now.timeMs() - lastReportMs >= POINT_MS) {
            store.report(next);
            lastReportMs = now.timeMs();
        }
        report = next;
        measured.figures().forEach((id, one) -> remark(view.topologies().get(id), one.missing()));
        SloHistory.Point point = SloHistory.Point.of(now.timeMs(), rows);
        if (point.differsFrom(lastPoint) || (!rows.isEmpty() && (hasEvents || now.timeMs() - lastPoint.timeMs() >= POINT_MS))) {
            store.add(point);
            lastPoint = point;
        }
    }

    /** Logs why a topology is left alone, once until that changes. */
    private void remark(ClusterView.Topology topology, String why) {
        String before = remarks.put(topology.id(), why);
        // Numbers, such as seconds, change from round to round.
        if (!why.isEmpty() && (before == null || !before.replaceAll("\\d+", "").equals(why.replaceAll("\\d+", "")))) {
            LOG.info("Topology {} is left alone: {}.", topology.name(), why);
        } else if (why.isEmpty() && before != null && !before.isEmpty()) {
            LOG.info("Topology {} has all figures again.", topology.name());
        }
    }
}
