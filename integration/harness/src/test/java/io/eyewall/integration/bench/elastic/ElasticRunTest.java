package io.eyewall.integration.bench.elastic;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.eyewall.core.report.Counts;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class ElasticRunTest {

    private final ElasticRun restarting = ElasticRuns.since(2, new int[] {100, 0, 0, 50, 100, 100, 100, 100, 100},
        new int[] {10, 0, 0, 900, 10, 10, 10, 10, 15});
    private final ElasticRun hot = ElasticRuns.since(0, new int[] {95, 105, 100, 100, 100, 100}, new int[] {19, 10, 10, 10, 10, 10});

    @Test
    void shouldCountWhatDidNotCome() {
        assertEquals(2, restarting.secondsAtZero());
        assertEquals(250, restarting.missing());
        assertEquals(7, restarting.failed());
        assertEquals(0, hot.secondsAtZero());
        assertEquals(0, hot.missing());
    }

    @Test
    void shouldCompareLatenciesWithThoseOfBefore() {
        assertEquals(10, restarting.p99BeforeNs() / 1e6, 0.1);
        assertEquals(900, restarting.worstP99Ns() / 1e6, 1);
        assertEquals(15, restarting.p99AfterwardsNs() / 1e6, 0.1);
    }

    @Test
    void shouldSayWhenItWasAsBeforeForAWhile() {
        assertEquals(4, restarting.secondsUntilUsual());
        assertEquals(0, hot.secondsUntilUsual());
        assertEquals(5, ElasticRuns.since(0, new int[] {100, 100, 100, 100, 89}, new int[] {10, 10, 10, 10, 10}).secondsUntilUsual());
        assertEquals(1, ElasticRuns.since(0, new int[] {100, 100, 100, 100, 100, 100}, new int[] {21, 10, 10, 10, 10, 10})
            .secondsUntilUsual());
    }

    @Test
    void shouldCutWhatWasMeasuredIntoSeconds() {
        long changeMs = 50_000;
        List<Histogram> intervals = List.of(interval("e2e", 49_400, 1), interval("e2e", 49_600, 2), interval("complete", 49_600, 3));

        ElasticRun run = ElasticRun.of(atMs -> new Counts(0, 0, 0, (atMs - 40_000) / 100.0), intervals, changeMs, 2, 1, 0,
            new ElasticRun.Leaving(0, OptionalLong.empty()), 0);

        assertEquals(List.of(-2, -1, 0), run.seconds().stream().map(ElasticRun.Slice::number).toList());
        assertEquals(List.of(10.0, 10.0, 10.0), run.seconds().stream().map(second -> second.counts().received()).toList());
        assertEquals(List.of(0L, 1L, 1L), run.seconds().stream().map(second -> second.latencies().getTotalCount()).toList());
        assertEquals(2, run.seconds().get(2).latencies().getMaxValue());
        assertEquals(List.of(-8, 3), List.of(run.quarters().get(0).number(), run.quarters().get(11).number()));
        assertEquals(List.of(0L, 1L, 1L),
            run.quarters().subList(6, 9).stream().map(quarter -> quarter.latencies().getTotalCount()).toList());
        assertEquals(2.5, run.quarters().get(0).counts().received());
    }

    @Test
    void shouldSayWhenThroughputHasSettled() {
        int[] received = {0, 0, 300, 190, 198, 202, 197, 203, 200, 200, 200, 200, 198, 202, 200, 200};
        ElasticRun run = ElasticRuns.since(0, received, new int[received.length]);

        assertEquals(100, run.rateBefore());
        assertEquals(200, run.rateAfterwards());
        assertEquals(8, run.secondsUntilSettled());
        assertEquals(16, ElasticRuns.since(0, new int[] {0, 10, 500, 0, 0, 300, 500, 0, 10, 500, 0, 20, 300, 1, 90, 400}, new int[16])
            .secondsUntilSettled());
    }

    @Test
    void shouldGiveRatesOfTenSecondsEach() {
        int[] received = new int[32];
        Arrays.fill(received, 50);

        assertEquals(Map.of(-3.0, 100.0, 0.0, 50.0, 10.0, 50.0, 20.0, 50.0), ElasticRuns.since(0, received, new int[32]).rates());
    }

    @Test
    void shouldGiveRatesOfEverySecondWhenThereAreFew() {
        assertEquals(Map.of(-3.0, 100.0, -2.0, 100.0, -1.0, 100.0, 0.0, 50.0, 1.0, 60.0),
            ElasticRuns.since(0, new int[] {50, 60}, new int[2]).rates());
    }

    private static Histogram interval(String tag, long startMs, long latencyNs) {
        Histogram interval = new Histogram(3);
        interval.setTag(tag);
        interval.setStartTimeStamp(startMs);
        interval.setEndTimeStamp(startMs + 1000);
        interval.recordValue(latencyNs);
        return interval;
    }
}
