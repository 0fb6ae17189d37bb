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
    private final List<HopRecorder> recorders = new CopyOnWriteArrayList<>();

    HopRecorders(LatencyRecordingConfiguration configuration) {
        maxValueNs = configuration.rangeNs();
        precisionDigits = configuration.precisionDigits();
    }

    /** Makes a recorder for the calling thread. */
    HopRecorder recorder(HopKey key) {
        HopRecorder recorder = new HopRecorder(key, maxValueNs, precisionDigits);
        recorders.add(recorder);
        return recorder;
    }

    /** Every recorder that was made so far. */
    List<HopRecorder> all() {
        return recorders;
    }
}
