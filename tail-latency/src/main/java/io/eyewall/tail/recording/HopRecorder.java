package io.eyewall.tail.recording;

import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/**
 * The histogram of one hop as one thread sees it. The {@code record} methods are for the one thread that owns the recorder; the others
 * are for one thread at a time that collects. Neither waits for the other.
 */
public final class HopRecorder {

    private final HopKey key;
    private final long maxValueNs;
    private final Supplier<SingleWriterRecorder> recorders;

    /** Written by the collecting thread, read by the recording thread. */
    private volatile SingleWriterRecorder recorder;

    /** Written by the recording thread, read by the collecting thread, which can do with an old value. */
    private volatile long dropped;
    private volatile long errorBoundNs;

    /** Used by the collecting thread: what the recorder fills next. */
    private Histogram recycled;

    HopRecorder(HopKey key, long maxValueNs, int precisionDigits, boolean compact) {
        this.key = key;
        this.maxValueNs = maxValueNs;
        recorders = compact ? () -> new SingleWriterRecorder(precisionDigits, true)
            : () -> new SingleWriterRecorder(maxValueNs, precisionDigits);
        recorder = recorders.get();
    }

    /** What is recorded here. */
    public HopKey key() {
        return key;
    }

    /**
     * Records a value. A value above the range, or a negative one, is dropped and counted: a negative one says that the clocks of two
     * hosts differ by more than was estimated.
     *
     * @param valueNs the value in nanoseconds
     */
    public void record(long valueNs) {
        if (valueNs < 0 || valueNs > maxValueNs) {
            countDropped();
            return;
        }
        try {
            recorder.recordValue(valueNs);
        } catch (RuntimeException e) {
            // A bolt acks on several threads without locking, which upstream forbids and mostly survives. So does recording.
            countDropped();
        }
    }

    /**
     * Records a value that rests on the clocks of two hosts, which may be wrong by up to {@code errorNs} nanoseconds. A value that is
     * negative by no more than that is 0. As long as nothing is known of the other clock there is no value to record, and it is dropped
     * and counted.
     */
    public void record(long valueNs, long errorNs) {
        if (errorNs >= WorkerClock.UNKNOWN_ERROR_NS) {
            countDropped();
            return;
        }
        if (errorNs > errorBoundNs) {
            setErrorBound(errorNs);
        }
        record(valueNs < 0 && valueNs >= -errorNs ? 0 : valueNs);
    }

    /** The values recorded since the last call; the caller gives the histogram up with its next call. */
    public Histogram takeInterval() {
        recycled = recorder.getIntervalHistogram(recycled);
        return recycled;
    }

    /** Begins anew, without what was recorded since the last call of {@link #takeInterval}: for a recorder that threw at that call. */
    public void replace() {
        recycled = null;
        recorder = recorders.get();
    }

    /** How many values were dropped since the start. */
    public long dropped() {
        return dropped;
    }

    /** By how much a value may be wrong because it rests on two hosts' clocks, in nanoseconds; 0 where it rests on one. */
    public long errorBoundNs() {
        return errorBoundNs;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // One thread writes.
    private void countDropped() {
        dropped++;
    }

    private void setErrorBound(long errorNs) {
        errorBoundNs = errorNs;
    }
}
