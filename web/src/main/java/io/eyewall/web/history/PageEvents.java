package io.eyewall.web.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.storm.generated.ComponentAggregateStats;
import org.apache.storm.generated.ErrorInfo;
import org.apache.storm.generated.TopologyPageInfo;
import org.apache.storm.generated.WorkerSummary;

/** Finds errors and restarts of workers in what Nimbus says about a topology at one time and the next. For one thread. */
final class PageEvents {

    /** A worker's uptime is not exact. */
    private static final int TOLERANCE_SECS = 20;

    private final Map<String, Known> topologies = new HashMap<>();

    /**
     * What was known at the time before.
     *
     * @param starts of workers by HOST:PORT, in seconds since 1970
     * @param errors the time of the last error of each component that has one
     */
    private record Known(Map<String, Long> starts, Map<String, Integer> errors) {
    }

    void retain(Set<String> running) {
        topologies.keySet().retainAll(running);
    }

    /**
     * What has happened since the last page of the same topology.
     *
     * @param nowSecs since 1970
     * @param sinceSecs the time of the last sample before this daemon started, or null: errors from then on are new
     */
    List<Event> next(TopologyPageInfo page, long nowSecs, Long sinceSecs) {
        Known before = topologies.get(page.get_id());
        Known now = new Known(new HashMap<>(), new HashMap<>());
        List<Event> events = new ArrayList<>();
        if (page.is_set_workers()) {
            page.get_workers().forEach(worker -> worker(worker, nowSecs, before, now, events));
        }
        page.get_id_to_spout_agg_stats().forEach((id, stats) -> error(id, stats, before, now, sinceSecs, events));
        page.get_id_to_bolt_agg_stats().forEach((id, stats) -> error(id, stats, before, now, sinceSecs, events));
        topologies.put(page.get_id(), now);
        return events;
    }

    private static void worker(WorkerSummary worker, long nowSecs, Known before, Known now, List<Event> events) {
        String name = worker.get_host() + ":" + worker.get_port();
        long start = nowSecs - worker.get_uptime_secs();
        Long former = before == null ? null : before.starts.get(name);
        if (former != null && start > former + TOLERANCE_SECS) {
            events.add(Event.of(Event.RESTART, "the worker " + name + " has started again"));
        }
        now.starts.put(name, former != null && start <= former + TOLERANCE_SECS ? former : Long.valueOf(start));
    }

    private static void error(String id, ComponentAggregateStats stats, Known before, Known now, Long sinceSecs, List<Event> events) {
        ErrorInfo error = stats.get_last_error();
        if (error == null) {
            return;
        }
        int time = error.get_error_time_secs();
        now.errors.put(id, time);
        boolean isNew = before == null ? sinceSecs != null && time > sinceSecs : time > before.errors.getOrDefault(id, 0);
        if (isNew) {
            events.add(Event.of(Event.ERROR, id + ": " + error.get_error()));
        }
    }
}
