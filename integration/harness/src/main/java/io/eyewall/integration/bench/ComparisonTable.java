package io.eyewall.integration.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Comparisons as people read them: for each figure both sides and the ratio B/A, each as median [min - max] of the rounds.
 */
final class ComparisonTable {

    private final List<String> header;
    private final List<Side> sides;
    private final List<Comparison> comparisons;

    /** {@code header} says what was measured, when and where. */
    ComparisonTable(List<String> header, List<Side> sides, List<Comparison> comparisons) {
        this.header = header;
        this.sides = sides;
        this.comparisons = comparisons;
    }

    /** For a terminal: a line for each scenario and figure. */
    List<String> text() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("scenario", "", title(0), title(1), "B/A"));
        for (Comparison comparison : comparisons) {
            for (Measure measure : Measure.values()) {
                String name = measure == Measure.THROUGHPUT ? comparison.scenario().title() : "";
                rows.add(List.of(name, measure.title(), comparison.a(measure).format(measure::format),
                    comparison.b(measure).format(measure::format), ratio(comparison, measure)));
            }
        }
        List<String> lines = new ArrayList<>(header);
        lines.add("");
        lines.addAll(aligned(rows));
        return lines;
    }

    /** For a README: a row for each scenario, in each cell A, B and the ratio. */
    List<String> markdown() {
        List<String> lines = new ArrayList<>(header);
        lines.add(title(0) + ", " + title(1) + ".");
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
                row.append(" A ").append(comparison.a(measure).format(measure::format))
                    .append("<br>B ").append(comparison.b(measure).format(measure::format))
                    .append("<br>**B/A ").append(ratio(comparison, measure)).append("** |");
            }
            lines.add(row.toString());
        }
        return lines;
    }

    private String title(int index) {
        return sides.get(index).letter() + ": " + sides.get(index).label();
    }

    private static String ratio(Comparison comparison, Measure measure) {
        return comparison.ratio(measure).format(ratio -> String.format(Locale.ROOT, "%.2f", ratio));
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
