package io.eyewall.integration.bench;

import io.eyewall.core.report.LatencyPlot;
import io.eyewall.core.report.LatencySeries;
import io.eyewall.integration.bench.data.Circumstances;
import io.eyewall.integration.bench.data.Measurement;
import io.eyewall.integration.bench.data.MeasurementFile;
import io.eyewall.integration.bench.data.Measurements;
import io.eyewall.integration.bench.page.MeasurementTable;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * The files of a benchmark of topologies: for each scenario a directory with an interval log of every run, the measurements ({@value
 * MeasurementFile#NAME}), their table ({@code table.md}) and {@code percentiles.svg}.
 */
final class ResultFiles {

    private final Path out;
    private final List<Side> sides;
    private final Circumstances circumstances;
    private final Map<Side.Installation, String> versions;
    private final List<Measurement> measured = new ArrayList<>();

    /** {@code circumstances} are those of the whole benchmark, {@code versions} those of the installations that it uses. */
    ResultFiles(Path out, List<Side> sides, Circumstances circumstances, Map<Side.Installation, String> versions) {
        this.out = out;
        this.sides = sides;
        this.circumstances = circumstances;
        this.versions = versions;
    }

    /** The directory of a scenario. */
    Path directory(Scenario scenario) {
        return out.resolve(scenario.name());
    }

    /** All runs so far. */
    Measurements measurements() {
        return measurements(measured);
    }

    /** Makes the scenario's directory, and deletes what an earlier benchmark left in it. */
    void begin(Scenario scenario) throws IOException {
        Path directory = Files.createDirectories(directory(scenario));
        try (var old = Files.newDirectoryStream(directory, "*.{hlog,csv,md,svg}")) {
            for (Path file : old) {
                Files.delete(file);
            }
        }
    }

    /** Writes the run's interval log, and its measurements behind those of the scenario's earlier runs. */
    void write(Scenario scenario, Side side, int round, RunResult run) throws IOException {
        writeLog(directory(scenario).resolve(side.letter() + "-" + side.label() + "-" + round + ".hlog"), run.intervals());
        measured.add(Measurement.ofRound(scenario.setting(), side.label(), round,
            circumstances.ofRun(versions.get(side.installation()), run.stolen()), RunFigure.figures(run)));
        new MeasurementFile(directory(scenario).resolve(MeasurementFile.NAME)).write(measurements(scenario));
    }

    /** Writes the scenario's table and plot; {@code notes} stand above the table. */
    void write(List<String> notes, Comparison comparison) throws IOException {
        Scenario scenario = comparison.scenario();
        List<String> table = new ArrayList<>(notes);
        table.addAll(new MeasurementTable(measurements(scenario), false).markdown());
        Files.write(directory(scenario).resolve("table.md"), table);
        List<LatencySeries> series = new ArrayList<>();
        for (int side = 0; side < sides.size(); side++) {
            LatencySeries ofSide = new LatencySeries(sides.get(side).label());
            comparison.runs().get(side).forEach(run -> ofSide.add(run.latencies()));
            series.add(ofSide);
        }
        String title = scenario.setting().title() + ": latency from " + scenario.latency().title() + ", all rounds";
        new LatencyPlot(title, series).writePercentileCurve(directory(scenario).resolve("percentiles.svg"));
    }

    /** Draws the means of scenarios that differ in their utilisation, if there are at least two. */
    void writeUtilisation(List<Comparison> comparisons) throws IOException {
        if (comparisons.size() > 1) {
            new UtilisationPlot(sides, comparisons).write(out.resolve("utilisation.svg"));
        }
    }

    private Measurements measurements(Scenario scenario) {
        return measurements(measured.stream().filter(measurement -> measurement.setting().equals(scenario.setting())).toList());
    }

    private static Measurements measurements(List<Measurement> lines) {
        return new Measurements(RunFigure.quantities(lines), lines);
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
