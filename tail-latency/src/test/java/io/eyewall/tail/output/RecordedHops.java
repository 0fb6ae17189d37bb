package io.eyewall.tail.output;

import io.eyewall.tail.recording.HopKey;
import io.eyewall.tail.recording.HopRecorder;
import io.eyewall.tail.recording.HopRecorders;
import io.eyewall.tail.recording.LatencyRecordingConfiguration;
import io.eyewall.tail.recording.MeasuringPoint;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;

/** Recorders of a worker in which tests record what they like. */
final class RecordedHops {

    static final int PRECISION_DIGITS = 3;
    static final HopKey EXECUTE = new HopKey(MeasuringPoint.EXECUTE, "split", 4, "words:default");
    static final HopKey NETWORK = new HopKey(MeasuringPoint.NETWORK, "__worker", -1, "host-2:6701");
    /** Stands at 1 700 000 000 s. */
    static final Clock CLOCK = Clock.fixed(Instant.ofEpochSecond(1_700_000_000), ZoneOffset.UTC);

    private final HopRecorders recorders = new HopRecorders(new LatencyRecordingConfiguration(
        Map.of(LatencyRecordingConfiguration.RECORDING, "all", LatencyRecordingConfiguration.PRECISION_DIGITS, PRECISION_DIGITS)));
    private final HopCollector collector = new HopCollector(recorders, PRECISION_DIGITS);

    HopRecorders recorders() {
        return recorders;
    }

    HopCollector collector() {
        return collector;
    }

    /** Records values in a recorder of their own, as a thread that comes new to the hop does. */
    HopRecorder record(HopKey key, long... valuesNs) {
        HopRecorder recorder = recorders.recorder(key);
        for (long valueNs : valuesNs) {
            recorder.record(valueNs);
        }
        return recorder;
    }
}
