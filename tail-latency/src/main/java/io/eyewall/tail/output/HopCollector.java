package io.eyewall.tail.output;

import io.eyewall.tail.recording.HopKey;
import io.eyewall.tail.recording.HopRecorder;
import io.eyewall.tail.recording.HopRecorders;
import io.eyewall.tail.recording.MeasuringPoint;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.HdrHistogram.Histogram;

/**
 * Empties the recorders of a worker and adds up their values. Safe for use by any thread. Collecting threads wait for each other; recording
 * threads never wait for them.
 */
final class HopCollector {

    private static final Comparator<HopKey> ORDER = Comparator.comparing(HopKey::component).thenComparing(HopKey::point)
        .thenComparing(HopKey::taskId).thenComparing(HopKey::source);

    private final HopRecorders recorders;
    private final int precisionDigits;
    private final SortedMap<HopKey, HopTotal> totals = new TreeMap<>(ORDER);
    private final Histogram scratch;
    /** The number of recorders that are among the totals. */
    private int known;

    HopCollector(HopRecorders recorders, int precisionDigits) {
        this.recorders = recorders;
        this.precisionDigits = precisionDigits;
        scratch = new Histogram(precisionDigits);
    }

    /** Adds the values up to now, and shows each hop, ordered by component and then point. */
    void collect(Consumer<HopTotal> reader) {
        collect(point -> true, reader);
    }

    /** The same for the hops of some points. Those of others keep their values until they are collected. */
    synchronized void collect(Predicate<MeasuringPoint> wanted, Consumer<HopTotal> reader) {
        meetNewRecorders();
        for (HopTotal total : totals.values()) {
            if (wanted.test(total.key().point())) {
                total.collect(scratch);
                reader.accept(total);
            }
        }
    }

    /** Adds the values up to now, and hands each output the interval since the last call of this method. */
    synchronized void closeInterval(long startMs, long endMs, List<IntervalOutput> outputs) {
        meetNewRecorders();
        outputs.forEach(output -> output.begin(startMs, endMs));
        for (HopTotal total : totals.values()) {
            total.closeInterval(scratch);
            outputs.forEach(output -> output.hop(total.key(), scratch, total.errorBoundNs()));
        }
        outputs.forEach(IntervalOutput::end);
    }

    private void meetNewRecorders() {
        List<HopRecorder> all = recorders.all();
        for (; known < all.size(); known++) {
            HopRecorder recorder = all.get(known);
            totals.computeIfAbsent(recorder.key(), key -> new HopTotal(key, precisionDigits)).add(recorder);
        }
    }
}
