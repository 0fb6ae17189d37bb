package io.eyewall.integration.bench.henge;

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
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The files of a benchmark of service levels: the measurements and their table, and the utility over time and its distribution as CSV and
 * as plots.
 *
 * @param scenario the scenario
 * @param circumstances those of the whole benchmark
 * @param versions of the sides' installations
 * @param runs by side, in the order of the rounds
 */
record UtilityResults(UtilityScenario scenario, Circumstances circumstances, List<String> versions, List<List<UtilityRun>> runs) {

    private static final double PERCENT = 100;

    /** A line for each side and round. */
    Measurements measurements() {
        List<Measurement> measured = new ArrayList<>();
        Measurement.Setting setting = new Measurement.Setting(scenario.name(), String.valueOf(scenario.tenants().ratePerSec()));
        for (int side = 0; side < runs.size(); side++) {
            for (int round = 1; round <= runs.get(side).size(); round++) {
                UtilityRun run = runs.get(side).get(round - 1);
                Map<String, BigDecimal> figures = new LinkedHashMap<>();
                scenario.figures().forEach(figure -> figure.of(run).ifPresent(value -> figures.put(figure.quantity().column(), value)));
                measured.add(Measurement.ofRound(setting, label(side), round, circumstances.ofRun(versions.get(side), run.stolen()),
                    figures));
            }
        }
        return new Measurements(scenario.figures().stream().map(UtilityFigure::quantity).toList(), measured);
    }

    /**
     * Writes {@value MeasurementFile#NAME}, {@code table.md} with {@code notes} above the table, {@code utility.csv} and
     * {@code utility.svg}, the mean of the rounds over time, with a line where something changes, and {@code cdf.csv} and
     * {@code cdf.svg}: in how much of the time the utility is at most so much.
     */
    void write(Path directory, List<String> notes) throws IOException {
        Files.createDirectories(directory);
        new MeasurementFile(directory.resolve(MeasurementFile.NAME)).write(measurements());
        List<String> table = new ArrayList<>(notes);
        table.addAll(new MeasurementTable(measurements(), false).markdown());
        Files.write(directory.resolve("table.md"), table);
        Map<String, Map<Double, Double>> overTime = new LinkedHashMap<>();
        Map<String, Map<Double, Double>> distributions = new LinkedHashMap<>();
        for (int side = 0; side < runs.size(); side++) {
            overTime.put(label(side), means(runs.get(side)));
            distributions.put(label(side), distribution(runs.get(side)));
        }
        writeCurves(directory.resolve("utility.csv"), "second", overTime);
        writeCurves(directory.resolve("cdf.csv"), "utility_percent", distributions);
        RatePlot utility = new RatePlot("Utility", "% of the most", overTime);
        runs.get(0).get(0).changeSecond().ifPresent(second -> utility.mark("change", second));
        utility.write(directory.resolve("utility.svg"));
        new RatePlot("Part of the time with at most so much utility", "utility in % of the most", "% of the time", distributions)
            .write(directory.resolve("cdf.svg"));
    }

    /** Writes a column for each side, as the pages of benchmarks show curves. */
    private static void writeCurves(Path file, String across, Map<String, Map<Double, Double>> bySide) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add(across + bySide.keySet().stream().map(label -> "," + column(label)).collect(Collectors.joining()));
        for (double x : bySide.values().iterator().next().keySet()) {
            lines.add(String.format(Locale.ROOT, "%.0f", x) + bySide.values().stream()
                .map(curve -> String.format(Locale.ROOT, ",%.3f", curve.get(x))).collect(Collectors.joining()));
        }
        Files.write(file, lines);
    }

    /** The column of a side: {@code storm_defaults_percent} for {@code Storm's defaults}. */
    private static String column(String label) {
        return label.toLowerCase(Locale.ROOT).replace("'s", "").replaceAll("[^a-z0-9]+", "_") + "_percent";
    }

    private String label(int side) {
        return scenario.sides().get(side).label();
    }

    /** The utility in each piece, the mean of the rounds, by the second in which the piece begins. */
    private static Map<Double, Double> means(List<UtilityRun> rounds) {
        UtilityRun first = rounds.get(0);
        Map<Double, Double> means = new TreeMap<>();
        for (int piece = 0; piece < first.shares().size(); piece++) {
            int at = piece;
            means.put((double) piece * first.pieces().seconds(),
                PERCENT * rounds.stream().mapToDouble(run -> run.shares().get(at)).average().orElseThrow());
        }
        return means;
    }

    private static Map<Double, Double> distribution(List<UtilityRun> rounds) {
        List<Double> shares = rounds.stream().flatMap(run -> run.shares().stream()).toList();
        Map<Double, Double> distribution = new TreeMap<>();
        for (int percent = 0; percent <= PERCENT; percent++) {
            double most = percent;
            // A share that is rounded to 1 counts as 1.
            long atMost = shares.stream().filter(share -> PERCENT * share <= most + 1e-9).count();
            distribution.put(most, PERCENT * atMost / shares.size());
        }
        return distribution;
    }
}
