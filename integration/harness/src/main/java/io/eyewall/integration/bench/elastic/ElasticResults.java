package io.eyewall.integration.bench.elastic;

import io.eyewall.core.report.Counts;
import io.eyewall.core.report.LatencyPlot;
import io.eyewall.core.report.LatencySeries;
import io.eyewall.core.report.RatePlot;
import io.eyewall.integration.bench.Spread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/**
 * The runs of all sides as Markdown, as CSV with a line for each second, and as plots of the first round.
 *
 * @param figures the columns of the table
 * @param labels of the sides
 * @param runs by side, in the order of the rounds
 */
record ElasticResults(List<ElasticFigure> figures, List<String> labels, List<List<ElasticRun>> runs) {

    private static final String CSV_HEADER = "side,round,second,emitted,acked,failed,received,p50_ns,p99_ns,max_ns";
    /** Plots take times since 1970. */
    private static final long PLOT_ORIGIN_MS = 1_000_000;

    /** A row for each side; the median of the rounds with the least and the most. */
    List<String> table() {
        List<String> lines = new ArrayList<>(List.of("",
            figures.stream().map(ElasticFigure::title).collect(Collectors.joining(" | ", "| | ", " |")),
            "|---|" + "---|".repeat(figures.size())));
        for (int side = 0; side < labels.size(); side++) {
            List<ElasticRun> ofSide = runs.get(side);
            lines.add(figures.stream().map(figure -> Spread.of(ofSide.stream().mapToDouble(figure::of).toArray()).format(figure::format))
                .collect(Collectors.joining(" | ", "| " + labels.get(side) + " | ", " |")));
        }
        return lines;
    }

    List<String> csv() {
        List<String> lines = new ArrayList<>(List.of(CSV_HEADER));
        for (int side = 0; side < labels.size(); side++) {
            for (int round = 0; round < runs.get(side).size(); round++) {
                for (ElasticRun.Slice second : runs.get(side).get(round).seconds()) {
                    Counts counts = second.counts();
                    Histogram latencies = second.latencies();
                    lines.add(String.format(Locale.ROOT, "%s,%d,%d,%.0f,%.0f,%.0f,%.0f,%d,%d,%d", labels.get(side), round + 1,
                        second.number(), counts.emitted(), counts.acked(), counts.failed(), counts.received(),
                        latencies.getValueAtPercentile(50), latencies.getValueAtPercentile(99), latencies.getMaxValue()));
                }
            }
        }
        return lines;
    }

    /** Writes {@code table.md}, {@code seconds.csv}, {@code latency.svg} and {@code throughput.svg}. */
    void write(Path directory, List<String> header) throws IOException {
        Files.createDirectories(directory);
        List<String> table = new ArrayList<>(header);
        table.addAll(table());
        Files.write(directory.resolve("table.md"), table);
        Files.write(directory.resolve("seconds.csv"), csv());
        List<LatencySeries> latencies = new ArrayList<>();
        Map<String, Map<Double, Double>> rates = new LinkedHashMap<>();
        for (int side = 0; side < labels.size(); side++) {
            LatencySeries ofSide = new LatencySeries(labels.get(side));
            List<ElasticRun.Slice> seconds = runs.get(side).get(0).seconds();
            seconds.forEach(second -> ofSide.add(timed(second, seconds.get(0).number())));
            latencies.add(ofSide);
            rates.put(labels.get(side), runs.get(side).get(0).rates());
        }
        int before = -runs.get(0).get(0).seconds().get(0).number();
        new LatencyPlot("Changed after " + before + " s: latency from due to processed, first round", latencies)
            .write(directory.resolve("latency.svg"));
        new RatePlot("Changed at 0 s: tuples per second, first round", rates).write(directory.resolve("throughput.svg"));
    }

    private static Histogram timed(ElasticRun.Slice second, int first) {
        Histogram timed = second.latencies().copy();
        timed.setStartTimeStamp(PLOT_ORIGIN_MS + (second.number() - first) * 1000L);
        timed.setEndTimeStamp(timed.getStartTimeStamp() + 1000);
        return timed;
    }
}
