package io.eyewall.core.report;

import static io.eyewall.core.report.MeasureFiles.MS;
import static io.eyewall.core.report.MeasureFiles.START_MS;
import static io.eyewall.core.report.MeasureFiles.interval;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LatencySeriesTest {

    @Test
    void shouldMergeTheIntervalsOfOneSecond() {
        LatencySeries series = new LatencySeries("run");
        series.add(interval("e2e", START_MS, 10));
        series.add(interval("e2e", START_MS + 100, 5));
        series.add(interval("e2e", START_MS + 2000, 1));

        assertEquals(Set.of(1.0, 3.0), series.timeline().keySet());
        assertEquals(15, series.timeline().get(1.0).getTotalCount());
        assertEquals(16, series.total().getTotalCount());
    }

    @Test
    void shouldLeaveWarmUpOutOfTheDistributionOnly() {
        LatencySeries series = new LatencySeries("run");
        series.addWarmUp(interval("e2e", START_MS, 10));
        assertEquals(10, series.total().getTotalCount());

        series.add(interval("e2e", START_MS + 1000, 3));
        assertEquals(3, series.total().getTotalCount());
        assertEquals(2, series.timeline().size());
    }

    @Test
    void shouldKeepAllLatenciesInBoundedPiecesWhenTheRunIsLong() {
        LatencySeries series = new LatencySeries("run");
        for (int second = 0; second < 5000; second++) {
            series.add(interval("e2e", START_MS + second * 1000L, 1, i -> MS));
        }

        assertTrue(series.timeline().size() <= 300, series.timeline().size() + " pieces");
        assertTrue(series.timeline().size() > 100, series.timeline().size() + " pieces");
        assertEquals(5000, series.timeline().values().stream().mapToLong(Histogram::getTotalCount).sum());
        assertEquals(5000, series.timeline().lastKey(), 32);
    }
}
