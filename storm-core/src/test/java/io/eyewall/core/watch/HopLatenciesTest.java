package io.eyewall.core.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.core.watch.HopLatencies.Hop;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class HopLatenciesTest {

    private static final String ID = "orders-1-1763990000";
    private static final String EXECUTE = "execute/count/4/words:default";

    private final HopLatencies latencies = new HopLatencies();

    @Test
    void shouldAddUpTasksAndWorkersSinceTheLookBefore() {
        latencies.add(Map.of(EXECUTE, histogram(5)), Map.of(EXECUTE, histogram(5, 7), "execute/count/5/words:default", histogram(9)));
        latencies.add(Map.of(), Map.of("network/__worker/-1/host-2:6700", histogram(1), "network/__worker/-1/host-3:6700", histogram(2)));

        Hop execute = new Hop("execute", "words", "default", "count");
        Hop network = new Hop("network", "", "", "");
        assertEquals(List.of(network, execute), List.copyOf(latencies.histograms().keySet()));
        assertEquals(2, latencies.histograms().get(execute).getTotalCount());
        assertEquals(7, latencies.histograms().get(execute).getMinNonZeroValue());
        assertEquals(2, latencies.histograms().get(network).getTotalCount());
    }

    @Test
    void shouldTakeAllOfAWorkerThatHasStartedAgain() {
        latencies.add(Map.of(EXECUTE, histogram(5, 6, 7)), Map.of(EXECUTE, histogram(9)));
        assertEquals(1, latencies.histograms().get(new Hop("execute", "words", "default", "count")).getTotalCount());
    }

    @Test
    void shouldReadAPage() {
        assertEquals(Map.of(EXECUTE, "AAA"), HopLatencies.parse("eyewall-latency 1 " + ID + " 1000\n" + EXECUTE + "\t0\t0\tAAA\n", ID));
    }

    @Test
    void shouldSayWhatIsWrong() {
        for (String page : List.of("", "x", "eyewall-latency 2 " + ID + " 1000\n", "eyewall-latency 1 other-1-1 1000\n")) {
            assertTrue(message(() -> HopLatencies.parse(page, ID)).startsWith("it returned something other than latencies"), page);
        }
        assertEquals("it returned a line that cannot be read: a\tb",
            message(() -> HopLatencies.parse("eyewall-latency 1 " + ID + " 1000\na\tb\n", ID)));
        assertEquals("it returned a hop that cannot be read: a/b", message(() -> latencies.add(Map.of(), Map.of("a/b", histogram(1)))));
        for (String histogram : List.of("", "AAAA", "?")) {
            assertTrue(assertThrows(IllegalArgumentException.class, () -> latencies.add(Map.of(), Map.of(EXECUTE, histogram)))
                .getMessage() != null, histogram);
        }
    }

    private static String message(Executable what) {
        return assertThrows(IllegalArgumentException.class, what).getMessage();
    }

    private static String histogram(long... values) {
        Histogram histogram = new Histogram(3);
        Arrays.stream(values).forEach(histogram::recordValue);
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
    }
}
