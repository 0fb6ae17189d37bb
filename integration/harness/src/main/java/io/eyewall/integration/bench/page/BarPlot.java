package io.eyewall.integration.bench.page;

import io.eyewall.integration.bench.data.Measurement.Setting;
import io.eyewall.integration.bench.data.Measurements;
import io.eyewall.integration.bench.data.Quantity;
import io.eyewall.integration.bench.data.Spread;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One quantity of some measurements as an SVG picture: a bar for each side of each setting, with the minimum and maximum of its rounds as a
 * line. The picture does not depend on the fonts of this machine, so that the same measurements always make the same file.
 */
final class BarPlot {

    private static final List<String> COLORS = List.of("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#666666");
    private static final int WIDTH = 900;
    private static final int LEFT = 240;
    private static final int RIGHT = 110;
    private static final int MARGIN = 8;
    private static final int TOP = 44;
    private static final int BAR = 16;
    private static final int ROW = 20;
    private static final int GAP = 12;
    private static final int BASELINE = 12;

    private final String title;
    private final Quantity quantity;
    private final Measurements measurements;
    private final List<String> sides;
    private final Quantity.Scale scale;
    private final double most;

    /** {@code title} stands above the picture, with the quantity's unit behind it. */
    BarPlot(String title, Measurements measurements) {
        this.title = title;
        this.measurements = measurements;
        quantity = measurements.quantities().get(0);
        sides = measurements.settings().stream().flatMap(setting -> measurements.sides(setting).stream()
            .filter(side -> measurements.figure(setting, side, quantity).median() != null)).distinct().toList();
        List<BigDecimal> medians = new ArrayList<>();
        double largest = 0;
        for (Setting setting : measurements.settings()) {
            for (String side : sides) {
                Spread spread = measurements.figure(setting, side, quantity);
                if (spread.median() != null) {
                    medians.add(spread.median());
                    largest = Math.max(largest, spread.median().doubleValue());
                    largest = Math.max(largest, spread.maximum() == null ? 0 : spread.maximum().doubleValue());
                }
            }
        }
        scale = Quantity.Scale.of(medians);
        most = largest;
    }

    /** The lines of the file. */
    List<String> svg() {
        List<String> drawn = new ArrayList<>();
        int top = TOP;
        for (Setting setting : measurements.settings()) {
            drawn.add(text(MARGIN, top, "start", setting.title()));
            top += ROW;
            for (String side : sides) {
                Spread spread = measurements.figure(setting, side, quantity);
                if (spread.median() != null) {
                    draw(drawn, top, side, spread);
                    top += ROW;
                }
            }
            top += GAP;
        }
        List<String> lines = new ArrayList<>(List.of(
            String.format(Locale.ROOT, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
                + "font-family=\"sans-serif\" font-size=\"13\">", WIDTH, top, WIDTH, top),
            "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>",
            String.format(Locale.ROOT, "<text x=\"%d\" y=\"24\" font-size=\"15\" font-weight=\"bold\">%s</text>", MARGIN,
                escaped(quantity.unit(scale).isEmpty() ? title : title + ", " + quantity.unit(scale)))));
        lines.addAll(drawn);
        lines.add("</svg>");
        return lines;
    }

    private void draw(List<String> drawn, int top, String side, Spread spread) {
        double end = x(spread.median());
        drawn.add(text(LEFT - MARGIN, top, "end", side));
        drawn.add(String.format(Locale.ROOT, "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>", LEFT, top, end - LEFT,
            BAR, COLORS.get(sides.indexOf(side) % COLORS.size())));
        if (spread.hasEnds()) {
            int middle = top + BAR / 2;
            drawn.add(String.format(Locale.ROOT, "<path d=\"M%.1f %dH%.1f\" stroke=\"#000000\" stroke-width=\"2\"/>", x(spread.minimum()),
                middle, x(spread.maximum())));
            end = Math.max(end, x(spread.maximum()));
        }
        drawn.add(text((int) Math.round(end) + 6, top, "start", quantity.show(spread.median(), scale)));
    }

    private double x(BigDecimal figure) {
        return LEFT + (most == 0 ? 0 : figure.doubleValue() / most * (WIDTH - LEFT - RIGHT));
    }

    static String text(int x, int top, String anchor, String text) {
        return String.format(Locale.ROOT, "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">%s</text>", x, top + BASELINE, anchor, escaped(text));
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
