package io.eyewall.scheduler.henge;

import io.eyewall.elasticity.henge.HengeEvent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.storm.shade.net.minidev.json.JSONValue;

/**
 * What {@code storm slo history} shows: the action log, and the utilities over time. The keys of the blobs and the JSON in their lines must
 * not change.
 */
public final class SloHistory {

    /** The key of the blob with the action log. */
    public static final String LOG_KEY = "eyewall-slo-log";
    /** The key of the blob with the utilities. */
    public static final String UTILITIES_KEY = "eyewall-slo-utilities";

    /** How many points are kept. When there are more, every second one is dropped. */
    static final int MAX_POINTS = 1_000;

    /** A change of the sum of utilities by this share can be seen. */
    private static final double VISIBLE = 0.05;

    private static final Set<String> KINDS = Stream.of(HengeEvent.Kind.values()).map(Enum::name).collect(Collectors.toUnmodifiableSet());

    private SloHistory() {
    }

    /**
     * The utilities at one moment.
     *
     * @param timeMs when, in milliseconds since 1970
     * @param utilities by the topology's name; topologies without figures are not in it
     * @param unknown the names of the topologies that have an SLO and no figures
     */
    public record Point(long timeMs, SortedMap<String, Double> utilities, SortedSet<String> unknown) {

        /** The point of a report with these rows. */
        public static Point of(long timeMs, List<SloReport.Row> rows) {
            SortedMap<String, Double> utilities = new TreeMap<>();
            SortedSet<String> unknown = new TreeSet<>();
            rows.forEach(row -> row.utility().ifPresentOrElse(utility -> utilities.put(row.topologyName(), utility),
                () -> unknown.add(row.topologyName())));
            return new Point(timeMs, utilities, unknown);
        }

        /** Whether a plot has to show the difference: other topologies are known, or the sum of their utilities changed by 5 %. */
        boolean differsFrom(Point before) {
            return !utilities.keySet().equals(before.utilities.keySet()) || !unknown.equals(before.unknown)
                || Math.abs(sum() - before.sum()) > VISIBLE * Math.max(sum(), before.sum());
        }

        private double sum() {
            return utilities.values().stream().mapToDouble(Double::doubleValue).sum();
        }
    }

    static byte[] logBytes(List<HengeEvent> events) {
        return lines(events.stream().map(SloHistory::json));
    }

    static Map<String, Object> json(HengeEvent event) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("time-ms", event.timeMs());
        json.put("step", event.step());
        json.put("kind", event.kind().name());
        json.put("text", event.text());
        return json;
    }

    /**
     * The events in the log's blob, oldest first; without those of a kind that only a later version knows.
     *
     * @throws IllegalArgumentException if it is no log
     */
    public static List<HengeEvent> events(byte[] contents) {
        return parsed(contents, json -> events(List.of(json))).stream().flatMap(List::stream).toList();
    }

    /** The events in JSON, in their order; without those of a kind that only a later version knows. */
    static List<HengeEvent> events(Object json) {
        return ((List<?>) json).stream().map(each -> (Map<?, ?>) each).filter(event -> KINDS.contains(event.get("kind")))
            .map(event -> new HengeEvent(((Number) event.get("time-ms")).longValue(), ((Number) event.get("step")).longValue(),
                HengeEvent.Kind.valueOf((String) event.get("kind")), (String) event.get("text")))
            .toList();
    }

    /** The events that name one of these topologies, with all others of the same steps, and how the searches with them ended. */
    public static List<HengeEvent> of(List<HengeEvent> events, Collection<String> topologyNames) {
        Pattern named = Pattern.compile(topologyNames.stream().map(Pattern::quote)
            .collect(Collectors.joining("|", "(?<![\\w-])(?:", ")(?![\\w-])")));
        Set<Long> steps = events.stream().filter(event -> event.step() > 0 && named.matcher(event.text()).find())
            .map(HengeEvent::step).collect(Collectors.toSet());
        List<HengeEvent> found = new ArrayList<>();
        boolean isOpen = false;
        for (HengeEvent event : events) {
            boolean isEnd = event.kind() == HengeEvent.Kind.CONVERGED;
            if (steps.contains(event.step()) || named.matcher(event.text()).find() || (isEnd && isOpen)) {
                found.add(event);
                isOpen = !isEnd;
            }
        }
        return found;
    }

    static byte[] pointBytes(List<Point> points) {
        List<Point> kept = points;
        while (kept.size() > MAX_POINTS) {
            List<Point> half = new ArrayList<>();
            for (int i = kept.size() - 1; i >= 0; i -= 2) {
                half.add(0, kept.get(i));
            }
            kept = half;
        }
        return lines(kept.stream().map(point -> {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("time-ms", point.timeMs);
            json.put("utilities", point.utilities);
            if (!point.unknown.isEmpty()) {
                json.put("unknown", List.copyOf(point.unknown));
            }
            return json;
        }));
    }

    /**
     * The points in the blob with the utilities, oldest first.
     *
     * @throws IllegalArgumentException if they are none
     */
    public static List<Point> points(byte[] contents) {
        return parsed(contents, json -> {
            SortedMap<String, Double> utilities = new TreeMap<>();
            ((Map<?, ?>) json.get("utilities")).forEach((name, utility) -> utilities.put((String) name, ((Number) utility).doubleValue()));
            SortedSet<String> unknown = new TreeSet<>();
            if (json.get("unknown") instanceof List<?> names) {
                names.forEach(name -> unknown.add((String) name));
            }
            return new Point(((Number) json.get("time-ms")).longValue(), utilities, unknown);
        });
    }

    private static byte[] lines(Stream<Map<String, Object>> objects) {
        StringBuilder lines = new StringBuilder();
        objects.forEach(json -> lines.append(JSONValue.toJSONString(json)).append('\n'));
        return lines.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static <T> List<T> parsed(byte[] contents, Function<Map<?, ?>, T> parser) {
        List<T> parsed = new ArrayList<>();
        for (String line : new String(contents, StandardCharsets.UTF_8).lines().filter(one -> !one.isBlank()).toList()) {
            try {
                parsed.add(parser.apply((Map<?, ?>) JSONValue.parse(line)));
            } catch (ClassCastException | NullPointerException e) {
                throw new IllegalArgumentException("a line of it is not understood: " + line, e);
            }
        }
        return parsed;
    }
}
