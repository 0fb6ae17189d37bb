package io.eyewall.scheduler.henge;

import io.eyewall.client.settings.tail.LatencyAccess;
import io.eyewall.elasticity.measure.ClusterSnapshot;
import io.eyewall.elasticity.measure.TopologyRates;
import io.eyewall.elasticity.model.PlacedTopology;
import io.eyewall.elasticity.model.Slot;
import io.eyewall.elasticity.model.TopologyGraph;
import io.eyewall.elasticity.slo.Juice;
import io.eyewall.elasticity.slo.LatencyStatistic;
import io.eyewall.elasticity.slo.Slo;
import io.eyewall.elasticity.slo.SloMetric;
import io.eyewall.scheduler.cluster.ClusterMeter;
import io.eyewall.scheduler.cluster.ClusterView;
import io.eyewall.scheduler.cluster.WorkerHeartbeats;
import java.net.URI;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.apache.storm.Config;
import org.apache.storm.utils.ObjectReader;

/**
 * Measures topologies against their SLOs: juice and throughput from the counters in heartbeats, latencies from what workers record or, if
 * they record nothing, from Storm's averages. A figure that is missing or old is left out, with the reason. Not thread-safe.
 */
final class SloFigures {

    /** Workers are silent if they have missed this many reports, and for at least this time in milliseconds. */
    private static final int MISSED_REPORTS = 3;
    private static final long MIN_SILENCE_MS = 30_000;
    private static final int DEFAULT_REPORT_SECS = 60;
    private static final long MS_PER_SEC = 1_000;
    /** For how long figures that are missing are so because of a change, in milliseconds; then something else is the cause. */
    private static final long ANEW_MS = 60_000;
    /** Why a figure is missing that never was there. */
    static final String NEVER_MEASURED = "it has not been measured yet";

    private final HeartbeatNotes heartbeats;
    private final ClusterMeter meter;
    private final RecordedLatencies recorded = new RecordedLatencies();
    private final MachineLoads loads;
    private final WorkerPageReader pages;
    private final LongSupplier clockMs;
    /** Since when topologies are measured, by topology id. */
    private final Map<String, Since> since = new HashMap<>();

    /** {@code settleMs} is how long the cluster is left alone after a step, in milliseconds. */
    SloFigures(WorkerHeartbeats heartbeats, WorkerPageReader pages, long settleMs, LongSupplier clockMs) {
        this.heartbeats = new HeartbeatNotes(heartbeats, clockMs);
        this.meter = new ClusterMeter(this.heartbeats);
        loads = new MachineLoads(settleMs);
        this.pages = pages;
        this.clockMs = clockMs;
    }

    /**
     * What was measured in one round.
     *
     * @param snapshot the rates of all topologies
     * @param figures the figures of the topologies that have an SLO, by topology id
     * @param cpuLoad the CPU load of the machines that report it, by machine id
     */
    record Measured(ClusterSnapshot snapshot, SortedMap<String, Figures> figures, Map<String, Double> cpuLoad) {
    }

    /**
     * The figures of one topology.
     *
     * @param values the value of each metric that is known
     * @param missing why others are unknown; empty if all are known that the SLO needs
     * @param isCurrent whether they are of this round; else the latency is the last that all workers have shown
     */
    record Figures(Map<SloMetric, Double> values, String missing, boolean isCurrent) {

        /** Unknown ones. */
        static Figures missing(String why) {
            return new Figures(Map.of(), why, true);
        }
    }

    /** Since when a topology is measured, in milliseconds, and what to say while nothing is known. */
    private record Since(long timeMs, String why) {
    }

    /** Measures all topologies that have an SLO. */
    Measured measure(ClusterView view, Map<String, Slo> slos) {
        ClusterSnapshot snapshot = meter.measure(view, clockMs.getAsLong());
        Set<Slot> slots = new HashSet<>();
        view.state().topologies().forEach(topology -> slots.addAll(topology.placement().values()));
        heartbeats.retain(slots, slos::containsKey);
        recorded.retain(slots, slos::containsKey);
        since.keySet().retainAll(slos.keySet());
        slos.keySet().forEach(id -> since.computeIfAbsent(id, first -> new Since(clockMs.getAsLong(), NEVER_MEASURED)));
        Map<String, Map<Slot, URI>> latencyPages = new HashMap<>();
        Set<URI> wanted = new HashSet<>();
        for (String id : slos.keySet()) {
            view.placed(id).filter(placed -> needsPages(slos.get(id), access(view, id)))
                .ifPresent(placed -> latencyPages.put(id, uris(placed, access(view, id), view)));
        }
        latencyPages.values().forEach(byWorker -> wanted.addAll(byWorker.values()));
        Map<String, URI> hostPages = hostPages(view);
        wanted.addAll(hostPages.values());
        Map<URI, String> texts = pages.read(wanted);
        SortedMap<String, Figures> figures = new TreeMap<>();
        slos.forEach((id, slo) -> view.placed(id).ifPresent(placed -> figures.put(id,
            figures(view, placed, snapshot, slo, latencyPages.getOrDefault(id, Map.of()), texts))));
        return new Measured(snapshot, figures, loads.of(hostPages, texts, clockMs.getAsLong()));
    }

    /** Restarts the windows of a topology that has changed. */
    void restartWindow(String topologyId, long timeMs) {
        meter.restartWindow(topologyId, timeMs);
        heartbeats.restartWindow(topologyId);
        recorded.restartWindow(topologyId);
        since.put(topologyId, new Since(clockMs.getAsLong(), "it is measured anew, after a step or another change"));
    }

    /** Why nothing is known yet: since the topology has just begun to be measured, or this reason. */
    private String unlessAnew(String topologyId, String reason) {
        Since began = since.get(topologyId);
        return clockMs.getAsLong() - began.timeMs <= ANEW_MS ? began.why : reason;
    }

    private Figures figures(ClusterView view, PlacedTopology placed, ClusterSnapshot snapshot, Slo slo, Map<Slot, URI> latencyPages,
            Map<URI, String> texts) {
        String id = placed.graph().id();
        Map<SloMetric, Double> values = new EnumMap<>(SloMetric.class);
        TopologyRates rates = snapshot.rates().get(id);
        // The latency first, so that its window is renewed in every round.
        String missing = slo.thresholds().containsKey(SloMetric.LATENCY_MS)
            ? latency(placed, slo.statistic(), access(view, id), latencyPages, texts, values) : "";
        long silenceMs = heartbeats.silenceMs(id, placed.placement().values());
        long reportSecs = ObjectReader.getInt(view.topologies().get(id).conf().get(Config.EXECUTOR_METRICS_FREQUENCY_SECS),
            DEFAULT_REPORT_SECS);
        if (silenceMs > Math.max(MIN_SILENCE_MS, MISSED_REPORTS * reportSecs * MS_PER_SEC)) {
            return Figures.missing(silenceMs == Long.MAX_VALUE ? "not all of its workers have reported yet"
                : "a worker has not reported for " + silenceMs / MS_PER_SEC + " s");
        }
        if (rates.unmeasuredExecutors() > 0) {
            return Figures.missing(since.get(id).why + ": its workers report every " + reportSecs
                + " s, and two reports are needed");
        }
        if (slo.thresholds().containsKey(SloMetric.JUICE)) {
            OptionalDouble juice = new Juice(placed.graph(), rates).ofTopology();
            juice.ifPresent(value -> values.put(SloMetric.JUICE, value));
            missing = juice.isPresent() ? missing : "its juice has no bound, or it has no sink";
        }
        if (slo.thresholds().containsKey(SloMetric.THROUGHPUT_PER_SEC)) {
            values.put(SloMetric.THROUGHPUT_PER_SEC, snapshot.throughputPerSec(id));
        }
        return new Figures(values, missing, texts.keySet().containsAll(latencyPages.values()));
    }

    /** Adds the latency to the values; returns why it is unknown, or an empty text. */
    private String latency(PlacedTopology placed, LatencyStatistic statistic, LatencyAccess access, Map<Slot, URI> latencyPages,
            Map<URI, String> texts, Map<SloMetric, Double> values) {
        String id = placed.graph().id();
        OptionalDouble latencyMs;
        if (!access.isPossible()) {
            if (!statistic.isMean()) {
                return "its workers record no latencies, and Storm's own figures have only the mean: set " + LatencyAccess.RECORDING
                    + ", or " + SloConfiguration.LATENCY_PERCENTILE + ": mean";
            }
            latencyMs = heartbeats.completeLatencyMs(id, placed.placement().values());
            latencyMs.ifPresent(value -> values.put(SloMetric.LATENCY_MS, value));
            return latencyMs.isPresent() ? "" : unlessAnew(id, "no message was acked in the last minute");
        }
        long nowMs = clockMs.getAsLong();
        Set<Slot> workers = workersWithSinks(placed);
        Set<String> sinks = sinks(placed.graph());
        try {
            latencyPages.forEach((worker, page) -> {
                if (texts.containsKey(page)) {
                    recorded.read(id, worker, texts.get(page), sinks, nowMs);
                }
            });
        } catch (IllegalArgumentException e) {
            return "a worker's page of latencies cannot be used: " + e.getMessage();
        }
        for (Slot worker : workers) {
            if (!latencyPages.containsKey(worker)) {
                return "no latencies from port " + worker.port() + " of machine " + worker.machine() + ", whose host is not known";
            }
            if (!recorded.isKnown(id, worker, nowMs)) {
                return "no latencies from " + latencyPages.get(worker);
            }
        }
        latencyMs = recorded.latencyMs(id, workers, statistic, nowMs);
        latencyMs.ifPresent(value -> values.put(SloMetric.LATENCY_MS, value));
        return latencyMs.isPresent() ? "" : unlessAnew(id, "no latency was recorded in the last minute");
    }

    private static boolean needsPages(Slo slo, LatencyAccess access) {
        return access.isPossible() && slo.thresholds().containsKey(SloMetric.LATENCY_MS);
    }

    private static LatencyAccess access(ClusterView view, String topologyId) {
        try {
            return LatencyAccess.of(view.topologies().get(topologyId).conf());
        } catch (IllegalArgumentException e) {
            return new LatencyAccess(false, 0);
        }
    }

    /** The pages of the workers that have a sink, without those of machines whose host is not known. */
    private static Map<Slot, URI> uris(PlacedTopology placed, LatencyAccess access, ClusterView view) {
        Map<Slot, URI> uris = new HashMap<>();
        for (Slot worker : workersWithSinks(placed)) {
            if (view.hosts().containsKey(worker.machine())) {
                uris.put(worker, WorkerPageReader.uri(view.hosts().get(worker.machine()), worker.port() + access.endpointPortOffset(),
                    "/worker"));
            }
        }
        return uris;
    }

    private static Set<Slot> workersWithSinks(PlacedTopology placed) {
        Set<String> sinks = sinks(placed.graph());
        Set<Slot> workers = new TreeSet<>();
        placed.placement().forEach((executor, slot) -> {
            if (sinks.contains(placed.graph().componentOf(executor).id())) {
                workers.add(slot);
            }
        });
        return workers;
    }

    /** For each machine that runs a worker with an endpoint, the page of one of them. */
    private static Map<String, URI> hostPages(ClusterView view) {
        Map<String, URI> byMachine = new HashMap<>();
        for (PlacedTopology placed : view.state().topologies()) {
            LatencyAccess access = access(view, placed.graph().id());
            if (access.isPossible()) {
                for (Slot slot : new TreeSet<>(placed.placement().values())) {
                    if (view.hosts().containsKey(slot.machine())) {
                        byMachine.putIfAbsent(slot.machine(),
                            WorkerPageReader.uri(view.hosts().get(slot.machine()), slot.port() + access.endpointPortOffset(), "/host"));
                    }
                }
            }
        }
        return byMachine;
    }

    private static Set<String> sinks(TopologyGraph graph) {
        Set<String> sinks = new TreeSet<>();
        for (int operator = 0; operator < graph.size(); operator++) {
            if (graph.isSink(operator)) {
                sinks.add(graph.operators().get(operator).id());
            }
        }
        return sinks;
    }
}
