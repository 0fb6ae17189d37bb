package io.eyewall.core.report;

import static io.eyewall.core.report.MeasureFiles.MS;
import static io.eyewall.core.report.MeasureFiles.START_MS;
import static io.eyewall.core.report.MeasureFiles.interval;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.w3c.dom.Element;

class LatencyPlotTest {

    private static final int BLUE = 0x0072B2;
    private static final int VERMILION = 0xD55E00;

    @TempDir
    private Path directory;

    @Test
    void shouldDrawEachPercentileAtItsNines() {
        XYSeries curve = new LatencyPlot("title", List.of(series("a", 10_000, 1))).percentileCurve().getSeries("0");

        assertEquals(5000.0 * MS, at(curve, 2), 0.03 * 5000 * MS);
        assertEquals(9000.0 * MS, at(curve, 10), 0.01 * 9000 * MS);
        assertEquals(9990.0 * MS, at(curve, 1000), 0.01 * 9990 * MS);
        assertEquals(10_000, curve.getXMax());
        assertEquals(10_000.0 * MS, curve.getYMax(), 0.001 * 10_000 * MS);
        assertEquals(0, curve.getXMin() - 1, 0.02);
    }

    @Test
    void shouldDrawThreePercentilesOfEverySecond() {
        XYChart timeline = new LatencyPlot("title", List.of(series("a", 100, 30), series("b", 100, 20))).timeline();

        assertEquals(6, timeline.getSeriesCollection().size());
        assertEquals(30, timeline.getSeries("0 p99").getXData().length);
        assertEquals(20, timeline.getSeries("1 max").getXData().length);
        assertEquals(99.0 * MS, timeline.getSeries("0 p99").getYData()[7], 0.002 * 99 * MS);
    }

    @Test
    void shouldWriteWellFormedSvg() throws Exception {
        Path file = directory.resolve("new/plot.svg");
        new LatencyPlot("title", List.of(series("a", 1000, 10))).write(file);

        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
        DocumentBuilder builder = factory.newDocumentBuilder();
        Element svg = builder.parse(file.toFile()).getDocumentElement();

        assertEquals("svg", svg.getTagName());
        assertEquals(LatencyPlot.WIDTH + "px", svg.getAttribute("width"));
        assertTrue(svg.getElementsByTagName("path").getLength() > 20, "text and curves are paths");
        assertEquals(0, svg.getElementsByTagName("text").getLength(), "text does not depend on the reader's fonts");
    }

    @Test
    void shouldWritePngInWhichEverySeriesHasItsColor() throws IOException {
        Path file = directory.resolve("plot.png");
        new LatencyPlot("title", List.of(series("a", 1000, 10), series("b", 500, 10))).write(file);

        BufferedImage image = ImageIO.read(file.toFile());
        assertEquals(2 * LatencyPlot.WIDTH, image.getWidth());
        assertTrue(image.getHeight() > 2 * (LatencyPlot.CURVE_HEIGHT + LatencyPlot.TIMELINE_HEIGHT), "legend has its place");
        Set<Integer> colors = new HashSet<>();
        for (int x = 0; x < image.getWidth(); x++) {
            for (int y = 0; y < 2 * LatencyPlot.CURVE_HEIGHT; y++) {
                colors.add(image.getRGB(x, y) & 0xFFFFFF);
            }
        }
        assertTrue(colors.containsAll(Set.of(BLUE, VERMILION)), colors::toString);
    }

    @Test
    void shouldDrawThePercentileCurveAlone() throws IOException {
        Path file = directory.resolve("plot.png");
        new LatencyPlot("title", List.of(series("a", 1000, 10))).writePercentileCurve(file);

        int height = ImageIO.read(file.toFile()).getHeight();
        assertTrue(height > 2 * LatencyPlot.CURVE_HEIGHT && height < 2 * (LatencyPlot.CURVE_HEIGHT + LatencyPlot.TIMELINE_HEIGHT),
            "height " + height);
    }

    @Test
    void shouldDrawASingleTupleOfNoLatency() throws IOException {
        LatencySeries series = new LatencySeries("a");
        series.add(interval("e2e", START_MS, 1, i -> 0));
        Path file = directory.resolve("plot.png");

        new LatencyPlot("title", List.of(series)).write(file);

        assertTrue(ImageIO.read(file.toFile()).getWidth() > 0);
    }

    @Test
    void shouldRefuseOtherFormats() {
        LatencyPlot plot = new LatencyPlot("title", List.of(series("a", 10, 1)));

        assertThrows(IllegalArgumentException.class, () -> plot.write(directory.resolve("plot.pdf")));
    }

    private static double at(XYSeries curve, double x) {
        int nearest = 0;
        for (int i = 0; i < curve.getXData().length; i++) {
            if (Math.abs(curve.getXData()[i] - x) < Math.abs(curve.getXData()[nearest] - x)) {
                nearest = i;
            }
        }
        return curve.getYData()[nearest];
    }

    private static LatencySeries series(String name, int count, int seconds) {
        LatencySeries series = new LatencySeries(name);
        for (int second = 0; second < seconds; second++) {
            series.add(interval("e2e", START_MS + second * 1000L, count));
        }
        return series;
    }
}
