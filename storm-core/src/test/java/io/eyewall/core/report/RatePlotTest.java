package io.eyewall.core.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.knowm.xchart.XYChart;

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
        marked.write(directory.resolve("plain.svg"));
        marked.mark(5);
        marked.write(directory.resolve("marked.svg"));

        assertEquals("utility", marked.chart().getYAxisTitle());
        assertTrue(Files.size(directory.resolve("marked.svg")) > Files.size(directory.resolve("plain.svg")));
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
