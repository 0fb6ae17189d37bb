package io.eyewall.web.history;

import io.eyewall.core.watch.MessageLatencies.Percentiles;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Samples made by hand: a spout {@code words} and a bolt {@code count}. */
final class Samples {

    private Samples() {
    }

    /** A topology that reports every ten seconds and has emitted so many tuples. */
    static Sample at(long timeSecs, long emitted) {
        return at(timeSecs, emitted, 10, 0.5);
    }

    static Sample at(long timeSecs, long emitted, int reportSecs, double capacity) {
        Counters spout = Counters.first(emitted, emitted, emitted, emitted / 100, 0, 0, 0, emitted * 4_000);
        Counters bolt = Counters.first(0, 0, emitted, 0, emitted, emitted * 1_000, emitted * 2_000, 0);
        return new Sample(timeSecs, reportSecs, "ACTIVE", 2, new TreeMap<>(Map.of(
            "words", new Sample.Component(true, 1, 0, timeSecs, spout),
            "count", new Sample.Component(false, 3, capacity, timeSecs, bolt))));
    }

    /** The same, with what its workers said. */
    static Sample heard(Sample sample, Map<String, Sample.Jvm> jvms, Percentiles latencies) {
        return new Sample(sample.timeSecs(), sample.reportSecs(), sample.status(), sample.workers(), sample.components(),
            new TreeMap<>(jvms), latencies, new TreeMap<>(Map.of("count", new Sample.Queue(0.75, 0.5))),
            List.of(new Event(Event.RESTART, "at " + sample.timeSecs())));
    }

    static Sample with(Sample sample, String status, int workers, int executorsOfCount) {
        Map<String, Sample.Component> components = new TreeMap<>(sample.components());
        Sample.Component count = sample.components().get("count");
        components.put("count", new Sample.Component(false, executorsOfCount, count.capacity(), count.readSecs(), count.counters()));
        return new Sample(sample.timeSecs(), sample.reportSecs(), status, workers, new TreeMap<>(components));
    }
}
