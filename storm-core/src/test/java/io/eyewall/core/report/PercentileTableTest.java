package io.eyewall.core.report;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class PercentileTableTest {

    @Test
    void shouldShowPercentilesInColumnsOfEqualWidth() {
        PercentileTable table = new PercentileTable();
        table.add("end to end", MeasureFiles.interval(null, 0, 2000));
        table.add("none", new Histogram(3));

        List<String> lines = table.lines();

        assertArrayEquals(new String[] {"count", "p50", "p90", "p99", "p99.9", "max"}, cells(lines.get(0)));
        assertArrayEquals(new String[] {"end to end", "2,000", "1.00 s", "1.80 s", "1.98 s", "2.00 s", "2.00 s"}, cells(lines.get(1)));
        assertArrayEquals(new String[] {"none", "0", "-", "-", "-", "-", "-"}, cells(lines.get(2)));
        assertEquals(1, lines.stream().mapToInt(String::length).distinct().count());
    }

    @Test
    void shouldShowRatiosBelowWhatTheyCompare() {
        PercentileTable table = new PercentileTable();
        table.addRatio(MeasureFiles.interval(null, 0, 2000), MeasureFiles.interval(null, 0, 1000));

        assertArrayEquals(new String[] {"ratio", "0.50", "0.50", "0.50", "0.50", "0.50"}, cells(table.lines().get(1)));
    }

    private static String[] cells(String line) {
        return line.strip().split(" {2,}");
    }
}
