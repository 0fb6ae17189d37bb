package io.eyewall.integration.bench;

import io.eyewall.core.report.LatencyPlot;
import io.eyewall.core.report.LatencySeries;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * What a benchmark leaves behind: for each scenario a directory with an interval log of every run, {@code runs.csv}, {@code table.md} and
 * {@code percentiles.svg}.
 */
final class ResultFiles {

    private static final String CSV_HEADER = "scenario,side,label,round,seconds,tuples,failed,tuples_per_s,"
        + "p50_ns,p90_ns,p99_ns,p99.9_ns,max_ns,cpu_s,cpu_s_per_million,stolen\n";

    private final Path out;
    private final List<Side> sides;

    ResultFiles(Path out, List<Side> sides) {
        this.out = out;
        this.sides = sides;
    }

    /** The directory of a scenario. */
    Path directory(Scenario scenario) {
        return out.resolve(scenario.name());
    }

    /** Makes the scenario's directory and begins its {@code runs.csv}; what an earlier benchmark left of its runs is deleted. */
    void begin(Scenario scenario) throws IOException {
        Path directory = Files.createDirectories(directory(scenario));
        try (var old = Files.newDirectoryStream(directory, "*.{hlog,csv,md,svg}")) {
            for (Path file : old) {
                Files.delete(file);
            }
        }
        Files.writeString(directory.resolve("runs.csv"), CSV_HEADER);
    }

    /** Writes the run's interval log and its line of {@code runs.csv}. */
    void write(Scenario scenario, Side side, int round, RunResult run) throws IOException {
        Path log = directory(scenario).resolve(side.letter() + "-" + side.label() + "-" + round + ".hlog");
        writeLog(log, run.intervals());
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%s,%s,%s,%d,%.3f,%.0f,%.0f,%.1f", scenario.name(), side.letter(),
            side.label(), round, run.seconds(), run.counts().received(), run.counts().failed(), Measure.THROUGHPUT.of(run)));
        for (Measure latency : List.of(Measure.P50, Measure.P90, Measure.P99, Measure.P99_9, Measure.MAX)) {
            line.append(String.format(Locale.ROOT, ",%.0f", latency.of(run)));
        }
        line.append(String.format(Locale.ROOT, ",%.2f,%.4f,%.4f%n", run.cpuSeconds(), Measure.CPU.of(run), run.stolen()));
        Files.writeString(directory(scenario).resolve("runs.csv"), line, StandardOpenOption.APPEND);
    }

    /** Writes the scenario's table and plot. */
    void write(List<String> header, Comparison comparison) throws IOException {
        Path directory = directory(comparison.scenario());
        writeTable(directory, new ComparisonTable(header, sides, List.of(comparison)));
        List<LatencySeries> series = new ArrayList<>();
        for (int side = 0; side < sides.size(); side++) {
            LatencySeries ofSide = new LatencySeries(sides.get(side).label());
            comparison.runs().get(side).forEach(run -> ofSide.add(run.latencies()));
            series.add(ofSide);
        }
        String title = comparison.scenario().title() + ": latency from " + comparison.scenario().latency().title() + ", all rounds";
        new LatencyPlot(title, series).writePercentileCurve(directory.resolve("percentiles.svg"));
    }

    /** Writes the table of several scenarios. */
    void write(ComparisonTable table) throws IOException {
        writeTable(out, table);
    }

    /** Draws the means of scenarios that differ in their utilisation; nothing of fewer than two. */
    void writeUtilisation(List<Comparison> comparisons) throws IOException {
        if (comparisons.size() > 1) {
            new UtilisationPlot(sides, comparisons).write(out.resolve("utilisation.svg"));
        }
    }

    private static void writeTable(Path directory, ComparisonTable table) throws IOException {
        Files.write(directory.resolve("table.md"), table.markdown());
    }

    private static void writeLog(Path file, List<Histogram> intervals) throws IOException {
        try (PrintStream stream = new PrintStream(Files.newOutputStream(file), false, StandardCharsets.UTF_8)) {
            HistogramLogWriter writer = new HistogramLogWriter(stream);
            long startMs = intervals.stream().mapToLong(Histogram::getStartTimeStamp).min().orElseThrow();
            writer.outputLogFormatVersion();
            writer.outputStartTime(startMs);
            writer.setBaseTime(startMs);
            writer.outputBaseTime(startMs);
            writer.outputLegend();
            intervals.stream().sorted(Comparator.comparingLong(Histogram::getStartTimeStamp)).forEach(writer::outputIntervalHistogram);
            if (stream.checkError()) {
                throw new IOException(file + ": cannot be written");
            }
        }
    }
}
