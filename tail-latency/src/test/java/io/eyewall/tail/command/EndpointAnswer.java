package io.eyewall.tail.command;

import java.nio.ByteBuffer;
import java.util.Base64;
import org.HdrHistogram.Histogram;

/** Writes what a worker's endpoint would answer. */
final class EndpointAnswer {

    static final String TOPOLOGY_ID = "chain-1-1700000000";

    private final StringBuilder text = new StringBuilder();

    EndpointAnswer() {
        this(TOPOLOGY_ID);
    }

    EndpointAnswer(String topologyId) {
        this(topologyId, 0);
    }

    /** Of some time after the first one. */
    EndpointAnswer(String topologyId, long laterMs) {
        text.append("eyewall-latency 1 ").append(topologyId).append(' ').append(1_700_000_100_000L + laterMs).append('\n');
    }

    /** Adds a hop that took these times, which may be wrong, and some more that were dropped. */
    EndpointAnswer unsureHop(String tag, long errorBoundNs, long dropped, long... valuesNs) {
        Histogram histogram = new Histogram(3);
        for (long value : valuesNs) {
            histogram.recordValue(value);
        }
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        byte[] bytes = new byte[length];
        buffer.flip().get(bytes);
        text.append(tag).append('\t').append(errorBoundNs).append('\t').append(dropped).append('\t')
            .append(Base64.getEncoder().encodeToString(bytes)).append('\n');
        return this;
    }

    /** Adds a hop that took these times. */
    EndpointAnswer hop(String tag, long... valuesNs) {
        return unsureHop(tag, 0, 0, valuesNs);
    }

    WorkerSnapshot snapshot() {
        return WorkerSnapshot.parse(text.toString());
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
