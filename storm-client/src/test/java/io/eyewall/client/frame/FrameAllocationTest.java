package io.eyewall.client.frame;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.eyewall.client.substitute.SingleAnchorMessageId;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.storm.tuple.MessageId;
import org.apache.storm.tuple.TupleImpl;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What writing a tuple costs in memory: nothing but its part of the object that stands for the frame. */
class FrameAllocationTest {

    private static final int TUPLES = 300_000;
    /** Two small objects for a frame, and what the measurement itself allocates, spread over the tuples. */
    private static final double TOLERANCE_BYTES = 0.5;
    private static final FrameTopology TOPOLOGY = new FrameTopology(Map.of());

    private final FrameWriter writer = TOPOLOGY.writer();
    private final OpenFrame open = new OpenFrame(new FramePool(32_768, 4));
    private long sentTuples;
    private long sentBytes;

    static List<TupleImpl> tuples() {
        return List.of(
            TOPOLOGY.tuple("word"),
            TOPOLOGY.tuple(new SingleAnchorMessageId(-17, 5_000_000_000L), "word", 1_000L, 1_000_000),
            TOPOLOGY.tuple(MessageId.makeUnanchored(), null, true, 2.5, "\u4e2d\u6587", new byte[100], new ArrayList<>(List.of(1L, "x"))));
    }

    @ParameterizedTest
    @MethodSource("tuples")
    void shouldAllocateNothingForATupleOfCommonTypes(TupleImpl tuple) {
        for (int i = 0; i < TUPLES; i++) {
            write(tuple, i);
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < TUPLES; i++) {
            write(tuple, i);
        }
        double bytes = (threads.getCurrentThreadAllocatedBytes() - before) / (double) TUPLES;
        assertEquals(0, bytes, TOLERANCE_BYTES);
        assertEquals(2L * TUPLES, sentTuples + open.tuples());
        assertTrue(sentBytes > TUPLES, "bytes: " + sentBytes);
    }

    private void write(TupleImpl tuple, int i) {
        writer.write(open, 1 + (i & 3), tuple);
        if (open.isFull()) {
            sentTuples += open.tuples();
            sentBytes += open.lengthBytes();
            open.clear();
        }
    }
}
