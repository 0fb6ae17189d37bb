package io.eyewall.scheduler.command;

import io.eyewall.core.report.RatePlot;
import io.eyewall.elasticity.henge.HengeEvent;
import io.eyewall.scheduler.henge.SloHistory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The utilities of topologies over time, their sum if there are several, and the times at which steps were applied. A topology whose
 * figures are missing for a while, as they are after each step, keeps its last utility in the sum.
 */
final class UtilityPlot {

    /** The most topologies that are drawn, since more colours cannot be told apart. */
    static final int MAX_TOPOLOGIES = 5;

    private static final String TOTAL = "all topologies";
    private static final double MS_PER_SEC = 1_000;

    private final RatePlot plot;
    private final SortedSet<String> omitted = new TreeSet<>();

    /**
     * A plot.
     *
     * @param points the utilities, oldest first; at least one
     * @param events the action log
     * @param topologies the names of the topologies to draw, {@link #MAX_TOPOLOGIES} at most; empty for those with the highest utility
     */
    UtilityPlot(List<SloHistory.Point> points, List<HengeEvent> events, List<String> topologies) {
        long startMs = points.get(0).timeMs();
        Map<String, Map<Double, Double>> series = series(points, topologies);
        plot = new RatePlot("Utility of topologies with an SLO; lines: steps", "utility", series);
        omitted.addAll(topologies);
        if (topologies.isEmpty()) {
            points.forEach(point -> omitted.addAll(point.utilities().keySet()));
        }
        omitted.removeAll(series.keySet());
        events.stream().filter(event -> event.kind() == HengeEvent.Kind.APPLIED && event.timeMs() >= startMs)
            .forEach(event -> plot.mark((event.timeMs() - startMs) / MS_PER_SEC));
    }

    /** The topologies that were wanted and are not drawn. */
    SortedSet<String> omitted() {
        return omitted;
    }

    void write(Path file) throws IOException {
        plot.write(file);
    }

    /** The lines of the plot, by name: the utilities by the second since the first point. */
    static Map<String, Map<Double, Double>> series(List<SloHistory.Point> points, List<String> topologies) {
        long startMs = points.get(0).timeMs();
        Map<Double, Double> total = new TreeMap<>();
        SortedMap<String, Map<Double, Double>> single = new TreeMap<>();
        Map<String, Double> highest = new TreeMap<>();
        SortedMap<String, Double> last = new TreeMap<>();
        for (SloHistory.Point point : points) {
            double secs = (point.timeMs() - startMs) / MS_PER_SEC;
            last.keySet().retainAll(point.unknown());
            last.putAll(point.utilities());
            total.put(secs, last.values().stream().mapToDouble(Double::doubleValue).sum());
            point.utilities().forEach((name, utility) -> {
                if (topologies.isEmpty() || topologies.contains(name)) {
                    single.computeIfAbsent(name, each -> new TreeMap<>()).put(secs, utility);
                    highest.merge(name, utility, Math::max);
                }
            });
        }
        Map<String, Map<Double, Double>> series = new LinkedHashMap<>();
        boolean isSumOfOne = points.stream().flatMap(point -> point.utilities().keySet().stream()).distinct().count() == 1;
        if (!isSumOfOne || single.isEmpty()) {
            series.put(TOTAL, total);
        }
        highest.entrySet().stream().sorted(Map.Entry.<String, Double>comparingByValue().reversed()).limit(MAX_TOPOLOGIES)
            .forEach(entry -> series.put(entry.getKey(), single.get(entry.getKey())));
        return series;
    }
}
