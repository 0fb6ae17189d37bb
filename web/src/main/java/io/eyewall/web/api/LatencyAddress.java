package io.eyewall.web.api;

import io.eyewall.core.watch.HopLatencies;
import io.eyewall.core.watch.HopLatencies.Hop;
import io.eyewall.core.watch.TopologyPages;
import io.eyewall.core.watch.WorkerAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.HdrHistogram.Histogram;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.thrift.TException;

/**
 * {@code topology/{id}/latency}: how long the hops of tuples take. While somebody asks again and again the figures are those of the last
 * minute or a little more, and otherwise all that the workers have recorded. Workers serve few readers at a time, so that an answer stands
 * for those who ask a little later, too. Safe for any thread.
 */
final class LatencyAddress implements Handler {

    private static final long WINDOW_MS = Duration.ofMinutes(1).toMillis();
    /**
     * For so long an answer stands, and readings from which windows begin have this distance: a little less than two rounds of a page. For
     * a reading a worker has to add up and send all of its histograms.
     */
    private static final long STEP_MS = Duration.ofSeconds(19).toMillis();
    private static final long REMEMBERED_MS = Duration.ofMinutes(3).toMillis();
    private static final double NS_PER_MS = 1e6;
    private static final double[] PERCENTILES = {10, 25, 50, 75, 90, 95, 99, 99.5, 99.9, 100};
    /** The parts that a tuple passes one after the other; others span several. */
    private static final Set<String> PARTS = Set.of("overflow", "emit-to-enqueue", "serialize", "transfer-queue-wait",
        "to-stream-manager", "between-stream-managers", "network", "deserialize", "receive-queue-wait", "execute");

    private final TopologyPages pages = new TopologyPages();
    private final InstantSource clock;
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();

    /** What workers said at a time. */
    record Reading(long timeMs, SortedMap<WorkerAddress, Map<String, String>> workers) {
    }

    /**
     * What was found out for a topology.
     *
     * @param timeMs when
     * @param before readings of which one begins the next window, the oldest first
     * @param json the content of the response
     */
    private record Answer(long timeMs, List<Reading> before, Map<String, Object> json) {
    }

    LatencyAddress(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public Object handle(Nimbus.Iface nimbus, Parameters asked) throws TException {
        String id = asked.path("id");
        long nowMs = clock.millis();
        answers.values().removeIf(answer -> nowMs - answer.timeMs >= REMEMBERED_MS);
        Answer before = answers.get(id);
        if (before != null && nowMs - before.timeMs < STEP_MS) {
            return before.json;
        }
        TopologyPages.Reading<Map<String, String>> read = pages.read(nimbus, id, HopLatencies.PAGE,
            (worker, page) -> HopLatencies.parse(page, id));
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("topologyId", id);
        json.put("timeMs", nowMs);
        List<Reading> earlier = before == null ? List.of() : before.before;
        Reading begin = begin(earlier, nowMs);
        json.put("sinceMs", begin == null ? null : begin.timeMs);
        json.put("unavailable", read.unavailable().isEmpty() ? null : read.unavailable());
        json.putAll(hops(begin == null ? new TreeMap<>() : begin.workers, read));
        answers.put(id, new Answer(nowMs, kept(earlier, new Reading(nowMs, read.answers())), json));
        return json;
    }

    /** The newest reading that is older than the window; null if there is none. */
    static Reading begin(List<Reading> earlier, long nowMs) {
        Reading begin = null;
        for (Reading reading : earlier) {
            begin = nowMs - reading.timeMs >= WINDOW_MS ? reading : begin;
        }
        return begin;
    }

    /** What the next windows may begin with. */
    static List<Reading> kept(List<Reading> earlier, Reading now) {
        List<Reading> kept = new ArrayList<>(earlier);
        if (kept.isEmpty() || now.timeMs - kept.get(kept.size() - 1).timeMs >= STEP_MS) {
            kept.add(now);
        }
        Reading begin = begin(kept, now.timeMs);
        kept.removeIf(reading -> begin != null && reading.timeMs < begin.timeMs);
        return kept;
    }

    /** The hops, the slowest of them, and the workers that are left out. */
    static Map<String, Object> hops(SortedMap<WorkerAddress, Map<String, String>> before, TopologyPages.Reading<Map<String, String>> read) {
        Map<String, String> silent = new TreeMap<>();
        read.silent().forEach((worker, cause) -> silent.put(worker.toString(), cause));
        HopLatencies latencies = new HopLatencies();
        read.answers().forEach((worker, now) -> {
            try {
                latencies.add(before.getOrDefault(worker, Map.of()), now);
            } catch (IllegalArgumentException e) {
                silent.put(worker.toString(), e.getMessage());
            }
        });
        List<Map<String, Object>> hops = new ArrayList<>();
        Map<String, Object> slowest = null;
        long slowestNs = -1;
        for (Map.Entry<Hop, Histogram> entry : latencies.histograms().entrySet()) {
            Histogram histogram = entry.getValue();
            if (histogram.getTotalCount() == 0) {
                continue;
            }
            Map<String, Object> hop = json(entry.getKey(), histogram);
            hops.add(hop);
            long medianNs = histogram.getValueAtPercentile(50);
            if (PARTS.contains(entry.getKey().point()) && medianNs > slowestNs) {
                slowestNs = medianNs;
                slowest = hop;
            }
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("slowest", slowest);
        json.put("hops", hops);
        json.put("silentWorkers", silent);
        return json;
    }

    private static Map<String, Object> json(Hop hop, Histogram histogram) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("hop", hop.point());
        json.put("from", hop.from());
        json.put("stream", hop.stream());
        json.put("to", hop.to());
        json.put("part", PARTS.contains(hop.point()));
        json.put("count", histogram.getTotalCount());
        json.put("meanMs", histogram.getMean() / NS_PER_MS);
        Map<String, Double> percentiles = new LinkedHashMap<>();
        for (double percentile : PERCENTILES) {
            percentiles.put(percentile == (int) percentile ? String.valueOf((int) percentile) : String.valueOf(percentile),
                histogram.getValueAtPercentile(percentile) / NS_PER_MS);
        }
        json.put("percentilesMs", percentiles);
        return json;
    }
}
