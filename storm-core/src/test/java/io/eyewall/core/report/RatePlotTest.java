package io.eyewall.core.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
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
    void shouldWriteAPicture() throws IOException {
        plot.write(directory.resolve("rates.svg"));

        assertTrue(Files.readString(directory.resolve("rates.svg")).contains("<svg"));
    }
}
