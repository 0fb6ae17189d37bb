package io.eyewall.core.watch;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The latencies of a topology's messages in a step, from what its workers recorded since they started: from the spout's emit to the ack,
 * or, where nothing is acked, until the component has executed the tuple that has the highest median. For one thread.
 */
public final class MessageLatencies {

    private static final Logger LOG = LoggerFactory.getLogger(MessageLatencies.class);
    private static final String COMPLETE = "complete\t";
    private static final double NS_PER_MS = 1e6;
    private static final double NS_PER_US = 1e3;
    private static final double US_PER_MS = 1e3;

    private final Map<String, Histogram> byComponent = new HashMap<>();
    private Histogram complete;

    /**
     * Percentiles in milliseconds.
     *
     * @param p50Ms the median
     * @param p99Ms of a hundred messages one took longer
     * @param p999Ms of a thousand messages one took longer
     * @param counts how many messages took how long, by buckets of half an octave, {@link #leastMs}; without buckets that have none
     */
    public record Percentiles(double p50Ms, double p99Ms, double p999Ms, SortedMap<Integer, Long> counts) {

        /** Buckets reach from a microsecond to eleven days. */
        public static final int BUCKETS = 80;

        private static final double BUCKETS_PER_OCTAVE = 2;

        /** Without counts. */
        public Percentiles(double p50Ms, double p99Ms, double p999Ms) {
            this(p50Ms, p99Ms, p999Ms, new TreeMap<>());
        }

        /** The shortest time in a bucket: 2 ms for the number 22. */
        public static double leastMs(int bucket) {
            return Math.pow(2, bucket / BUCKETS_PER_OCTAVE) / US_PER_MS;
        }

        private static int bucket(long ns) {
            double us = Math.max(1, ns / NS_PER_US);
            return Math.min(BUCKETS - 1, (int) (BUCKETS_PER_OCTAVE * Math.log(us) / Math.log(2)));
        }
    }

    /**
     * Adds what a worker recorded between two of its pages.
     *
     * @param before null if the worker has started meanwhile
     */
    public void add(WorkerFigures before, WorkerFigures now) {
        now.latencies().forEach((key, text) -> {
            try {
                Histogram step = decoded(text);
                String earlier = before == null ? null : before.latencies().get(key);
                if (earlier != null) {
                    step.subtract(decoded(earlier));
                }
                if (key.startsWith(COMPLETE)) {
                    complete = sum(complete, step);
                } else {
                    byComponent.merge(key, step, MessageLatencies::sum);
                }
            } catch (DataFormatException | RuntimeException e) {
                // What a worker sends may be anything.
                LOG.debug("A histogram of {} cannot be read", key, e);
            }
        });
    }

    /** What comes of it; empty if no message has ended meanwhile. */
    public Optional<Percentiles> percentiles() {
        Histogram found = complete;
        if (found == null || found.getTotalCount() == 0) {
            found = byComponent.values().stream().filter(each -> each.getTotalCount() > 0)
                .max((a, b) -> Long.compare(a.getValueAtPercentile(50), b.getValueAtPercentile(50))).orElse(null);
        }
        return Optional.ofNullable(found).map(histogram -> new Percentiles(histogram.getValueAtPercentile(50) / NS_PER_MS,
            histogram.getValueAtPercentile(99) / NS_PER_MS, histogram.getValueAtPercentile(99.9) / NS_PER_MS,
            counts(histogram)));
    }

    private static SortedMap<Integer, Long> counts(Histogram histogram) {
        SortedMap<Integer, Long> counts = new TreeMap<>();
        histogram.recordedValues().forEach(value ->
            counts.merge(Percentiles.bucket(value.getValueIteratedTo()), value.getCountAtValueIteratedTo(), Long::sum));
        return counts;
    }

    static Histogram sum(Histogram first, Histogram second) {
        if (first == null) {
            return second;
        }
        first.add(second);
        return first;
    }

    static Histogram decoded(String base64) throws DataFormatException {
        Histogram histogram = Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(Base64.getDecoder().decode(base64)), 0);
        histogram.setAutoResize(true);
        return histogram;
    }
}
