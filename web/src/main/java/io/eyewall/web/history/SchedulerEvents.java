package io.eyewall.web.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.thrift.TException;

/**
 * Finds scalings and changes of service levels in the blobs in which Eyewall's schedulers report them. Where the cluster has another
 * scheduler there are none. For one thread.
 */
final class SchedulerEvents {

    /** How topologies do against their service levels. */
    static final String SLO_REPORT = "eyewall-slo-report";
    /** How topologies were scaled: a line for each step. */
    static final String SCALING_LOG = "eyewall-scaling-log";

    /** Kinds of lines that change something; the others ask, plan and measure. */
    private static final Set<String> CHANGES = Set.of("COMMITTED", "ABORTED");

    private Map<String, Map<?, ?>> levels;
    private long newestMs = Long.MIN_VALUE;

    /** Where the blobs are. */
    @FunctionalInterface
    interface Blobs {

        /** The text of a blob; empty if there is none. */
        Optional<String> read(String key) throws TException;
    }

    /** What has happened since the last call, by the names of topologies; nothing at the first. */
    Map<String, List<Event>> next(Blobs blobs) throws TException {
        Map<String, List<Event>> events = new HashMap<>();
        scalings(blobs.read(SCALING_LOG).orElse(""), events);
        Map<String, Map<?, ?>> now = new HashMap<>();
        if (JSONValue.parse(blobs.read(SLO_REPORT).orElse("{}")) instanceof Map<?, ?> report
                && report.get("topologies") instanceof List<?> rows) {
            for (Object each : rows) {
                if (each instanceof Map<?, ?> row && row.get("topology") instanceof String name) {
                    now.put(name, row);
                }
            }
        }
        if (levels != null) {
            now.forEach((name, row) -> level(name, levels.getOrDefault(name, Map.of()), row, events));
        }
        levels = now;
        return events;
    }

    private void scalings(String log, Map<String, List<Event>> events) {
        long known = newestMs;
        // Of the log that is there at first, nothing is new.
        newestMs = Math.max(newestMs, 0);
        for (String line : log.lines().filter(each -> !each.isBlank()).toList()) {
            if (JSONValue.parse(line) instanceof Map<?, ?> entry && entry.get("time-ms") instanceof Number time) {
                newestMs = Math.max(newestMs, time.longValue());
                if (known >= 0 && time.longValue() > known && CHANGES.contains(String.valueOf(entry.get("kind")))) {
                    add(String.valueOf(entry.get("topology")), Event.of(Event.SCALING, String.valueOf(entry.get("text"))), events);
                }
            }
        }
    }

    private static void level(String name, Map<?, ?> before, Map<?, ?> now, Map<String, List<Event>> events) {
        if (!Objects.equals(before.get("slo"), now.get("slo"))) {
            add(name, Event.of(Event.SLO, "service level: " + now.get("slo")), events);
        }
        // Numbers in it, such as the seconds since a worker's last report, change at each look.
        if (!withoutNumbers(before.get("state")).equals(withoutNumbers(now.get("state")))) {
            add(name, Event.of(Event.SLO, "service level is " + now.get("state")), events);
        }
        if (now.get("last-action") != null && !Objects.equals(before.get("last-action"), now.get("last-action"))) {
            add(name, Event.of(Event.SLO, "step for the service level: " + now.get("last-action")), events);
        }
    }

    private static String withoutNumbers(Object text) {
        return String.valueOf(text).replaceAll("\\d+", "");
    }

    private static void add(String name, Event event, Map<String, List<Event>> events) {
        events.computeIfAbsent(name, each -> new ArrayList<>()).add(event);
    }
}
