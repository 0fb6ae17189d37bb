package io.eyewall.integration.bench.henge;

import io.eyewall.core.report.RatePlot;
import io.eyewall.integration.bench.data.Circumstances;
import io.eyewall.integration.bench.data.Measurement;
import io.eyewall.integration.bench.data.MeasurementFile;
import io.eyewall.integration.bench.data.Measurements;
import io.eyewall.integration.bench.data.Quantity;
import io.eyewall.integration.bench.page.MeasurementTable;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * The files of a benchmark of service levels: the measurements and their table, a line of CSV for each piece, and plots of the first round.
 *
 * @param setting the scenario and its mean rate
 * @param circumstances those of the whole benchmark
 * @param labels of the sides
 * @param versions of the sides' installations
 * @param runs by side, in the order of the rounds
 */
record UtilityResults(Measurement.Setting setting, Circumstances circumstances, List<String> labels, List<String> versions,
    List<List<UtilityRun>> runs) {

    private static final String CSV_HEADER = "side,round,second,utility_percent";
    private static final double PERCENT = 100;
    private static final Map<String, ToDoubleFunction<UtilityRun>> FIGURES = figures();

    private static Map<String, ToDoubleFunction<UtilityRun>> figures() {
        Map<String, ToDoubleFunction<UtilityRun>> figures = new LinkedHashMap<>();
        figures.put("average_utility_percent", UtilityRun::averagePercent);
        figures.put("p15_utility_percent", run -> run.percentile(15));
        figures.put("p50_utility_percent", run -> run.percentile(50));
        figures.put("p90_utility_percent", run -> run.percentile(90));
        figures.put("steps_in_first_half", run -> run.steps(0));
        figures.put("steps_in_second_half", run -> run.steps(1));
        figures.put("steps_being_applied_percent", UtilityRun::applyingPercent);
        return figures;
    }

    /** A line for each side and round. */
    Measurements measurements() {
        List<Measurement> measured = new ArrayList<>();
        for (int side = 0; side < labels.size(); side++) {
            for (int round = 1; round <= runs.get(side).size(); round++) {
                UtilityRun run = runs.get(side).get(round - 1);
                Map<String, BigDecimal> figures = new LinkedHashMap<>();
                FIGURES.forEach((column, figure) -> figures.put(column,
                    BigDecimal.valueOf(figure.applyAsDouble(run)).setScale(column.endsWith("half") ? 0 : 2, RoundingMode.HALF_UP)));
                measured.add(Measurement.ofRound(setting, labels.get(side), round, circumstances.ofRun(versions.get(side), run.stolen()),
                    figures));
            }
        }
        return new Measurements(FIGURES.keySet().stream().map(Quantity::new).toList(), measured);
    }

    /**
     * Writes {@value MeasurementFile#NAME}, {@code table.md} with {@code notes} above the table, {@code pieces.csv}, {@code utility.svg}
     * over time, and {@code cdf.svg}: how much of the time the utility is at most so much.
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
        for (int side = 0; side < labels.size(); side++) {
            for (int round = 0; round < runs.get(side).size(); round++) {
                for (Map.Entry<Double, Double> piece : percents(runs.get(side).get(round)).entrySet()) {
                    csv.add(String.format(Locale.ROOT, "%s,%d,%.0f,%.3f", labels.get(side), round + 1, piece.getKey(), piece.getValue()));
                }
            }
            overTime.put(labels.get(side), percents(runs.get(side).get(0)));
            distributions.put(labels.get(side), distribution(runs.get(side).get(0)));
        }
        Files.write(directory.resolve("pieces.csv"), csv);
        new RatePlot("Utility, first round", "% of the most", overTime).write(directory.resolve("utility.svg"));
        new RatePlot("Part of the time with at most so much utility, first round", "utility in % of the most", "% of the time",
            distributions).write(directory.resolve("cdf.svg"));
    }

    private static Map<Double, Double> percents(UtilityRun run) {
        Map<Double, Double> percents = new TreeMap<>();
        for (int piece = 0; piece < run.shares().size(); piece++) {
            percents.put((double) piece * UtilityRun.PIECE_SECONDS, PERCENT * run.shares().get(piece));
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
