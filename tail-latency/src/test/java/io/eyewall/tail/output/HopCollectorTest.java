package io.eyewall.tail.output;

import static io.eyewall.tail.output.RecordedHops.EXECUTE;
import static io.eyewall.tail.output.RecordedHops.NETWORK;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.eyewall.tail.recording.HopKey;
import io.eyewall.tail.recording.HopRecorder;
import io.eyewall.tail.recording.MeasuringPoint;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class HopCollectorTest {

    private final RecordedHops hops = new RecordedHops();
    private final HopCollector collector = hops.collector();
    private final Intervals intervals = new Intervals();

    @Test
    void shouldAddUpWhatSeveralThreadsRecordedAtOneHop() {
        hops.record(EXECUTE, 100, 200);
        hops.record(EXECUTE, 300).record(-1);
        hops.record(NETWORK, 400).record(50, 7);
        close();

        assertEquals(Map.of(EXECUTE, 3L, NETWORK, 2L), intervals.counts);
        collector.collect(hop -> {
            assertEquals(hop.key().equals(EXECUTE) ? 3 : 2, hop.total().getTotalCount());
            assertEquals(hop.key().equals(EXECUTE) ? 1 : 0, hop.dropped());
            assertEquals(hop.key().equals(EXECUTE) ? 0 : 7, hop.errorBoundNs());
        });
    }

    @Test
    void shouldKeepTheValuesOfPointsThatNobodyWantsYet() {
        hops.record(EXECUTE, 100, 200);
        hops.record(NETWORK, 400);
        List<HopKey> shown = new ArrayList<>();
        collector.collect(point -> point == NETWORK.point(), hop -> shown.add(hop.key()));

        assertEquals(List.of(NETWORK), shown);
        close();
        assertEquals(Map.of(EXECUTE, 2L, NETWORK, 1L), intervals.counts);
    }

    @Test
    void shouldGiveEachValueToOneIntervalWhenSomebodyLooksInBetween() {
        HopRecorder recorder = hops.record(EXECUTE, 100);
        close();
        recorder.record(200);
        assertEquals(2, total());
        recorder.record(300);
        assertEquals(3, total());
        recorder.record(400);
        close();

        assertEquals(Map.of(EXECUTE, 3L), intervals.counts);
        assertEquals(400, intervals.maxima.get(EXECUTE));
        assertEquals(4, total());
        close();
        assertEquals(Map.of(EXECUTE, 0L), intervals.counts);
        assertEquals(4, total());
    }

    @Test
    void shouldKeepTheFiguresOfTheLastWholeInterval() {
        HopRecorder recorder = hops.record(EXECUTE);
        for (int i = 1; i <= 1_000; i++) {
            recorder.record(i);
        }
        close();
        recorder.record(2_000);

        collector.collect(hop -> assertEquals(new HopPercentiles(1_000, 500, 900, 990, 999, 1_000), hop.lastInterval()));
        close();
        close();
        collector.collect(hop -> assertEquals(HopPercentiles.NONE, hop.lastInterval()));
    }

    @Test
    void shouldMeetHopsThatComeLater() {
        close();
        assertEquals(Map.of(), intervals.counts);
        hops.record(EXECUTE, 1);
        close();
        hops.record(NETWORK, 1);
        hops.record(EXECUTE, 1);
        close();
        assertEquals(Map.of(EXECUTE, 1L, NETWORK, 1L), intervals.counts);
        assertEquals(2, total());
    }

    @Test
    void shouldShowHopsByComponentAndThenByPoint() {
        List<HopKey> keys = List.of(
            new HopKey(MeasuringPoint.NETWORK, "__worker", -1, "a:1"),
            new HopKey(MeasuringPoint.NETWORK, "__worker", -1, "b:1"),
            new HopKey(MeasuringPoint.EXECUTE, "count", 9, "split:default"),
            new HopKey(MeasuringPoint.RECEIVE_QUEUE_WAIT, "split", 3, "words:default"),
            new HopKey(MeasuringPoint.EXECUTE, "split", 3, "words:default"),
            new HopKey(MeasuringPoint.EXECUTE, "split", 10, "words:default"));
        for (int i = keys.size() - 1; i >= 0; i--) {
            hops.record(keys.get(i), 1);
        }
        List<HopKey> shown = new ArrayList<>();
        collector.collect(hop -> shown.add(hop.key()));
        assertEquals(keys, shown);
    }

    @Test
    void shouldLoseOneIntervalOfOneHopWhenAHistogramIsDamaged() throws Exception {
        HopRecorder damaged = hops.record(EXECUTE, 100);
        HopRecorder other = hops.record(EXECUTE, 200);
        Histogram interval = damaged.takeInterval(); // Is recorded in again when the next one is taken.
        close();
        damaged.record(300);
        other.record(300);
        Field counts = Histogram.class.getDeclaredField("counts");
        counts.setAccessible(true);
        counts.set(interval, new long[1]);
        hops.record(NETWORK, 400);
        close();

        assertEquals(Map.of(EXECUTE, 0L, NETWORK, 1L), intervals.counts);
        collector.collect(hop -> assertEquals(hop.key().equals(EXECUTE) ? 2 : 0, hop.dropped()));

        damaged.record(500);
        other.record(600);
        close();
        assertEquals(Map.of(EXECUTE, 2L, NETWORK, 0L), intervals.counts);
        assertEquals(3, total());
    }

    @Test
    void shouldLoseNothingWhenThreadsRecordAndOthersCollect() throws Exception {
        int values = 300_000;
        List<CompletableFuture<Void>> threads = new ArrayList<>();
        for (int thread = 0; thread < 2; thread++) {
            HopRecorder recorder = hops.record(EXECUTE);
            threads.add(CompletableFuture.runAsync(() -> {
                for (int i = 0; i < values; i++) {
                    recorder.record(i % 5_000);
                }
            }));
        }
        CompletableFuture<Void> all = CompletableFuture.allOf(threads.toArray(new CompletableFuture<?>[0]));
        long closed = 0;
        while (!all.isDone()) {
            total();
            close();
            closed += intervals.counts.get(EXECUTE);
        }
        all.get(60, TimeUnit.SECONDS);
        close();
        closed += intervals.counts.get(EXECUTE);
        assertEquals(2L * values, closed);
        assertEquals(2L * values, total());
    }

    private void close() {
        collector.closeInterval(1_000, 2_000, List.of(intervals));
    }

    private long total() {
        long[] sum = new long[1];
        collector.collect(hop -> sum[0] += hop.key().equals(EXECUTE) ? hop.total().getTotalCount() : 0);
        return sum[0];
    }

    /** Notes the last interval. */
    private static final class Intervals implements IntervalOutput {
        private final Map<HopKey, Long> counts = new HashMap<>();
        private final Map<HopKey, Long> maxima = new HashMap<>();

        @Override
        public void begin(long startMs, long endMs) {
            counts.clear();
            maxima.clear();
        }

        @Override
        public void hop(HopKey key, Histogram interval, long clockErrorNs) {
            counts.put(key, interval.getTotalCount());
            maxima.put(key, interval.getMaxValue());
        }

        @Override
        public void end() {
            // Nothing is left to note.
        }
    }
}
