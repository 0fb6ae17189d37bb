package io.eyewall.core.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.AbstractHistogram;

/**
 * One row per distribution of latencies: how many, p50, p90, p99, p99.9 and max, in the units of {@link HumanTime}.
 */
public final class PercentileTable {

    /** The names of the columns that {@link #columns} fills. */
    public static final List<String> COLUMNS = List.of("p50", "p90", "p99", "p99.9", "max");

    private record Row(String name, String count, List<String> latencies) {
    }

    private final List<Row> rows = new ArrayList<>();

    /** The values of {@link #COLUMNS} in ns; all 0 of an empty histogram. */
    public static List<Long> columns(AbstractHistogram latencyNs) {
        return List.of(latencyNs.getValueAtPercentile(50), latencyNs.getValueAtPercentile(90), latencyNs.getValueAtPercentile(99),
            latencyNs.getValueAtPercentile(99.9), latencyNs.getMaxValue());
    }

    /** Adds a row; an empty histogram shows dashes. */
    public void add(String name, AbstractHistogram latencyNs) {
        List<String> latencies = latencyNs.getTotalCount() == 0
            ? COLUMNS.stream().map(column -> "-").toList()
            : columns(latencyNs).stream().map(HumanTime::of).toList();
        rows.add(new Row(name, String.format(Locale.ROOT, "%,d", latencyNs.getTotalCount()), latencies));
    }

    /** Adds a row of ratios: the percentiles of {@code latterNs} divided by those of {@code formerNs}. Neither is empty. */
    public void addRatio(AbstractHistogram formerNs, AbstractHistogram latterNs) {
        List<String> ratios = new ArrayList<>();
        for (int column = 0; column < COLUMNS.size(); column++) {
            ratios.add(String.format(Locale.ROOT, "%.2f", (double) columns(latterNs).get(column) / columns(formerNs).get(column)));
        }
        rows.add(new Row("ratio", "", ratios));
    }

    /** The table with its header, columns aligned. */
    public List<String> lines() {
        int nameWidth = rows.stream().mapToInt(row -> row.name().length()).max().orElse(0);
        List<String> lines = new ArrayList<>();
        lines.add(line(nameWidth, "", "count", COLUMNS));
        rows.forEach(row -> lines.add(line(nameWidth, row.name(), row.count(), row.latencies())));
        return lines;
    }

    private static String line(int nameWidth, String name, String count, List<String> cells) {
        StringBuilder line = new StringBuilder(name).append(" ".repeat(nameWidth - name.length()));
        line.append(String.format("  %13s", count));
        cells.forEach(cell -> line.append(String.format("  %8s", cell)));
        return line.toString();
    }
}
