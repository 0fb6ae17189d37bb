package io.eyewall.integration.bench.elastic;

import io.eyewall.core.report.Counts;
import io.eyewall.core.report.LatencyPlot;
import io.eyewall.core.report.LatencySeries;
import io.eyewall.core.report.RatePlot;
import io.eyewall.integration.bench.data.Circumstances;
import io.eyewall.integration.bench.data.Measurement;
import io.eyewall.integration.bench.data.MeasurementFile;
import io.eyewall.integration.bench.data.Measurements;
import io.eyewall.integration.bench.page.MeasurementTable;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * The files of a benchmark of changes: the measurements and their table, a line of CSV for each second, and plots of the first round.
 *
 * @param scenario the scenario of the change
 * @param circumstances those of the whole benchmark
 * @param labels of the sides
 * @param versions of the sides' installations
 * @param runs by side, in the order of the rounds
 */
record ElasticResults(ElasticScenario scenario, Circumstances circumstances, List<String> labels, List<String> versions,
    List<List<ElasticRun>> runs) {

    private static final String CSV_HEADER = "side,round,second,emitted,acked,failed,received,p50_ns,p99_ns,max_ns";
    /** Plots take times since 1970. */
    private static final long PLOT_ORIGIN_MS = 1_000_000;

    /** A line for each side and round. */
    Measurements measurements() {
        List<Measurement> measured = new ArrayList<>();
        for (int side = 0; side < labels.size(); side++) {
            for (int round = 1; round <= runs.get(side).size(); round++) {
                ElasticRun run = runs.get(side).get(round - 1);
                Map<String, BigDecimal> figures = new LinkedHashMap<>();
                scenario.figures()
                    .forEach(figure -> figure.of(run).ifPresent(value -> figures.put(figure.quantity().column(), value)));
                measured.add(Measurement.ofRound(new Measurement.Setting(scenario.name(), scenario.ratePerSec()), labels.get(side), round,
                    circumstances.ofRun(versions.get(side), run.stolen()), figures));
            }
        }
        return new Measurements(scenario.figures().stream().map(ElasticFigure::quantity).toList(), measured);
    }

    private List<String> csv() {
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

    /**
     * Writes {@value MeasurementFile#NAME}, {@code table.md} with {@code notes} above the table, {@code seconds.csv}, {@code latency.svg}
     * and {@code throughput.svg}.
     */
    void write(Path directory, List<String> notes) throws IOException {
        Files.createDirectories(directory);
        new MeasurementFile(directory.resolve(MeasurementFile.NAME)).write(measurements());
        List<String> table = new ArrayList<>(notes);
        table.addAll(new MeasurementTable(measurements(), false).markdown());
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
