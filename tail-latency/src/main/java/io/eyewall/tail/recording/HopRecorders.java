package io.eyewall.tail.recording;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * All recorders of one worker. Threads take a recorder of their own once per hop and keep it; several recorders may so have the same key,
 * and whoever collects adds them up. Safe for use by any thread.
 */
public final class HopRecorders {

    private final long maxValueNs;
    private final int precisionDigits;
    /**
     * Samples are few and far between: a tenth of the memory is worth more than a tenth of a microsecond for each, and than growing on the
     * tuple's thread until the values' spread is known. Recorders that are not compact have room for the range from the start.
     */
    private final boolean compact;
    private final List<HopRecorder> recorders = new CopyOnWriteArrayList<>();

    /** Has no recorders yet. */
    public HopRecorders(LatencyRecordingConfiguration configuration) {
        maxValueNs = configuration.rangeNs();
        precisionDigits = configuration.precisionDigits();
        compact = !configuration.sampling().equals(Sampling.ALL);
    }

    /** Makes a recorder for the calling thread. */
    public HopRecorder recorder(HopKey key) {
        HopRecorder recorder = new HopRecorder(key, maxValueNs, precisionDigits, compact);
        recorders.add(recorder);
        return recorder;
    }

    /** Every recorder that was made so far. */
    public List<HopRecorder> all() {
        return recorders;
    }
}
