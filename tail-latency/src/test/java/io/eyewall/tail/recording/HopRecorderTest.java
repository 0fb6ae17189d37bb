package io.eyewall.tail.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HopRecorderTest {

    private static final HopKey KEY = HopKey.ofWorker(MeasuringPoint.NETWORK, "host:6700");

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldRecordWhatIsInRangeAndCountTheRest(boolean compact) {
        HopRecorder recorder = new HopRecorder(KEY, 1_000_000, 3, compact);
        recorder.record(0);
        recorder.record(1_000_000);
        recorder.record(1_000_001);
        recorder.record(-1);
        recorder.record(Long.MIN_VALUE);

        assertEquals(3, recorder.dropped());
        Histogram interval = recorder.takeInterval();
        assertEquals(2, interval.getTotalCount());
        assertEquals(1_000_000.0, (double) interval.getMaxValue(), 1_000);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldGiveEachValueOnceWhenIntervalsAreTaken(boolean compact) {
        HopRecorder recorder = new HopRecorder(KEY, 1_000_000_000, 3, compact);
        long sum = 0;
        for (int interval = 1; interval <= 10; interval++) {
            for (int i = 0; i < interval; i++) {
                recorder.record(interval * 1_000L);
            }
            Histogram taken = recorder.takeInterval();
            assertEquals(interval, taken.getTotalCount());
            assertEquals(interval * 1_000.0, (double) taken.getMaxValue(), interval * 2.0);
            sum += taken.getTotalCount();
        }
        assertEquals(55, sum);
        assertEquals(0, recorder.takeInterval().getTotalCount());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldKeepTheLargestErrorAndDropWhatHasNoBound(boolean compact) {
        HopRecorder recorder = new HopRecorder(KEY, 1_000_000, 3, compact);
        recorder.record(500, WorkerClock.UNKNOWN_ERROR_NS);
        assertEquals(0, recorder.errorBoundNs());
        recorder.record(500, 30);
        recorder.record(500, 70);
        recorder.record(500, 20);

        assertEquals(70, recorder.errorBoundNs());
        assertEquals(1, recorder.dropped());
        assertEquals(3, recorder.takeInterval().getTotalCount());
    }
}
