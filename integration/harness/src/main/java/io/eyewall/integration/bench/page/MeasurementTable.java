package io.eyewall.integration.bench.page;

import io.eyewall.integration.bench.data.Circumstances;
import io.eyewall.integration.bench.data.Measurement.Setting;
import io.eyewall.integration.bench.data.Measurements;
import io.eyewall.integration.bench.data.Quantity;
import io.eyewall.integration.bench.data.Spread;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Measurements as a table: a row for each side of each setting, or a column for each side. A cell has the median, in brackets the minimum
 * and the maximum, and behind them the ratio to the setting's first side. Units are in the head. A caption above the table says everything
 * that holds for all rows. Circumstances that differ from row to row are columns.
 */
public final class MeasurementTable {

    private static final String NOTHING = "-";
    private static final Quantity STOLEN = new Quantity("stolen_percent");

    private final Measurements measurements;
    private final boolean hasSidesInColumns;
    private final Map<Quantity, Quantity.Scale> scales = new HashMap<>();
    private final TableCaption caption;

    /** A row of the table, or a column of one: a side of a setting. */
    record Row(Setting setting, String side) {
    }

    /** The mark of a ratio: {@code x0.45} on a terminal, bold on a page. */
    private record Style(String beforeRatio, String behindRatio) {

        private static final Style TERMINAL = new Style("x", "");
        private static final Style PAGE = new Style("**×", "**");
    }

    /** {@code hasSidesInColumns} chooses a column for each side instead of a row. */
    public MeasurementTable(Measurements measurements, boolean hasSidesInColumns) {
        this.measurements = measurements;
        this.hasSidesInColumns = hasSidesInColumns;
        for (Quantity quantity : measurements.quantities()) {
            List<BigDecimal> figures = new ArrayList<>();
            for (Row row : rows()) {
                Spread spread = measurements.figure(row.setting(), row.side(), quantity);
                figures.add(spread.median() == null ? spread.minimum() : spread.median());
            }
            scales.put(quantity, Quantity.Scale.of(figures.stream().filter(figure -> figure != null).toList()));
        }
        scales.put(STOLEN, Quantity.Scale.NS);
        caption = new TableCaption(measurements, rows());
    }

    /** For a terminal, in ASCII: the caption and aligned columns. */
    public List<String> text() {
        List<List<String>> grid = grid(Style.TERMINAL);
        List<String> lines = new ArrayList<>(caption.lines("x"));
        lines.add("");
        int[] widths = new int[grid.get(0).size()];
        for (List<String> row : grid) {
            for (int column = 0; column < widths.length; column++) {
                widths[column] = Math.max(widths[column], row.get(column).length());
            }
        }
        for (List<String> row : grid) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < widths.length; column++) {
                line.append(row.get(column)).append(" ".repeat(widths[column] - row.get(column).length() + 2));
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }

    /** For a page, in Markdown: the caption, an empty line and the table. */
    public List<String> markdown() {
        List<List<String>> grid = grid(Style.PAGE);
        List<String> lines = new ArrayList<>(caption.lines("×"));
        lines.add("");
        lines.add(line(grid.get(0)));
        lines.add("|" + "---|".repeat(grid.get(0).size()));
        grid.subList(1, grid.size()).forEach(row -> lines.add(line(row)));
        return lines;
    }

    private static String line(List<String> cells) {
        return cells.stream().map(cell -> cell.replace("|", "\\|")).collect(Collectors.joining(" | ", "| ", " |"));
    }

    private List<List<String>> grid(Style style) {
        return hasSidesInColumns ? sidesInColumns(style) : sidesInRows(style);
    }

    private List<List<String>> sidesInRows(Style style) {
        List<Quantity> quantities = shownQuantities();
        List<String> head = new ArrayList<>(List.of("scenario", "side"));
        caption.columns().forEach(column -> head.add(column.title()));
        quantities.forEach(quantity -> head.add(title(quantity)));
        List<List<String>> grid = new ArrayList<>(List.of(head));
        Setting before = null;
        for (Row row : rows()) {
            List<String> cells = new ArrayList<>(List.of(row.setting().equals(before) ? "" : row.setting().title(), row.side()));
            caption.columns().forEach(column -> cells.add(column.of(row)));
            quantities.forEach(quantity -> cells.add(cell(row, quantity, style)));
            grid.add(cells);
            before = row.setting();
        }
        return grid;
    }

    /** The rows are those of the settings, each with all quantities. Of one setting, and of one quantity, the name is in the head. */
    private List<List<String>> sidesInColumns(Style style) {
        Set<String> sides = rows().stream().map(Row::side).collect(Collectors.toCollection(LinkedHashSet::new));
        Set<Setting> settings = rows().stream().map(Row::setting).collect(Collectors.toCollection(LinkedHashSet::new));
        List<Quantity> quantities = shownQuantities();
        List<String> head = new ArrayList<>();
        if (settings.size() == 1) {
            head.add(settings.iterator().next().title());
        } else {
            head.addAll(quantities.size() == 1 ? List.of("scenario: " + title(quantities.get(0))) : List.of("scenario", "figure"));
        }
        head.addAll(sides);
        List<List<String>> grid = new ArrayList<>(List.of(head));
        for (Setting setting : settings) {
            for (Quantity quantity : quantities) {
                List<String> cells = new ArrayList<>();
                if (settings.size() > 1) {
                    cells.add(quantity.equals(quantities.get(0)) ? setting.title() : "");
                }
                if (settings.size() == 1 || quantities.size() > 1) {
                    cells.add(title(quantity));
                }
                sides.forEach(side -> cells.add(cell(new Row(setting, side), quantity, style)));
                grid.add(cells);
            }
        }
        return grid;
    }

    /** Ratios of times have no unit. */
    private String title(Quantity quantity) {
        boolean hasOnlyRatios = rows().stream().allMatch(row -> measurements.figure(row.setting(), row.side(), quantity).isEmpty());
        return quantity.isTime() && hasOnlyRatios ? quantity.name() : quantity.title(scales.get(quantity));
    }

    /** Those of the measurements, and the stolen time if it is known. */
    private List<Quantity> shownQuantities() {
        List<Quantity> shown = new ArrayList<>(measurements.quantities());
        if (rows().stream().anyMatch(row -> !measurements.stolen(row.setting(), row.side()).isEmpty())) {
            shown.add(STOLEN);
        }
        return shown;
    }

    private String cell(Row row, Quantity quantity, Style style) {
        if (quantity.equals(STOLEN)) {
            Spread stolen = measurements.stolen(row.setting(), row.side());
            return stolen.isEmpty() ? Circumstances.UNKNOWN : stolen.show(part -> quantity.show(part, Quantity.Scale.NS));
        }
        Spread figure = measurements.figure(row.setting(), row.side(), quantity);
        Spread ratio = measurements.ratio(row.setting(), row.side(), quantity);
        List<String> parts = new ArrayList<>();
        if (!figure.isEmpty()) {
            parts.add(figure.show(value -> quantity.show(value, scales.get(quantity))));
        }
        if (!ratio.isEmpty()) {
            parts.add(style.beforeRatio() + ratio.show(BigDecimal::toPlainString) + style.behindRatio());
        }
        return parts.isEmpty() ? NOTHING : String.join(" ", parts);
    }

    /** All sides that have a figure. A side without figures only names what the others are compared with. */
    private List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (Setting setting : measurements.settings()) {
            for (String side : measurements.sides(setting)) {
                boolean hasFigure = measurements.quantities().stream().anyMatch(quantity ->
                    !measurements.figure(setting, side, quantity).isEmpty() || !measurements.ratio(setting, side, quantity).isEmpty());
                if (hasFigure) {
                    rows.add(new Row(setting, side));
                }
            }
        }
        return rows;
    }
}
