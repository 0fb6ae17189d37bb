package io.eyewall.core.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.font.FontRenderContext;
import java.awt.geom.Line2D;
import java.util.ArrayList;
import java.util.List;

/**
 * A legend that is a table: for each series its colour, its name and its percentiles.
 *
 * <p>Text is drawn as outlines, as in the charts, so that an SVG looks the same with all fonts.
 */
final class PlotLegend {

    private static final int ROW_HEIGHT = 24;
    private static final int COLUMN_GAP = 26;
    private static final int SWATCH_WIDTH = 34;
    private static final Font FONT = new Font(Font.SANS_SERIF, Font.PLAIN, 14);
    private static final Color TEXT = new Color(0x222222);
    private static final Color HEADER = new Color(0x666666);
    /** The same measure in every picture, whatever its scale. */
    private static final FontRenderContext METRICS = new FontRenderContext(null, true, true);

    private final List<List<String>> rows = new ArrayList<>();
    private final List<Color> colors = new ArrayList<>();

    PlotLegend() {
        List<String> header = new ArrayList<>(List.of(""));
        header.addAll(PercentileTable.COLUMNS);
        rows.add(header);
    }

    void add(Color color, LatencySeries series) {
        List<String> row = new ArrayList<>(List.of(series.name()));
        PercentileTable.columns(series.total()).forEach(latencyNs -> row.add(LatencyPlot.label(latencyNs)));
        rows.add(row);
        colors.add(color);
    }

    int height() {
        return rows.size() * ROW_HEIGHT;
    }

    /** Paints the table in the middle of {@code width}, from the top. */
    void paint(Graphics2D graphics, int width) {
        double[] widths = new double[rows.get(0).size()];
        for (List<String> row : rows) {
            for (int column = 0; column < widths.length; column++) {
                widths[column] = Math.max(widths[column], textWidth(row.get(column)));
            }
        }
        double tableWidth = SWATCH_WIDTH + COLUMN_GAP * (widths.length - 1.0);
        for (double columnWidth : widths) {
            tableWidth += columnWidth;
        }
        for (int i = 0; i < rows.size(); i++) {
            paintRow(graphics, i, widths, (width - tableWidth) / 2);
        }
    }

    private void paintRow(Graphics2D graphics, int row, double[] widths, double left) {
        double baseline = row * ROW_HEIGHT + ROW_HEIGHT * 0.7;
        if (row > 0) {
            graphics.setColor(colors.get(row - 1));
            graphics.setStroke(new BasicStroke(4f));
            graphics.draw(new Line2D.Double(left, baseline - 5, left + SWATCH_WIDTH - 10, baseline - 5));
        }
        graphics.setColor(row == 0 ? HEADER : TEXT);
        double x = left + SWATCH_WIDTH;
        for (int column = 0; column < widths.length; column++) {
            String text = rows.get(row).get(column);
            double indent = column == 0 ? 0 : widths[column] - textWidth(text);
            if (!text.isEmpty()) {
                graphics.fill(FONT.createGlyphVector(METRICS, text).getOutline((float) (x + indent), (float) baseline));
            }
            x += widths[column] + COLUMN_GAP;
        }
    }

    private static double textWidth(String text) {
        return FONT.getStringBounds(text, METRICS).getWidth();
    }
}
