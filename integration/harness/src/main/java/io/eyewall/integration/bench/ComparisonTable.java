package io.eyewall.integration.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Comparisons as people read them: for each figure all sides and their ratios to A, each as median [min - max] of the rounds.
 */
final class ComparisonTable {

    /** Steal time that is worth a word, as a part of the cores' time. */
    private static final double WORTH_A_WORD = 0.01;

    private final List<String> header;
    private final List<Side> sides;
    private final List<Comparison> comparisons;

    /** {@code header} says what was measured, when and where. */
    ComparisonTable(List<String> header, List<Side> sides, List<Comparison> comparisons) {
        this.header = header;
        this.sides = sides;
        this.comparisons = comparisons;
    }

    /** Whether the hypervisor withheld so much of the cores' time from a run that its latencies may be the host's. */
    static boolean isDisturbed(RunResult run) {
        return run.stolen() >= WORTH_A_WORD;
    }

    /** For a terminal: a line for each scenario and figure. */
    List<String> text() {
        List<List<String>> rows = new ArrayList<>();
        List<String> titles = new ArrayList<>(List.of("scenario", ""));
        for (int side = 0; side < sides.size(); side++) {
            titles.add(title(side));
            if (side > 0) {
                titles.add(ratioTitle(side));
            }
        }
        rows.add(titles);
        for (Comparison comparison : comparisons) {
            for (Measure measure : Measure.values()) {
                String name = measure == Measure.THROUGHPUT ? comparison.scenario().title() : "";
                List<String> row = new ArrayList<>(List.of(name, measure.title()));
                for (int side = 0; side < sides.size(); side++) {
                    row.add(comparison.of(side, measure).format(measure::format));
                    if (side > 0) {
                        row.add(ratio(comparison, side, measure));
                    }
                }
                rows.add(row);
            }
        }
        List<String> lines = new ArrayList<>(header);
        lines.addAll(disturbance());
        lines.add("");
        lines.addAll(aligned(rows));
        return lines;
    }

    /** For a README: a row for each scenario, in each cell A, and the others with their ratios. */
    List<String> markdown() {
        List<String> lines = new ArrayList<>(header);
        lines.addAll(disturbance());
        lines.add(IntStream.range(0, sides.size()).mapToObj(this::title).collect(Collectors.joining(", ", "", ".")));
        lines.add("");
        StringBuilder titles = new StringBuilder("| scenario |");
        StringBuilder rule = new StringBuilder("|---|");
        for (Measure measure : Measure.values()) {
            titles.append(' ').append(measure.title()).append(" |");
            rule.append("---|");
        }
        lines.add(titles.toString());
        lines.add(rule.toString());
        for (Comparison comparison : comparisons) {
            StringBuilder row = new StringBuilder("| ").append(comparison.scenario().title()).append(" |");
            for (Measure measure : Measure.values()) {
                for (int side = 0; side < sides.size(); side++) {
                    row.append(side == 0 ? " " : "<br>").append(sides.get(side).letter()).append(' ')
                        .append(comparison.of(side, measure).format(measure::format));
                    if (side > 0) {
                        row.append("<br>**").append(ratioTitle(side)).append(' ').append(ratio(comparison, side, measure)).append("**");
                    }
                }
                row.append(" |");
            }
            lines.add(row.toString());
        }
        return lines;
    }

    /** What the hypervisor withheld from the sides; nothing if it left them alone. */
    private List<String> disturbance() {
        if (comparisons.stream().flatMap(comparison -> comparison.runs().stream()).flatMap(List::stream)
            .noneMatch(ComparisonTable::isDisturbed)) {
            return List.of();
        }
        return List.of(IntStream.range(0, sides.size()).mapToObj(side -> sides.get(side).letter() + " " + stolen(side).format(
            part -> String.format(Locale.ROOT, "%.0f %%", 100 * part)))
            .collect(Collectors.joining(", ", "Steal time, what the host ran on these cores meanwhile: ", " of their time.")));
    }

    private Spread stolen(int side) {
        return Spread.of(comparisons.stream().flatMap(comparison -> comparison.runs().get(side).stream())
            .mapToDouble(RunResult::stolen).toArray());
    }

    private String title(int index) {
        return sides.get(index).letter() + ": " + sides.get(index).label();
    }

    private String ratioTitle(int side) {
        return sides.get(side).letter() + "/" + sides.get(0).letter();
    }

    private static String ratio(Comparison comparison, int side, Measure measure) {
        return comparison.ratio(side, measure).format(ratio -> String.format(Locale.ROOT, "%.2f", ratio));
    }

    private static List<String> aligned(List<List<String>> rows) {
        int[] widths = new int[rows.get(0).size()];
        for (List<String> row : rows) {
            for (int column = 0; column < widths.length; column++) {
                widths[column] = Math.max(widths[column], row.get(column).length());
            }
        }
        return rows.stream().map(row -> {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < widths.length; column++) {
                line.append(row.get(column)).append(" ".repeat(widths[column] - row.get(column).length() + 2));
            }
            return line.toString().stripTrailing();
        }).toList();
    }
}
