package io.eyewall.tail.command;

import io.eyewall.core.report.HumanTime;
import io.eyewall.core.report.PercentileTable;
import io.eyewall.tail.recording.MeasuringPoint;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * All hops of a topology as a table, in the order in which tuples pass them: first the hops that add up to the end-to-end time, then those
 * that span several hops. Immutable.
 *
 * <p>A hop's share is its median as a part of the end-to-end median of the slowest component that it leads to. If a figure is smaller than
 * its error, since it depends on the clocks of two hosts, the table shows its upper limit, and no share. A count is marked if it is too
 * small to distinguish the highest percentile from the largest value.
 */
final class LatencyTable {

    private static final String WORST = "<- worst";
    private static final String NONE = "-";
    private static final String FEW = "*";
    /** One of so many values is beyond the highest percentile. */
    private static final int ENOUGH = 1_000;

    private final ComponentPlan plan;
    private final Map<HopRow, HopFigures> figures;
    /** The rows that have values, in their order. */
    private final List<HopRow> shown;

    /**
     * Merges the values of workers.
     *
     * @param workers a snapshot of each worker
     * @param component the only one to show, or null for all
     */
    LatencyTable(ComponentPlan plan, Collection<WorkerSnapshot> workers, String component) {
        this.plan = plan;
        figures = new TreeMap<>(HopRow.order(plan));
        workers.forEach(worker -> worker.figures().forEach((key, hop) -> figures.merge(HopRow.of(key), hop, HopFigures::plus)));
        shown = figures.keySet().stream()
            .filter(row -> component == null || row.concerns(component))
            .filter(row -> figures.get(row).latencyNs().getTotalCount() > 0 || figures.get(row).dropped() > 0)
            .toList();
    }

    /** The number of values that the hops in the table have dropped. */
    long dropped() {
        return shown.stream().mapToLong(row -> figures.get(row).dropped()).sum();
    }

    /** Whether no value was recorded or dropped. */
    boolean isEmpty() {
        return shown.isEmpty();
    }

    /** Whether {@link #lines} show any figure as an upper limit. */
    boolean hasUncertain() {
        return shown.stream().anyMatch(row -> figures.get(row).isUncertain());
    }

    /** Whether any count in {@link #lines} is marked. */
    boolean hasFew() {
        return shown.stream().anyMatch(row -> isFew(figures.get(row)));
    }

    /** The table with its header, columns aligned. */
    List<String> lines() {
        boolean withClock = shown.stream().anyMatch(row -> figures.get(row).errorBoundNs() > 0);
        HopRow worst = worst();
        List<List<String>> cells = new ArrayList<>();
        cells.add(header(withClock));
        boolean hops = true;
        for (HopRow row : shown) {
            if (hops && !row.point().isHop() && cells.size() > 1) {
                cells.add(List.of());
            }
            hops = row.point().isHop();
            cells.add(cells(row, withClock, row.equals(worst)));
        }
        return aligned(cells);
    }

    private static List<String> header(boolean withClock) {
        List<String> header = new ArrayList<>(List.of("hop", "way", "count"));
        header.addAll(PercentileTable.COLUMNS);
        if (withClock) {
            header.add("clocks");
        }
        header.add("share");
        return header;
    }

    private List<String> cells(HopRow row, boolean withClock, boolean worst) {
        HopFigures hop = figures.get(row);
        List<String> cells = new ArrayList<>(List.of(row.point().label(), row.way(),
            String.format(Locale.ROOT, "%,d", hop.latencyNs().getTotalCount()) + (isFew(hop) ? FEW : "")));
        for (long valueNs : PercentileTable.columns(hop.latencyNs())) {
            cells.add(hop.latencyNs().getTotalCount() == 0 ? NONE : figure(valueNs, hop.errorBoundNs()));
        }
        if (withClock) {
            cells.add(hop.errorBoundNs() == 0 ? "" : "+-" + HumanTime.of(hop.errorBoundNs()));
        }
        double share = share(row);
        cells.add(Double.isNaN(share) ? "" : String.format(Locale.ROOT, "%.1f %%", share * 100));
        cells.add(worst ? WORST : "");
        return cells;
    }

    private static boolean isFew(HopFigures hop) {
        return hop.latencyNs().getTotalCount() > 0 && hop.latencyNs().getTotalCount() < ENOUGH;
    }

    private static String figure(long valueNs, long errorBoundNs) {
        return errorBoundNs > valueNs ? '<' + HumanTime.of(valueNs + errorBoundNs) : HumanTime.of(valueNs);
    }

    /** The hop's part of the end-to-end median of the component that it leads to; NaN if one of the two is missing or uncertain. */
    private double share(HopRow row) {
        HopFigures hop = figures.get(row);
        if (!row.point().isHop() || hop.latencyNs().getTotalCount() == 0 || hop.isUncertain()) {
            return Double.NaN;
        }
        Set<String> reachable = row.betweenWorkers() ? Set.of() : plan.reachable(row.lastComponent());
        long endToEndNs = 0;
        for (Map.Entry<HopRow, HopFigures> other : figures.entrySet()) {
            boolean leadsThere = row.betweenWorkers() || reachable.contains(other.getKey().to());
            if (other.getKey().point() == MeasuringPoint.END_TO_END && leadsThere && !other.getValue().isUncertain()) {
                endToEndNs = Math.max(endToEndNs, other.getValue().latencyNs().getValueAtPercentile(50));
            }
        }
        return endToEndNs == 0 ? Double.NaN : (double) hop.latencyNs().getValueAtPercentile(50) / endToEndNs;
    }

    private HopRow worst() {
        HopRow worst = null;
        for (HopRow row : shown) {
            double share = share(row);
            if (!Double.isNaN(share) && (worst == null || share > share(worst))) {
                worst = row;
            }
        }
        return worst;
    }

    /** Aligns the first two columns to the left and the others to the right; the mark of the worst hop comes last. */
    private static List<String> aligned(List<List<String>> cells) {
        int columns = cells.get(0).size();
        int[] widths = IntStream.range(0, columns)
            .map(column -> cells.stream().filter(row -> row.size() > column).mapToInt(row -> row.get(column).length()).max().orElse(0))
            .toArray();
        List<String> lines = new ArrayList<>();
        for (List<String> row : cells) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                String cell = row.get(column);
                String padding = column < columns ? " ".repeat(widths[column] - cell.length()) : "";
                line.append(column == 0 ? "" : "  ").append(column < 2 ? cell + padding : padding + cell);
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }
}
