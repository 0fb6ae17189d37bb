package io.eyewall.core.report;

import io.eyewall.core.report.PlotFile.Panel;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.ChartTheme;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Latency distributions as two charts: the percentile curve, whose axis gives each further nine the same width, and percentiles over time.
 * Both charts show all series. Colours are those of Okabe and Ito, which colour-blind readers can distinguish.
 */
public final class LatencyPlot {

    static final int WIDTH = 1000;
    static final int CURVE_HEIGHT = 560;
    static final int TIMELINE_HEIGHT = 420;
    /** The largest number of series: there are this many colours. */
    static final int MAX_SERIES = 7;

    private static final Color[] COLORS = {new Color(0x0072B2), new Color(0xD55E00), new Color(0x009E73), new Color(0xCC79A7),
        new Color(0xE69F00), new Color(0x56B4E9), new Color(0x000000)};
    private static final int LEGEND_MARGIN = 12;
    private static final int POINTS_PER_NINE = 40;
    private static final double FIRST_POINT = 1 / 0.99;
    private static final BasicStroke SOLID = new BasicStroke(2.4f, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND);
    private static final BasicStroke THIN = new BasicStroke(1f);
    private static final BasicStroke DASHED =
        new BasicStroke(1.6f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 10f, new float[] {7f, 4f}, 0f);
    private static final BasicStroke DOTTED =
        new BasicStroke(1.6f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 10f, new float[] {2f, 3f}, 0f);

    private final String title;
    private final List<LatencySeries> series;

    /** Creates the plot of one to {@value #MAX_SERIES} series, none of them empty. */
    public LatencyPlot(String title, List<LatencySeries> series) {
        this.title = title;
        this.series = series;
    }

    /**
     * Writes both charts into one picture.
     *
     * @throws IllegalArgumentException if the name of {@code file} ends neither in {@code .svg} nor in {@code .png}
     */
    public void write(Path file) throws IOException {
        write(new PlotFile(file));
    }

    /** Writes the percentile curve alone, as {@link #write} would. */
    public void writePercentileCurve(Path file) throws IOException {
        new PlotFile(file).write(WIDTH, List.of(panel(percentileCurve()), legend()));
    }

    void write(PlotFile file) throws IOException {
        file.write(WIDTH, List.of(panel(percentileCurve()), legend(), panel(timeline())));
    }

    /**
     * The percentile curve: x is 1 / (1 - quantile), so that 10 stands for p90 and 1000 for p99.9; the last point is the maximum. It begins
     * at p1, since the fastest tuple means little, and would take up a good part of a logarithmic axis.
     */
    XYChart percentileCurve() {
        XYChart chart = chart(title, CURVE_HEIGHT, "percentile of tuples; every step to the right is one more nine");
        XYStyler styler = chart.getStyler();
        styler.setXAxisLogarithmic(true);
        styler.setXAxisMin(1.0);
        styler.setXAxisTickLabelsFormattingFunction(LatencyPlot::percentileLabel);
        for (int i = 0; i < series.size(); i++) {
            Histogram latencies = series.get(i).total();
            List<Double> xs = new ArrayList<>();
            List<Double> ys = new ArrayList<>();
            for (double x = FIRST_POINT; x < Math.max(2, latencies.getTotalCount()); x *= Math.pow(10, 1.0 / POINTS_PER_NINE)) {
                xs.add(x);
                ys.add(positive(latencies.getValueAtPercentile(100 - 100 / x)));
            }
            xs.add((double) Math.max(10, latencies.getTotalCount()));
            ys.add(positive(latencies.getMaxValue()));
            line(chart, String.valueOf(i), xs, ys, COLORS[i], SOLID);
        }
        roundLatencyAxis(chart);
        return chart;
    }

    /** p50, p99 and the maximum of every second. */
    XYChart timeline() {
        XYChart chart = chart("Over time: p50 (dashed), p99 (solid), maximum (dotted)", TIMELINE_HEIGHT, "seconds since the first tuple");
        chart.getStyler().setXAxisMin(0.0);
        chart.getStyler().setXAxisDecimalPattern("#,##0.#");
        chart.getStyler().setXAxisTickMarkSpacingHint(80);
        for (int i = 0; i < series.size(); i++) {
            percentileOverTime(chart, i, "max", DOTTED, Histogram::getMaxValue);
            percentileOverTime(chart, i, "p99", SOLID, latencies -> latencies.getValueAtPercentile(99));
            percentileOverTime(chart, i, "p50", DASHED, latencies -> latencies.getValueAtPercentile(50));
        }
        roundLatencyAxis(chart);
        return chart;
    }

    private void percentileOverTime(XYChart chart, int index, String percentile, BasicStroke stroke, ToLongFunction<Histogram> value) {
        SortedMap<Double, Histogram> timeline = series.get(index).timeline();
        List<Double> ys = timeline.values().stream().map(latencies -> positive(value.applyAsLong(latencies))).toList();
        List<Double> xs = new ArrayList<>(timeline.keySet());
        // XChart puts too many ticks, and odd ones, under points that are equally spaced.
        xs.set(0, xs.get(0) * 1.01);
        line(chart, index + " " + percentile, xs, ys, COLORS[index], stroke);
    }

    private Panel legend() {
        PlotLegend legend = new PlotLegend();
        for (int i = 0; i < series.size(); i++) {
            legend.add(COLORS[i], series.get(i));
        }
        return new Panel(legend.height() + LEGEND_MARGIN, graphics -> legend.paint(graphics, WIDTH));
    }

    private static Panel panel(XYChart chart) {
        return new Panel(chart.getHeight(), graphics -> chart.paint(graphics, chart.getWidth(), chart.getHeight()));
    }

    /** Adds a line in the style of the others, in the colour with that number. */
    static void line(XYChart chart, String name, List<Double> xs, List<Double> ys, int color) {
        line(chart, name, xs, ys, COLORS[color], SOLID);
    }

    /** Draws marks in black: those of the first kind solid, those of others dashed. */
    static void mark(XYChart chart, String name, List<Double> xs, List<Double> ys, int kind) {
        line(chart, name, xs, ys, Color.BLACK, kind == 0 ? THIN : DASHED);
    }

    private static void line(XYChart chart, String name, List<Double> xs, List<Double> ys, Color color, BasicStroke stroke) {
        XYSeries line = chart.addSeries(name, xs, ys);
        line.setMarker(xs.size() == 1 ? SeriesMarkers.CIRCLE : SeriesMarkers.NONE);
        line.setMarkerColor(color);
        line.setLineColor(color);
        line.setLineStyle(stroke);
    }

    private static XYChart chart(String title, int height, String xTitle) {
        XYChart chart = chart(title, height, xTitle, "latency (log scale)");
        XYStyler styler = chart.getStyler();
        styler.setYAxisLogarithmic(true);
        styler.setYAxisLogarithmicDecadeOnly(false);
        styler.setYAxisTickLabelsFormattingFunction(LatencyPlot::tickLabel);
        styler.setLegendVisible(false);
        return chart;
    }

    /** A chart in the style of the others, with linear axes. */
    static XYChart chart(String title, int height, String xTitle, String yTitle) {
        XYChart chart = new XYChartBuilder().width(WIDTH).height(height).theme(ChartTheme.XChart).title(title)
            .xAxisTitle(xTitle).yAxisTitle(yTitle).build();
        XYStyler styler = chart.getStyler();
        styler.setLocale(Locale.ROOT);
        styler.setChartBackgroundColor(Color.WHITE);
        styler.setPlotBorderVisible(false);
        styler.setPlotGridLinesColor(new Color(0xDDDDDD));
        styler.setPlotGridLinesStroke(new BasicStroke(1f));
        styler.setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 18));
        styler.setChartTitleBoxVisible(false);
        styler.setAxisTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, 15));
        styler.setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 14));
        styler.setAxisTickPadding(8);
        styler.setChartPadding(16);
        return chart;
    }

    /** 1 is 0 %, 10 is 90 %, 100 is 99 %, 1000 is 99.9 %. */
    private static String percentileLabel(double oneInHowMany) {
        int nines = (int) Math.round(Math.log10(oneInHowMany));
        return String.format(Locale.ROOT, "%." + Math.max(0, nines - 2) + "f %%", 100 - 100 / Math.pow(10, nines));
    }

    static String label(long latencyNs) {
        return HumanTime.of(latencyNs).replace("us", "\u00b5s");
    }

    /** Ticks are at every multiple of a power of ten; 1, 2 and 5 have labels, the others would run into each other. */
    private static String tickLabel(double latencyNs) {
        long digit = Math.round(latencyNs / Math.pow(10, Math.floor(Math.log10(latencyNs * 1.0001))));
        return digit == 1 || digit == 2 || digit == 5 ? label(Math.round(latencyNs)).replaceFirst("\\.0+ ", " ") : " ";
    }

    /** Lets the axis end at values that have labels. */
    private static void roundLatencyAxis(XYChart chart) {
        double min = chart.getSeriesCollection().stream().mapToDouble(XYSeries::getYMin).min().orElseThrow();
        double max = chart.getSeriesCollection().stream().mapToDouble(XYSeries::getYMax).max().orElseThrow();
        double minPower = Math.pow(10, Math.floor(Math.log10(min)));
        double maxPower = Math.pow(10, Math.floor(Math.log10(max)));
        chart.getStyler().setYAxisMin(minPower * (min >= 5 * minPower ? 5 : min >= 2 * minPower ? 2 : 1));
        chart.getStyler().setYAxisMax(maxPower * (max < 2 * maxPower ? 2 : max < 5 * maxPower ? 5 : 10));
    }

    /** A logarithmic axis has no place for 0. */
    private static double positive(long latencyNs) {
        return Math.max(1, latencyNs);
    }
}
