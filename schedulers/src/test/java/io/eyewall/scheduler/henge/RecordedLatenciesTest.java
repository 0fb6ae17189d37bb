package io.eyewall.scheduler.henge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.elasticity.model.Slot;
import io.eyewall.elasticity.slo.LatencyStatistic;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class RecordedLatenciesTest {

    private static final String ID = "orders-1-1";
    private static final Slot ONE = new Slot("m1", 6700);
    private static final Slot OTHER = new Slot("m2", 6700);
    private static final Set<String> SINKS = Set.of("sink", "other sink");
    private static final LatencyStatistic P99 = LatencyStatistic.named("p99");

    private final RecordedLatencies latencies = new RecordedLatencies();

    @Test
    void shouldMergeTheSinksOfAllWorkersSinceTheFirstLook() {
        assertEquals(OptionalDouble.empty(), at(0, Map.of(ONE, page(line("sink", 900)), OTHER, page())));
        assertEquals(2.0, at(10, Map.of(ONE, page(line("sink", 900, 1, 1)), OTHER, page(line("sink", 2), line("work", 50),
            line("other sink", 4)))).orElseThrow(), 0.01);
        assertEquals(900, at(20, Map.of(OTHER, page(line("sink", 2, 900))), P99).orElseThrow(), 1);
    }

    @Test
    void shouldUseTheLastPageOfAWorkerForHalfAMinute() {
        at(0, Map.of(ONE, page(line("sink", 1)), OTHER, page()));
        at(10, Map.of(ONE, page(line("sink", 1, 2)), OTHER, page(line("sink", 4))));
        latencies.read(ID, ONE, page(line("sink", 1, 2, 9)), SINKS, 40_000);
        assertTrue(latencies.isKnown(ID, OTHER, 40_000));
        assertEquals(5, latencies.latencyMs(ID, Set.of(ONE, OTHER), LatencyStatistic.MEAN, 40_000).orElseThrow(), 0.01, "2, 9 and 4");
        assertFalse(latencies.isKnown(ID, OTHER, 40_001));
        assertTrue(latencies.isKnown(ID, ONE, 40_001));
        latencies.restartWindow(ID);
        assertFalse(latencies.isKnown(ID, ONE, 40_001), "what was before a change says nothing about what is after it");
        latencies.read(ID, ONE, page(line("sink", 1, 2, 9)), SINKS, 41_000);
        assertTrue(latencies.isKnown(ID, ONE, 41_000));
        assertFalse(latencies.isKnown(ID, ONE, 42_000), "the window begins with this page, so it would show nothing of this worker");
        assertFalse(latencies.isKnown("orders-1-2", ONE, 40_001));
    }

    @Test
    void shouldForgetWorkersThatAreGone() {
        at(0, Map.of(ONE, page(), OTHER, page()));
        latencies.retain(Set.of(ONE), ID::equals);
        assertTrue(latencies.isKnown(ID, ONE, 0));
        assertFalse(latencies.isKnown(ID, OTHER, 0));
        latencies.retain(Set.of(ONE), "orders-1-2"::equals);
        assertFalse(latencies.isKnown(ID, ONE, 0));
    }

    @Test
    void shouldTakeAllThatAWorkerHasRecordedSinceItStartedAgain() {
        at(0, Map.of(ONE, page(line("sink", 5, 5, 5))));
        at(10, Map.of(ONE, page(line("sink", 5, 5, 5, 7))));
        assertEquals(3, at(20, Map.of(ONE, page(line("sink", 3)))).orElseThrow(), 0.01);
        assertEquals(4, at(30, Map.of(ONE, page(line("sink", 3, 5)))).orElseThrow(), 0.01);
    }

    @Test
    void shouldForgetWhatWasBeforeAChange() {
        at(0, Map.of(ONE, page(line("sink", 5))));
        at(10, Map.of(ONE, page(line("sink", 5, 100))));
        latencies.restartWindow(ID);
        assertEquals(OptionalDouble.empty(), at(20, Map.of(ONE, page(line("sink", 5, 100)))));
        assertEquals(2, at(30, Map.of(ONE, page(line("sink", 5, 100, 2)))).orElseThrow(), 0.01);
    }

    @Test
    void shouldRefuseAPageThatIsNotOfTheTopology() {
        for (String page : new String[] {"", "Not found", "eyewall-worker 1 orders-1-12 5\n", "eyewall-worker 2 " + ID + " 5\n",
            "eyewall-worker 1 " + ID + " 5\n1\t2\t3\t4\nend-to-end\tsink\tnonsense\n"}) {
            assertThrows(IllegalArgumentException.class, () -> at(0, Map.of(ONE, page)), page);
        }
    }

    @Test
    void shouldLeaveOutOtherPoints() {
        at(0, Map.of(ONE, page()));
        assertEquals(2, at(10, Map.of(ONE, page(line("sink", 2), line("sink", 9).replace("end-to-end", "complete")))).orElseThrow(), 0.01);
    }

    @Test
    void shouldNotShortenLatenciesThatWereRecordedWithFewDigits() {
        Histogram coarse = new Histogram(2);
        coarse.recordValue(1_003_000);
        at(0, Map.of(ONE, page()));
        assertEquals(1.003, at(10, Map.of(ONE, page(line("sink", coarse)))).orElseThrow(), 0.002);
    }

    private OptionalDouble at(int secs, Map<Slot, String> pages) {
        return at(secs, pages, LatencyStatistic.MEAN);
    }

    private OptionalDouble at(int secs, Map<Slot, String> pages, LatencyStatistic statistic) {
        pages.forEach((slot, page) -> latencies.read(ID, slot, page, SINKS, secs * 1_000L));
        return latencies.latencyMs(ID, pages.keySet(), statistic, secs * 1_000L);
    }

    private static String page(String... lines) {
        return pageOf(ID, lines);
    }

    /** The page of a worker of a topology. */
    static String pageOf(String topologyId, String... lines) {
        return "eyewall-worker 1 " + topologyId + " 1732000000000\n1000\t2000\t30\t4\n" + String.join("", lines);
    }

    /** A line of a page with latencies in milliseconds. */
    static String line(String component, long... ms) {
        Histogram histogram = new Histogram(3);
        Arrays.stream(ms).forEach(each -> histogram.recordValue(each * 1_000_000));
        return line(component, histogram);
    }

    private static String line(String component, Histogram histogram) {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return "end-to-end\t" + component + "\t"
            + Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length)) + "\n";
    }
}
