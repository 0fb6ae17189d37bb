package io.eyewall.web.history;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Time series from samples. A rate or latency is that of the step before its time, or of the time between two reports of a worker if that
 * is longer, since counters stand still between them. Pure.
 *
 * @param tier which samples are used
 * @param fromSecs the first time, since 1970
 * @param toSecs the last time
 * @param stepSecs between two times, which are multiples of it
 */
record Series(Tier tier, long fromSecs, long toSecs, int stepSecs) {

    private static final int MOST_POINTS = 360;
    private static final int MOST_MARKS = 100;
    private static final int[] STEPS_SECS = {10, 30, 60, 300, 900, 1_800, 3_600, 7_200};

    /** Chooses tier and step so that there are about as many points as a chart has pixels to show. */
    static Series between(long fromSecs, long toSecs, long nowSecs) {
        int step = STEPS_SECS[STEPS_SECS.length - 1];
        for (int i = STEPS_SECS.length - 1; i >= 0 && (toSecs - fromSecs) / STEPS_SECS[i] <= MOST_POINTS; i--) {
            step = STEPS_SECS[i];
        }
        boolean fine = step < Tier.COARSE.stepSecs() && fromSecs >= nowSecs - Tier.FINE.keptSecs();
        return new Series(fine ? Tier.FINE : Tier.COARSE, fromSecs, toSecs, fine ? step : Math.max(step, Tier.COARSE.stepSecs()));
    }

    /** From when on samples are needed, if workers report so often. */
    long neededFromSecs(int reportSecs) {
        return fromSecs - stepSecs - 2L * Math.max(stepSecs, reportSecs);
    }

    /**
     * The series, the names of all components, and when something changed, as the REST API has them.
     *
     * @param samples of the tier, from {@link #neededFromSecs} on, the oldest first
     * @param component null for the whole topology
     */
    Map<String, Object> json(List<Sample> samples, String component, Set<Metric> metrics) {
        NavigableMap<Long, Sample> byTime = new TreeMap<>();
        Set<String> components = new TreeSet<>();
        for (Sample sample : samples) {
            byTime.put(sample.timeSecs(), sample);
            components.addAll(sample.components().keySet());
        }
        List<Long> times = new ArrayList<>();
        Map<String, List<Double>> values = new LinkedHashMap<>();
        metrics.forEach(metric -> values.put(metric.title(), new ArrayList<>()));
        for (long time = -Math.floorDiv(-fromSecs, stepSecs) * stepSecs; time <= toSecs; time += stepSecs) {
            times.add(time);
            NavigableMap<Long, Sample> within = byTime.subMap(time - stepSecs, false, time, true);
            Sample end = within.isEmpty() ? null : within.lastEntry().getValue();
            Sample before = end == null ? null : before(byTime, end);
            metrics.forEach(metric -> values.get(metric.title())
                .add(end == null ? null : metric.value(within.values(), end, before, component)));
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("stepSecs", stepSecs);
        json.put("components", components);
        json.put("times", times);
        json.put("metrics", values);
        json.put("marks", marks(byTime.tailMap(fromSecs, true).values(), component));
        return json;
    }

    /** From where on the rate at a sample counts: not the sample before a gap, since nobody knows when in the gap things happened. */
    private Sample before(NavigableMap<Long, Sample> byTime, Sample end) {
        long windowSecs = Math.max(stepSecs, end.reportSecs());
        Map.Entry<Long, Sample> before = byTime.floorEntry(end.timeSecs() - windowSecs);
        return before == null || before.getKey() <= end.timeSecs() - 2 * windowSecs ? null : before.getValue();
    }

    private static List<Map<String, Object>> marks(Iterable<Sample> samples, String component) {
        List<Map<String, Object>> marks = new ArrayList<>();
        Sample before = null;
        for (Sample sample : samples) {
            String change = before == null ? "" : change(before, sample, component);
            if (!change.isEmpty()) {
                Map<String, Object> mark = new LinkedHashMap<>();
                mark.put("time", sample.timeSecs());
                mark.put("text", change);
                marks.add(mark);
            }
            before = sample;
        }
        return marks.subList(Math.max(0, marks.size() - MOST_MARKS), marks.size());
    }

    private static String change(Sample before, Sample now, String component) {
        List<String> changes = new ArrayList<>();
        if (!before.status().equals(now.status())) {
            changes.add(now.status());
        }
        if (before.workers() != now.workers()) {
            changes.add("workers: " + before.workers() + " to " + now.workers());
        }
        now.components().forEach((id, after) -> {
            Sample.Component former = before.components().get(id);
            if (former != null && former.executors() != after.executors() && (component == null || component.equals(id))) {
                changes.add("executors of " + id + ": " + former.executors() + " to " + after.executors());
            }
        });
        return String.join(", ", changes);
    }
}
