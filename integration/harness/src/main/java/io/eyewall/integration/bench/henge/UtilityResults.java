package io.eyewall.integration.bench.henge;

import io.eyewall.core.report.RatePlot;
import io.eyewall.integration.bench.data.Circumstances;
import io.eyewall.integration.bench.data.CsvLine;
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

/**
 * The files of a benchmark of service levels: the measurements and their table, a line of CSV for each piece, and plots of the first round.
 *
 * @param scenario the scenario
 * @param circumstances those of the whole benchmark
 * @param versions of the sides' installations
 * @param runs by side, in the order of the rounds
 */
record UtilityResults(UtilityScenario scenario, Circumstances circumstances, List<String> versions, List<List<UtilityRun>> runs) {

    private static final String CSV_HEADER = "side,round,second,utility_percent";
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
     * Writes {@value MeasurementFile#NAME}, {@code table.md} with {@code notes} above the table, {@code pieces.csv}, {@code utility.svg}
     * over time, with a line where something changes, and {@code cdf.svg}: how much of the time the utility is at most so much.
     */
    void write(Path directory, List<String> notes) throws IOException {
        Files.createDirectories(directory);
        new MeasurementFile(directory.resolve(MeasurementFile.NAME)).write(measurements());
        List<String> table = new ArrayList<>(notes);
        table.addAll(new MeasurementTable(measurements(), false).markdown());
        Files.write(directory.resolve("table.md"), table);
        List<String> csv = new ArrayList<>(List.of(CSV_HEADER));
        Map<String, Map<Double, Double>> overTime = new LinkedHashMap<>();
        Map<String, Map<Double, Double>> distributions = new LinkedHashMap<>();
        for (int side = 0; side < runs.size(); side++) {
            for (int round = 0; round < runs.get(side).size(); round++) {
                for (Map.Entry<Double, Double> piece : percents(runs.get(side).get(round)).entrySet()) {
                    csv.add(CsvLine.join(List.of(label(side), String.valueOf(round + 1),
                        String.format(Locale.ROOT, "%.0f", piece.getKey()), String.format(Locale.ROOT, "%.3f", piece.getValue()))));
                }
            }
            overTime.put(label(side), percents(runs.get(side).get(0)));
            distributions.put(label(side), distribution(runs.get(side).get(0)));
        }
        Files.write(directory.resolve("pieces.csv"), csv);
        RatePlot utility = new RatePlot("Utility, first round", "% of the most", overTime);
        runs.get(0).get(0).changeSecond().ifPresent(utility::mark);
        utility.write(directory.resolve("utility.svg"));
        new RatePlot("Part of the time with at most so much utility, first round", "utility in % of the most", "% of the time",
            distributions).write(directory.resolve("cdf.svg"));
    }

    private String label(int side) {
        return scenario.sides().get(side).label();
    }

    private static Map<Double, Double> percents(UtilityRun run) {
        Map<Double, Double> percents = new TreeMap<>();
        for (int piece = 0; piece < run.shares().size(); piece++) {
            percents.put((double) piece * run.pieces().seconds(), PERCENT * run.shares().get(piece));
        }
        return percents;
    }

    private static Map<Double, Double> distribution(UtilityRun run) {
        Map<Double, Double> distribution = new TreeMap<>();
        for (int percent = 0; percent <= PERCENT; percent++) {
            double most = percent;
            // A share that is rounded to 1 counts as 1.
            long atMost = run.shares().stream().filter(share -> PERCENT * share <= most + 1e-9).count();
            distribution.put(most, PERCENT * atMost / run.shares().size());
        }
        return distribution;
    }
}
