package io.eyewall.integration.bench.page;

import io.eyewall.core.report.BadFileException;
import io.eyewall.integration.bench.data.Quantity;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Figures over time as an SVG picture: a panel with a line for each column of a CSV file whose first column has seconds or a
 * percentage. Like {@link BarPlot}, it does not depend on the fonts of this machine. A panel that ends between 1 and 10 has a line at 1.
 * Panels in per cent end at 100 or above, so that they can be compared.
 *
 * <pre>
 *   second,juice,queued_tuples
 *   5,0.958,83
 * </pre>
 */
final class LinePlot {

    private static final String COLOR = "#0072B2";
    private static final String SECOND = "second";
    private static final String PERCENT = "%";
    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);
    private static final int WIDTH = 900;
    private static final int LEFT = 70;
    private static final int RIGHT = 30;
    private static final int MARGIN = 8;
    private static final int TOP = 44;
    private static final int PANEL = 110;
    private static final int GAP = 40;
    private static final int BASELINE = 12;

    private final String title;
    private final Path file;
    private final List<String> columns;
    private final List<List<BigDecimal>> rows = new ArrayList<>();

    /**
     * Reads the file; {@code title} stands above the picture.
     *
     * @throws BadFileException if it is not of this format; it names the file, the line and what to do
     */
    LinePlot(String title, Path file) throws IOException {
        this.title = title;
        this.file = file;
        List<String> lines = Files.isRegularFile(file) ? Files.readAllLines(file) : List.of();
        columns = lines.isEmpty() ? List.of() : List.of(lines.get(0).split(",", -1));
        if (lines.size() < 3 || columns.size() < 2 || across().isEmpty()) {
            throw new BadFileException(file,
                "no curve: write the header second,COLUMN,... or WORDS_percent,COLUMN,... and two lines or more below it");
        }
        for (int line = 1; line < lines.size(); line++) {
            rows.add(row(line + 1, lines.get(line)));
        }
        if (last().signum() <= 0) {
            throw new BadFileException(file, lines.size(), "the first column must rise above 0");
        }
    }

    /** The unit of the first column; empty if it cannot be one. */
    private String across() {
        return columns.get(0).equals(SECOND) ? "s" : columns.get(0).endsWith("_percent") ? PERCENT : "";
    }

    private List<BigDecimal> row(int line, String text) throws BadFileException {
        List<BigDecimal> row = new ArrayList<>();
        try {
            for (String cell : text.split(",", -1)) {
                row.add(new BigDecimal(cell));
            }
        } catch (NumberFormatException e) {
            throw new BadFileException(file, line, "'" + text + "' are not numbers");
        }
        if (row.size() != columns.size() || row.stream().anyMatch(number -> number.signum() < 0)) {
            throw new BadFileException(file, line, "write " + columns.size() + " numbers that are not negative, as the header has it");
        }
        if (!rows.isEmpty() && row.get(0).compareTo(last()) <= 0) {
            throw new BadFileException(file, line, "the first column must rise");
        }
        return row;
    }

    private BigDecimal last() {
        return rows.get(rows.size() - 1).get(0);
    }

    /** The lines of the file. */
    List<String> svg() {
        int height = TOP + (columns.size() - 1) * (PANEL + GAP);
        List<String> lines = new ArrayList<>(List.of(
            String.format(Locale.ROOT, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
                + "font-family=\"sans-serif\" font-size=\"13\">", WIDTH, height, WIDTH, height),
            "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>",
            String.format(Locale.ROOT, "<text x=\"%d\" y=\"24\" font-size=\"15\" font-weight=\"bold\">%s</text>", MARGIN,
                BarPlot.escaped(title))));
        for (int column = 1; column < columns.size(); column++) {
            draw(lines, TOP + (column - 1) * (PANEL + GAP), column);
        }
        lines.add("</svg>");
        return lines;
    }

    private void draw(List<String> lines, int top, int column) {
        Quantity quantity = new Quantity(columns.get(column));
        String unit = quantity.unit(Quantity.Scale.NS);
        BigDecimal largest = rows.stream().map(row -> row.get(column)).max(BigDecimal::compareTo).orElseThrow();
        BigDecimal most = unit.equals(PERCENT) ? HUNDRED.max(largest) : largest;
        int bottom = top + PANEL;
        lines.add(BarPlot.text(LEFT, top, "start", quantity.name() + (unit.isEmpty() ? "" : ", " + unit)));
        int from = top + BASELINE + 6;
        lines.add(BarPlot.text(LEFT - MARGIN, from - BASELINE / 2, "end", most.toPlainString()));
        lines.add(BarPlot.text(LEFT - MARGIN, bottom - BASELINE / 2, "end", "0"));
        lines.add(String.format(Locale.ROOT, "<path d=\"M%d %dV%dH%d\" fill=\"none\" stroke=\"#999999\"/>", LEFT, from, bottom,
            WIDTH - RIGHT));
        lines.add(BarPlot.text(WIDTH - RIGHT, bottom + 3, "end", last().toPlainString() + " " + across()));
        if (most.compareTo(BigDecimal.ONE) > 0 && most.compareTo(BigDecimal.TEN) <= 0) {
            int one = (int) Math.round(bottom - (bottom - from) / most.doubleValue());
            lines.add(BarPlot.text(LEFT - MARGIN, one - BASELINE / 2, "end", "1"));
            lines.add(String.format(Locale.ROOT, "<path d=\"M%d %dH%d\" stroke=\"#cccccc\"/>", LEFT, one, WIDTH - RIGHT));
        }
        StringBuilder path = new StringBuilder();
        for (List<BigDecimal> row : rows) {
            double x = LEFT + row.get(0).doubleValue() / last().doubleValue() * (WIDTH - LEFT - RIGHT);
            double y = most.signum() == 0 ? bottom : bottom - row.get(column).doubleValue() / most.doubleValue() * (bottom - from);
            path.append(path.isEmpty() ? "M" : "L").append(String.format(Locale.ROOT, "%.1f %.1f", x, y));
        }
        lines.add("<path d=\"" + path + "\" fill=\"none\" stroke=\"" + COLOR + "\" stroke-width=\"2\"/>");
    }
}
