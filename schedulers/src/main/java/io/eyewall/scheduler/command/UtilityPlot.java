package io.eyewall.scheduler.command;

import io.eyewall.core.report.RatePlot;
import io.eyewall.elasticity.henge.HengeEvent;
import io.eyewall.scheduler.henge.SloHistory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The utilities of topologies over time, their sum if there are several, and the times at which steps were applied and SLOs changed. A
 * utility holds until the next one was measured. A topology has none while its figures are missing, as they are after each step, and keeps
 * its last utility in the sum meanwhile.
 */
final class UtilityPlot {

    /** The most topologies that are drawn, since more colours cannot be told apart. */
    static final int MAX_TOPOLOGIES = 5;

    private static final String TOTAL = "all topologies";
    private static final double MS_PER_SEC = 1_000;
    /** A utility ends so long before the next one, in seconds: less than can be seen. */
    private static final double BEFORE_SECS = 0.001;

    private final RatePlot plot;
    private final SortedSet<String> omitted = new TreeSet<>();

    /**
     * A plot.
     *
     * @param points the utilities, oldest first; one of them at least has one
     * @param events the action log
     * @param topologies the names of the topologies to draw, {@link #MAX_TOPOLOGIES} at most; empty for those with the highest utility
     */
    UtilityPlot(List<SloHistory.Point> points, List<HengeEvent> events, List<String> topologies) {
        long startMs = points.get(0).timeMs();
        Map<String, Map<Double, Double>> series = series(points, topologies);
        plot = new RatePlot("Utility of topologies with an SLO", "seconds since " + SchedulerConsole.time(startMs), "utility", series);
        omitted.addAll(topologies.isEmpty() ? names(points) : topologies);
        omitted.removeAll(series.keySet());
        mark("a step was applied", HengeEvent.Kind.APPLIED, events, startMs);
        mark("an SLO was changed", HengeEvent.Kind.SLO_CHANGED, events, startMs);
    }

    private void mark(String name, HengeEvent.Kind kind, List<HengeEvent> events, long startMs) {
        events.stream().filter(event -> event.kind() == kind && event.timeMs() >= startMs)
            .forEach(event -> plot.mark(name, (event.timeMs() - startMs) / MS_PER_SEC));
    }

    /** The topologies that were wanted and are not drawn. */
    SortedSet<String> omitted() {
        return omitted;
    }

    void write(Path file) throws IOException {
        plot.write(file);
    }

    /**
     * The lines of the plot, by name: the utilities by the second since the first point. They rise and fall in steps, and are not a number
     * where there is none.
     */
    static Map<String, Map<Double, Double>> series(List<SloHistory.Point> points, List<String> topologies) {
        Map<String, Map<Double, Double>> series = new LinkedHashMap<>();
        SortedSet<String> names = names(points);
        List<String> drawn = names.stream().filter(name -> topologies.isEmpty() || topologies.contains(name))
            .sorted(Comparator.comparing((String name) -> highest(points, name)).reversed()).limit(MAX_TOPOLOGIES).toList();
        if (names.size() > 1 || drawn.isEmpty()) {
            series.put(TOTAL, line(points, totals(points)));
        }
        drawn.forEach(name -> series.put(name, line(points, points.stream().map(point -> point.utilities().get(name)).toList())));
        return series;
    }

    private static SortedSet<String> names(List<SloHistory.Point> points) {
        return points.stream().flatMap(point -> point.utilities().keySet().stream()).collect(Collectors.toCollection(TreeSet::new));
    }

    private static double highest(List<SloHistory.Point> points, String name) {
        return points.stream().mapToDouble(point -> point.utilities().getOrDefault(name, 0.0)).max().orElse(0);
    }

    /** The sum of each point, in which topologies without figures count as they did last; null where no topology has counted. */
    private static List<Double> totals(List<SloHistory.Point> points) {
        SortedMap<String, Double> last = new TreeMap<>();
        List<Double> totals = new ArrayList<>();
        for (SloHistory.Point point : points) {
            last.keySet().retainAll(point.unknown());
            last.putAll(point.utilities());
            totals.add(last.isEmpty() ? null : last.values().stream().mapToDouble(Double::doubleValue).sum());
        }
        return totals;
    }

    private static Map<Double, Double> line(List<SloHistory.Point> points, List<Double> utilities) {
        Map<Double, Double> line = new TreeMap<>();
        double before = Double.NaN;
        for (int i = 0; i < points.size(); i++) {
            double secs = (points.get(i).timeMs() - points.get(0).timeMs()) / MS_PER_SEC;
            double utility = utilities.get(i) == null ? Double.NaN : utilities.get(i);
            if (i > 0 && Double.compare(utility, before) != 0) {
                line.put(secs - BEFORE_SECS, before);
            }
            line.put(secs, utility);
            if (i == points.size() - 1 && Double.isNaN(before)) {
                line.put(secs + BEFORE_SECS, utility); // A single value is a dot.
            }
            before = utility;
        }
        return line;
    }
}
