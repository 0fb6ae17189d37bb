package io.eyewall.core.report;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;

class RatePlotTest {

    @TempDir
    private Path directory;

    private final RatePlot plot = new RatePlot("title", new TreeMap<>(Map.of(
        "a", new TreeMap<>(Map.of(-10.0, 500.0, 0.0, 0.0, 10.0, 700.0)), "b", new TreeMap<>(Map.of(-10.0, 400.0, 0.0, 450.0)))));

    @Test
    void shouldDrawALineForEachSeries() {
        XYChart chart = plot.chart();

        assertEquals(3, chart.getSeries("a").getXData().length);
        assertEquals(700, chart.getSeries("a").getYMax());
        assertEquals(2, chart.getSeries("b").getXData().length);
    }

    @Test
    void shouldMarkSecondsWithLinesInAPictureOfOtherValues() throws IOException {
        RatePlot marked = new RatePlot("title", "utility", Map.of("a", Map.of(0.0, 1.0, 10.0, 2.0)));
        marked.mark("steps", 5);
        marked.mark("steps", 7);
        marked.mark("changes", 6);
        marked.write(directory.resolve("marked.svg"));

        XYChart chart = marked.chart();
        assertEquals("utility", chart.getYAxisTitle());
        assertEquals(List.of("a", "steps", "changes"), chart.getSeriesCollection().stream().map(XYSeries::getName).toList());
        assertArrayEquals(new double[] {5, 5, 5, 7, 7, 7}, chart.getSeries("steps").getXData());
        assertNotEquals(chart.getSeries("steps").getLineStyle(), chart.getSeries("changes").getLineStyle());
        assertTrue(Files.readString(directory.resolve("marked.svg")).contains("<svg"));
    }

    @Test
    void shouldLeaveAGapWhereAValueIsNotANumber() throws IOException {
        RatePlot whole = new RatePlot("title", Map.of("a", new TreeMap<>(Map.of(0.0, 1.0, 10.0, 2.0, 20.0, 3.0, 30.0, 2.5))));
        RatePlot gap = new RatePlot("title", Map.of("a", new TreeMap<>(Map.of(0.0, 1.0, 10.0, Double.NaN, 20.0, 3.0, 30.0, 2.5))));
        whole.write(directory.resolve("whole.svg"));
        gap.write(directory.resolve("gap.svg"));

        assertEquals(3, gap.chart().getSeries("a").getYMax());
        assertEquals(whole.chart().getStyler().getYAxisMax(), gap.chart().getStyler().getYAxisMax());
        assertFalse(Files.readString(directory.resolve("gap.svg")).contains("NaN"));
        assertTrue(Files.size(directory.resolve("gap.svg")) < Files.size(directory.resolve("whole.svg")));
    }

    @Test
    void shouldHaveRoundTicksUnderFewPoints() {
        XYChart chart = new RatePlot("title", new TreeMap<>(Map.of("a", new TreeMap<>(Map.of(0.0, 0.4, 61.733, 0.8))))).chart();
        Set<Double> across = new TreeSet<>();
        Set<Double> up = new TreeSet<>();
        chart.getStyler().setXAxisTickLabelsFormattingFunction(value -> noted(value, across));
        chart.getStyler().setYAxisTickLabelsFormattingFunction(value -> noted(value, up));
        chart.paint(new BufferedImage(LatencyPlot.WIDTH, 420, BufferedImage.TYPE_INT_RGB).createGraphics(), LatencyPlot.WIDTH, 420);

        assertTrue(across.containsAll(Set.of(10.0, 20.0, 60.0)), across.toString());
        assertFalse(across.contains(61.733), across.toString());
        assertTrue(up.containsAll(Set.of(0.0, 0.2, 0.4, 0.6, 0.8)), up.toString());
    }

    @Test
    void shouldWriteFractionsWithALeadingZero() {
        DecimalFormatSymbols symbols = DecimalFormatSymbols.getInstance(Locale.ROOT);
        assertEquals("0.014", new DecimalFormat(plot.chart().getStyler().getYAxisDecimalPattern(), symbols).format(0.014));
        assertEquals("0.5", new DecimalFormat(plot.chart().getStyler().getXAxisDecimalPattern(), symbols).format(0.5));
    }

    @Test
    void shouldDrawValuesThatAreAllZero() {
        assertEquals(1.0, new RatePlot("title", Map.of("a", Map.of(0.0, 0.0))).chart().getStyler().getYAxisMax());
    }

    @Test
    void shouldWriteAPicture() throws IOException {
        plot.write(directory.resolve("rates.svg"));

        assertTrue(Files.readString(directory.resolve("rates.svg")).contains("<svg"));
    }

    private static String noted(double value, Set<Double> values) {
        values.add(value);
        return String.valueOf(value);
    }
}
