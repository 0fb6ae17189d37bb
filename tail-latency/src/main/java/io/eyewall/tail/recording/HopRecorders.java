package io.eyewall.tail.recording;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * All recorders of one worker. Each thread takes a recorder of its own once per hop and keeps it. So several recorders may have the same
 * key, and the collector adds them up. Safe for use by any thread.
 */
public final class HopRecorders {

    private final long maxValueNs;
    private final int precisionDigits;
    /**
     * Whether recorders are compact, for samples. Samples are rare: a tenth of the memory is worth a tenth of a microsecond for each
     * sample, and growing on the tuple's thread until the spread of the values is known. Other recorders have space for the range from the
     * start.
     */
    private final boolean compact;
    private final List<HopRecorder> recorders = new CopyOnWriteArrayList<>();

    /** Without any recorder. */
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
