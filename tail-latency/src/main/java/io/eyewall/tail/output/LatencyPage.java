package io.eyewall.tail.output;

import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.Deflater;
import org.HdrHistogram.Histogram;

/**
 * All values since the worker started, in a machine-readable form: the line {@code eyewall-latency 1 <topologyId> <epochMs>},
 * then a line for each hop with its tag, error bound in nanoseconds, number of dropped values and compressed histogram (HdrHistogram's V2)
 * in base 64, separated by tabs. Safe for use by any thread.
 */
final class LatencyPage extends TextPage {

    /** How the page begins, before the id of the topology. */
    static final String FORMAT = "eyewall-latency 1";

    private final HopCollector collector;
    private final String topologyId;
    private final Clock clock;

    LatencyPage(HopCollector collector, String topologyId, Clock clock) {
        this.collector = collector;
        this.topologyId = topologyId;
        this.clock = clock;
    }

    @Override
    String text() {
        StringBuilder page = new StringBuilder(FORMAT).append(' ').append(topologyId).append(' ').append(clock.millis()).append('\n');
        collector.collect(hop -> page.append(hop.key().tag()).append('\t').append(hop.errorBoundNs()).append('\t').append(hop.dropped())
            .append('\t').append(base64(hop.total())).append('\n'));
        return page.toString();
    }

    /** A histogram in HdrHistogram's compressed form. */
    static String base64(Histogram histogram) {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer, Deflater.BEST_SPEED);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
    }
}
