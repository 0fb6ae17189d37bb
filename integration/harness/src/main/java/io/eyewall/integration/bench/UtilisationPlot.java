package io.eyewall.integration.bench;

import io.eyewall.core.report.PlotFile;
import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.IntToDoubleFunction;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.ChartTheme;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * The mean latency of each side over the utilisation of the executors, beside what queueing theory predicts for a queue for each
 * executor (M/M/1) and for one queue for all of them (M/M/c).
 */
final class UtilisationPlot {

    private static final Color[] COLORS = {new Color(0x0072B2), new Color(0xD55E00), new Color(0x009E73), new Color(0xCC79A7)};
    private static final BasicStroke THEORY = new BasicStroke(1.6f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 10f,
        new float[] {7f, 4f}, 0f);
    private static final int WIDTH = 1000;
    private static final int HEIGHT = 560;

    private final List<Side> sides;
    private final List<Comparison> comparisons;

    /** {@code comparisons} are of {@link TailScenarios#utilised}, by utilisation. */
    UtilisationPlot(List<Side> sides, List<Comparison> comparisons) {
        this.sides = sides;
        this.comparisons = comparisons;
    }

    /** Writes the plot. */
    void write(Path file) throws IOException {
        XYChart chart = new XYChartBuilder().width(WIDTH).height(HEIGHT).theme(ChartTheme.XChart)
            .title("Mean latency of a bolt's " + TailScenarios.BUSY_EXECUTORS + " executors")
            .xAxisTitle("utilisation of the executors in %").yAxisTitle("mean latency in ms (log scale)").build();
        chart.getStyler().setYAxisLogarithmic(true);
        chart.getStyler().setLocale(Locale.ROOT);
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
        chart.getStyler().setLegendPosition(LegendPosition.InsideNW);
        double serviceNs = TimeUnit.MILLISECONDS.toNanos(TailScenarios.WORK_MS);
        MultiServerQueue own = new MultiServerQueue(1, serviceNs);
        MultiServerQueue shared = new MultiServerQueue(TailScenarios.BUSY_EXECUTORS, serviceNs);
        for (int side = 0; side < sides.size(); side++) {
            int index = side;
            XYSeries measured = add(chart, sides.get(side).label() + ", measured", COLORS[side % COLORS.length],
                comparison -> meanNs(comparisons.get(comparison), index));
            measured.setMarker(SeriesMarkers.CIRCLE);
            measured.setMarkerColor(COLORS[side % COLORS.length]);
        }
        theory(chart, "a queue for each, M/M/1", Color.GRAY, own);
        theory(chart, "one queue for all, M/M/" + shared.servers(), Color.BLACK, shared);
        new PlotFile(file).write(WIDTH, List.of(new PlotFile.Panel(HEIGHT, graphics -> chart.paint(graphics, WIDTH, HEIGHT))));
    }

    private static double meanNs(Comparison comparison, int side) {
        return comparison.runs().get(side).stream().mapToDouble(run -> run.latencies().getMean()).average().orElseThrow();
    }

    private void theory(XYChart chart, String name, Color color, MultiServerQueue queue) {
        XYSeries series = add(chart, name, color, comparison -> queue.meanNs(percent(comparison) / 100));
        series.setMarker(SeriesMarkers.NONE);
        series.setLineStyle(THEORY);
    }

    private XYSeries add(XYChart chart, String name, Color color, IntToDoubleFunction meanNs) {
        double[] percents = new double[comparisons.size()];
        double[] means = new double[comparisons.size()];
        for (int comparison = 0; comparison < means.length; comparison++) {
            percents[comparison] = percent(comparison);
            means[comparison] = meanNs.applyAsDouble(comparison) / TimeUnit.MILLISECONDS.toNanos(1);
        }
        XYSeries series = chart.addSeries(name, percents, means);
        series.setLineColor(color);
        return series;
    }

    private double percent(int comparison) {
        return comparisons.get(comparison).scenario().ratePerSec() / TailScenarios.ratePerSecAtOnePercent();
    }
}
