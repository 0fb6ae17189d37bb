package io.eyewall.core.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendPosition;

/** Rates, or other values, over time, one line per series, in the colours of {@link LatencyPlot}. */
public final class RatePlot {

    private static final int HEIGHT = 420;
    private static final String LABELS = "#,##0.######";
    /**
     * The part of an axis beyond its last point. XChart puts ticks at the points themselves where these divide the whole axis equally, as
     * two points do. With the margin they do not: its inverse is no whole number.
     */
    private static final double MARGIN = 0.03;

    private final String title;
    private final String across;
    private final String unit;
    private final Map<String, Map<Double, Double>> series;
    /** The seconds of each kind of mark, by its name. */
    private final Map<String, List<Double>> marks = new LinkedHashMap<>();

    /**
     * Creates the plot; {@code series} are by name, each with the rates per second by the second, in order. A line has a gap where a value
     * is not a number.
     */
    public RatePlot(String title, Map<String, Map<Double, Double>> series) {
        this(title, "seconds", "per second", series);
    }

    /** The same for values of another {@code unit}. */
    public RatePlot(String title, String unit, Map<String, Map<Double, Double>> series) {
        this(title, "seconds", unit, series);
    }

    /** The same over something else than seconds: {@code across} is the title of that axis. */
    public RatePlot(String title, String across, String unit, Map<String, Map<Double, Double>> series) {
        this.title = title;
        this.across = across;
        this.unit = unit;
        this.series = series;
    }

    /** Marks a second with a vertical line, with one style for each {@code name} of the legend. */
    public void mark(String name, double second) {
        marks.computeIfAbsent(name, each -> new ArrayList<>()).add(second);
    }

    /**
     * Writes it.
     *
     * @throws IllegalArgumentException if the name of {@code file} ends neither in {@code .svg} nor in {@code .png}
     */
    public void write(Path file) throws IOException {
        XYChart chart = chart();
        new PlotFile(file).write(LatencyPlot.WIDTH,
            List.of(new PlotFile.Panel(HEIGHT, graphics -> chart.paint(graphics, LatencyPlot.WIDTH, HEIGHT))));
    }

    XYChart chart() {
        XYChart chart = LatencyPlot.chart(title, HEIGHT, across, unit);
        chart.getStyler().setYAxisMin(0.0);
        chart.getStyler().setXAxisDecimalPattern(LABELS);
        chart.getStyler().setYAxisDecimalPattern(LABELS);
        chart.getStyler().setLegendVisible(true);
        chart.getStyler().setLegendPosition(LegendPosition.OutsideS);
        series.forEach((name, rates) -> {
            int color = chart.getSeriesCollection().size();
            LatencyPlot.line(chart, name, new ArrayList<>(rates.keySet()), new ArrayList<>(rates.values()), color);
        });
        leaveMargins(chart);
        marks.forEach((name, seconds) -> {
            List<Double> xs = new ArrayList<>();
            List<Double> ys = new ArrayList<>();
            for (double second : seconds) {
                xs.addAll(List.of(second, second, second));
                ys.addAll(List.of(0.0, chart.getStyler().getYAxisMax(), Double.NaN));
            }
            LatencyPlot.mark(chart, name, xs, ys, chart.getSeriesCollection().size() - series.size());
        });
        return chart;
    }

    private static void leaveMargins(XYChart chart) {
        double first = chart.getSeriesCollection().stream().mapToDouble(XYSeries::getXMin).min().orElse(0);
        double last = chart.getSeriesCollection().stream().mapToDouble(XYSeries::getXMax).max().orElse(0);
        double highest = chart.getSeriesCollection().stream().mapToDouble(XYSeries::getYMax).max().orElse(0);
        if (last > first) {
            chart.getStyler().setXAxisMax(last + MARGIN * (last - first));
        }
        chart.getStyler().setYAxisMax(highest > 0 ? highest * (1 + MARGIN) : 1.0);
    }
}
