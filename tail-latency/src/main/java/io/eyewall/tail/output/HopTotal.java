package io.eyewall.tail.output;

import io.eyewall.tail.recording.HopKey;
import io.eyewall.tail.recording.HopRecorder;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.PackedHistogram;

/**
 * The values of one hop since the worker started, from all threads that record it. Used by one thread at a time, under the lock of the
 * {@link HopCollector}.
 */
final class HopTotal {

    private final HopKey key;
    private final List<HopRecorder> recorders = new ArrayList<>(1);
    private final Histogram total;
    /** The part of the total that belongs to the current interval. */
    private final Histogram pending;
    private HopPercentiles lastInterval = HopPercentiles.NONE;
    /** Values that were recorded and could not be read. */
    private long lost;

    HopTotal(HopKey key, int precisionDigits) {
        this.key = key;
        total = new PackedHistogram(precisionDigits);
        pending = new PackedHistogram(precisionDigits);
    }

    HopKey key() {
        return key;
    }

    /** All values; valid until the next call of {@link #collect}. */
    Histogram total() {
        return total;
    }

    /** The figures of the last whole interval. */
    HopPercentiles lastInterval() {
        return lastInterval;
    }

    /** The number of values that were dropped, by recorders or here. */
    long dropped() {
        return lost + recorders.stream().mapToLong(HopRecorder::dropped).sum();
    }

    /** The largest error of a value from the clocks of two hosts, in nanoseconds. */
    long errorBoundNs() {
        return recorders.stream().mapToLong(HopRecorder::errorBoundNs).max().orElse(0);
    }

    void add(HopRecorder recorder) {
        recorders.add(recorder);
    }

    /**
     * Adds the values since the last call.
     *
     * @param scratch is emptied and filled with the interval so far; not packed, since it is read several times
     */
    void collect(Histogram scratch) {
        take(scratch);
        if (scratch.getTotalCount() > 0) {
            pending.add(scratch);
        }
    }

    /** Like {@link #collect}, and ends the interval: {@code scratch} then has all of it. */
    void closeInterval(Histogram scratch) {
        take(scratch);
        if (pending.getTotalCount() > 0) {
            scratch.add(pending);
            pending.reset();
        }
        lastInterval = HopPercentiles.of(scratch);
    }

    private void take(Histogram scratch) {
        scratch.reset();
        long count = 0;
        boolean whole = true;
        for (HopRecorder recorder : recorders) {
            try {
                Histogram taken = recorder.takeInterval();
                if (taken.getTotalCount() > 0) {
                    count += taken.getTotalCount();
                    scratch.add(taken);
                }
            } catch (RuntimeException e) {
                // Threads that record without a lock, which upstream forbids, can leave a histogram that cannot be read.
                recorder.replace();
                whole = false;
            }
        }
        if (!whole) {
            // A part of the unreadable values may have been added.
            lost += Math.max(1, count);
            scratch.reset();
        }
        if (scratch.getTotalCount() > 0) {
            total.add(scratch);
        }
    }
}
