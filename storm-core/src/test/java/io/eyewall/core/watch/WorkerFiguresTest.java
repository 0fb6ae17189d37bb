package io.eyewall.core.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class WorkerFiguresTest {

    private static final String ID = "my orders-1-2";

    @Test
    void shouldReadWhatAWorkerSays() {
        WorkerFigures figures = WorkerFigures.parse("eyewall-worker 1 " + ID + " 1000\n1\t2\t3\t4\ncomplete\twords\tabc\n", ID);
        assertEquals(new WorkerFigures(1_000, 1, 2, 3, 4, Map.of("complete\twords", "abc")), figures);
        assertTrue(new WorkerFigures(1_001, 1, 2, 3, 4, Map.of()).follows(figures));
        assertFalse(new WorkerFigures(1_001, 1, 2, 2, 4, Map.of()).follows(figures), "it has started again");
    }

    @Test
    void shouldRefuseWhatIsNoSuchPage() {
        for (String page : List.of("", "eyewall-worker 1 " + ID + " 1000", "eyewall-worker 1 other-1-2 1000\n1\t2\t3\t4",
            "eyewall-worker 1 " + ID + " 1000\n1\t2\t3", "eyewall-worker 1 " + ID + " x\n1\t2\t3\t4",
            "eyewall-worker 1 " + ID + " 1000\n1\t2\t3\tx", "eyewall-worker 1 " + ID + " 1000\n1\t2\t3\t4\ncomplete")) {
            assertThrows(IllegalArgumentException.class, () -> WorkerFigures.parse(page, ID), page);
        }
    }

    @Test
    void shouldMergeTheMessagesOfAllWorkersInTheStep() {
        MessageLatencies latencies = new MessageLatencies();
        latencies.add(figures(Map.of("complete\ta", histogram(9_000_000))),
            figures(Map.of("complete\ta", histogram(9_000_000, 1_000_000, 1_000_000), "end-to-end\tb", histogram(77_000_000))));
        latencies.add(null, figures(Map.of("complete\ta", histogram(5_000_000), "complete\tc", "no histogram")));
        MessageLatencies.Percentiles found = latencies.percentiles().orElseThrow();
        assertEquals(1, found.p50Ms(), 0.01);
        assertEquals(5, found.p99Ms(), 0.01);
    }

    @Test
    void shouldTakeTheSlowestComponentWhereNothingIsAcked() {
        MessageLatencies latencies = new MessageLatencies();
        assertEquals(Optional.empty(), latencies.percentiles());
        latencies.add(null, figures(Map.of("end-to-end\ta", histogram(1_000_000), "end-to-end\tb", histogram(2_000_000),
            "complete\tc", histogram())));
        assertEquals(2, latencies.percentiles().orElseThrow().p50Ms(), 0.01);
    }

    private static WorkerFigures figures(Map<String, String> latencies) {
        return new WorkerFigures(0, 0, 0, 0, 0, latencies);
    }

    private static String histogram(long... valuesNs) {
        Histogram histogram = new Histogram(3);
        Arrays.stream(valuesNs).forEach(histogram::recordValue);
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
    }
}
