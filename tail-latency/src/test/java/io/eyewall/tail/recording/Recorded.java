package io.eyewall.tail.recording;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/** Recorders of a test's own, and what was recorded in them since the test began. */
final class Recorded {

    private final HopRecorders recorders;
    private final Map<HopKey, Histogram> totals = new HashMap<>();

    Recorded(HopRecorders recorders) {
        this.recorders = recorders;
    }

    /** Recorders with settings as a user would write them, in pairs of key and value. They keep three digits unless these say otherwise. */
    static Recorded with(Object... settings) {
        Map<String, Object> conf = new HashMap<>();
        conf.put(LatencyRecordingConfiguration.PRECISION_DIGITS, 3);
        for (int i = 0; i < settings.length; i += 2) {
            conf.put((String) settings[i], settings[i + 1]);
        }
        return new Recorded(new HopRecorders(new LatencyRecordingConfiguration(conf)));
    }

    HopRecorders recorders() {
        return recorders;
    }

    /** What was recorded under a key, which is empty where nothing was. */
    Histogram of(HopKey key) {
        collect();
        return totals.getOrDefault(key, new Histogram(3));
    }

    /** What was recorded at a point, whoever recorded it. */
    Histogram of(MeasuringPoint point) {
        collect();
        Histogram sum = new Histogram(3);
        totals.forEach((key, total) -> {
            if (key.point() == point) {
                sum.add(total);
            }
        });
        return sum;
    }

    /** The single values under a key, as exact as the histogram keeps them. */
    List<Long> values(HopKey key) {
        List<Long> values = new ArrayList<>();
        of(key).recordedValues().forEach(value -> {
            for (long i = 0; i < value.getCountAtValueIteratedTo(); i++) {
                values.add(value.getValueIteratedTo());
            }
        });
        return values;
    }

    /** The points at which something was recorded. */
    Set<MeasuringPoint> points() {
        collect();
        return totals.entrySet().stream().filter(entry -> entry.getValue().getTotalCount() > 0).map(entry -> entry.getKey().point())
            .collect(Collectors.toSet());
    }

    /** The keys at which something was recorded. */
    Set<HopKey> keys() {
        collect();
        return totals.entrySet().stream().filter(entry -> entry.getValue().getTotalCount() > 0).map(Map.Entry::getKey)
            .collect(Collectors.toSet());
    }

    long dropped(MeasuringPoint point) {
        return recorders.all().stream().filter(recorder -> recorder.key().point() == point).mapToLong(HopRecorder::dropped).sum();
    }

    long errorBoundNs(MeasuringPoint point) {
        return recorders.all().stream().filter(recorder -> recorder.key().point() == point).mapToLong(HopRecorder::errorBoundNs).max()
            .orElse(0);
    }

    private void collect() {
        for (HopRecorder recorder : recorders.all()) {
            totals.computeIfAbsent(recorder.key(), key -> new Histogram(5)).add(recorder.takeInterval());
        }
    }
}
