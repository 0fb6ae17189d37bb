package io.eyewall.tail.recording;

import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/**
 * The histogram of one hop for one thread. The {@code record} methods are for the thread that owns the recorder. The other methods are for
 * one collecting thread at a time. Neither waits for the other.
 */
public final class HopRecorder {

    private final HopKey key;
    private final long maxValueNs;
    private final Supplier<SingleWriterRecorder> recorders;

    /** Written by the collecting thread, read by the recording thread. */
    private volatile SingleWriterRecorder recorder;

    /** Written by the recording thread, read by the collecting thread, for which an old value is good enough. */
    private volatile long dropped;
    private volatile long errorBoundNs;

    /** For the collecting thread: the histogram that the recorder fills next. */
    private Histogram recycled;

    HopRecorder(HopKey key, long maxValueNs, int precisionDigits, boolean compact) {
        this.key = key;
        this.maxValueNs = maxValueNs;
        recorders = compact ? () -> new SingleWriterRecorder(precisionDigits, true)
            : () -> new SingleWriterRecorder(maxValueNs, precisionDigits);
        recorder = recorders.get();
    }

    /** The hop that is recorded here. */
    public HopKey key() {
        return key;
    }

    /**
     * Records a value. A value above the range and a negative value are dropped and counted. A negative value means that the clocks of two
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
            // A bolt acks on several threads without a lock. Upstream forbids that but mostly survives it, and so does recording.
            countDropped();
        }
    }

    /**
     * Records a value that depends on the clocks of two hosts and may be wrong by up to {@code errorNs} nanoseconds. A value that is
     * negative by no more than that is recorded as 0. While the offset of the other clock is unknown, the value is dropped and counted.
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

    /** The values recorded since the last call. The caller may use the histogram until its next call. */
    public Histogram takeInterval() {
        recycled = recorder.getIntervalHistogram(recycled);
        return recycled;
    }

    /** Starts again, without the values since the last call of {@link #takeInterval}: for a recorder that threw at that call. */
    public void replace() {
        recycled = null;
        recorder = recorders.get();
    }

    /** The number of values that were dropped since the start. */
    public long dropped() {
        return dropped;
    }

    /** The largest error of a value from the clocks of two hosts, in nanoseconds; 0 if the hop depends on one clock. */
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
