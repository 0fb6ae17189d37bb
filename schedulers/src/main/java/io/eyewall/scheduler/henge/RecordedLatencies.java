package io.eyewall.scheduler.henge;

import io.eyewall.elasticity.model.Slot;
import io.eyewall.elasticity.slo.LatencyStatistic;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.StreamSupport;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * The recorded end-to-end latencies of topologies in the last one to two minutes: from the spout's emit until a sink has executed the
 * tuple, over all workers with sinks together. They are among those that {@code storm latency} shows, from pages without the many other
 * hops, which a worker would need much CPU time to write in each round. A worker on a busy machine may miss some rounds, so its last page
 * holds for {@link #LAST_PAGE_MS}. Not thread-safe.
 */
final class RecordedLatencies {

    /** How long the last page of a worker holds if it cannot be read again, in milliseconds. */
    static final long LAST_PAGE_MS = 30_000;

    private static final String FORMAT = "eyewall-worker 1 ";
    private static final String POINT = "end-to-end";
    private static final int COLUMNS = 3;
    private static final double NS_PER_MS = 1e6;

    private final Map<Worker, Read> last = new HashMap<>();

    /**
     * Reads the page of a worker that has a sink.
     *
     * @param sinks the ids of the sinks
     * @param nowMs the time, in milliseconds
     * @throws IllegalArgumentException if the page has something else than the latencies of this topology
     */
    void read(String topologyId, Slot slot, String page, Set<String> sinks, long nowMs) {
        Worker worker = new Worker(topologyId, slot);
        Read before = last.get(worker);
        SlidingWindow<Histogram> window = before == null ? new SlidingWindow<>(SlidingWindow.TWO_MINUTES_MS) : before.window;
        last.put(worker, new Read(window, total(page, topologyId, sinks), nowMs, before == null));
    }

    /**
     * Whether the last page of this worker holds. The first page after a change only holds in its own round: it is where the window begins.
     */
    boolean isKnown(String topologyId, Slot slot, long nowMs) {
        Read read = last.get(new Worker(topologyId, slot));
        return read != null && nowMs - read.timeMs <= (read.isFirst ? 0 : LAST_PAGE_MS);
    }

    /**
     * The latency of a topology, in milliseconds. To be called once in each round.
     *
     * @param slots all workers that have a sink; each is {@linkplain #isKnown known}
     * @param nowMs the time, in milliseconds
     * @return empty if nothing was recorded in the window
     */
    OptionalDouble latencyMs(String topologyId, Set<Slot> slots, LatencyStatistic statistic, long nowMs) {
        List<Read> reads = slots.stream().map(slot -> last.get(new Worker(topologyId, slot))).toList();
        Histogram all = empty(reads.stream().map(Read::total).toList());
        for (Read read : reads) {
            Histogram total = read.total;
            read.window.baseline(total, nowMs, earlier -> continues(total, earlier))
                .ifPresentOrElse(earlier -> {
                    Histogram since = total.copy();
                    since.subtract(earlier);
                    all.add(since);
                }, () -> all.add(total));
        }
        if (all.getTotalCount() == 0) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of((statistic.isMean() ? all.getMean() : all.getValueAtPercentile(statistic.percentile())) / NS_PER_MS);
    }

    /** Begins a new window for a topology that has changed. */
    void restartWindow(String topologyId) {
        last.keySet().removeIf(worker -> worker.topologyId.equals(topologyId));
    }

    /** Forgets all workers except those in these slots and of these topologies. */
    void retain(Collection<Slot> slots, Predicate<String> topologyIds) {
        last.keySet().removeIf(worker -> !slots.contains(worker.slot) || !topologyIds.test(worker.topologyId));
    }

    /** The latencies of the sinks in one worker since it started. */
    private static Histogram total(String page, String topologyId, Set<String> sinks) {
        String[] lines = page.split("\n", -1);
        if (!lines[0].startsWith(FORMAT + topologyId + ' ')) {
            throw new IllegalArgumentException("it has no latencies of " + topologyId);
        }
        List<Histogram> ofSinks = new ArrayList<>();
        for (int i = 1; i < lines.length; i++) {
            String[] columns = lines[i].split("\t", -1);
            if (columns.length == COLUMNS && columns[0].equals(POINT) && sinks.contains(columns[1])) {
                ofSinks.add(histogram(columns[COLUMNS - 1]));
            }
        }
        Histogram total = empty(ofSinks);
        ofSinks.forEach(total::add);
        return total;
    }

    private static Histogram histogram(String base64) {
        try {
            return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(Base64.getDecoder().decode(base64)), 0);
        } catch (DataFormatException | RuntimeException e) {
            throw new IllegalArgumentException("it has a histogram that cannot be read", e);
        }
    }

    /** An empty histogram with the precision of these: one with a higher precision would take each value for the least of its bucket. */
    private static Histogram empty(List<Histogram> parts) {
        Histogram histogram = new Histogram(parts.stream().mapToInt(Histogram::getNumberOfSignificantValueDigits).max().orElse(0));
        histogram.setAutoResize(true);
        return histogram;
    }

    /** Whether no value of an earlier total is missing from a later one, as it is when the worker has started again. */
    private static boolean continues(Histogram total, Histogram earlier) {
        return StreamSupport.stream(earlier.recordedValues().spliterator(), false)
            .allMatch(value -> total.getMaxValue() >= value.getValueIteratedTo()
                && total.getCountAtValue(value.getValueIteratedTo()) >= value.getCountAtValueIteratedTo());
    }

    private record Worker(String topologyId, Slot slot) {
    }

    /**
     * The last page of a worker: what it had recorded since it started.
     *
     * @param window over what its pages since the last change have shown
     * @param timeMs when it was read, in milliseconds
     * @param isFirst whether it is the first one since that change
     */
    private record Read(SlidingWindow<Histogram> window, Histogram total, long timeMs, boolean isFirst) {
    }
}
