package io.eyewall.web.history;

import io.eyewall.core.watch.MessageLatencies.Percentiles;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.IntStream;

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

    private static final int MAX_POINTS = 360;
    private static final int MAX_MARKS = 100;
    private static final int[] STEPS_SECS = {10, 30, 60, 300, 900, 1_800, 3_600, 7_200};

    /** Chooses tier and step so that there are about as many points as a chart has pixels to show. */
    static Series between(long fromSecs, long toSecs, long nowSecs) {
        int step = STEPS_SECS[STEPS_SECS.length - 1];
        for (int i = STEPS_SECS.length - 1; i >= 0 && (toSecs - fromSecs) / STEPS_SECS[i] <= MAX_POINTS; i--) {
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
     * Begins with the series of a topology, component or worker.
     *
     * @param part of the topology
     */
    Builder of(Part part, Set<Metric> metrics) {
        return new Builder(part, metrics);
    }

    /**
     * Makes the series of samples that are handed in one at a time, the oldest first, from {@link #neededFromSecs} on. Keeps only those
     * that the next step may need. For one thread.
     */
    final class Builder implements Consumer<Sample> {

        private final Part part;
        private final Set<Metric> metrics;
        private final NavigableMap<Long, Sample> recent = new TreeMap<>();
        private final Set<String> components = new TreeSet<>();
        private final List<Long> times = new ArrayList<>();
        private final Map<String, List<Double>> values = new LinkedHashMap<>();
        private final List<SortedMap<Integer, Long>> counts = new ArrayList<>();
        private final Deque<Map<String, Object>> marks = new ArrayDeque<>();
        private Sample previous;
        private long time = -Math.floorDiv(-fromSecs, stepSecs) * stepSecs;

        private Builder(Part part, Set<Metric> metrics) {
            this.part = part;
            this.metrics = metrics;
            metrics.forEach(metric -> values.put(metric.title(), new ArrayList<>()));
        }

        @Override
        public void accept(Sample sample) {
            endStepsBefore(sample.timeSecs());
            components.addAll(sample.components().keySet());
            recent.put(sample.timeSecs(), sample);
            recent.headMap(time - stepSecs - 2 * windowSecs(sample), true).clear();
            if (sample.timeSecs() >= fromSecs) {
                mark(sample);
                previous = sample;
            }
        }

        /** How many samples it keeps. */
        int kept() {
            return recent.size();
        }

        /** The series, the names of all components, and when something changed, as the REST API has them. */
        Map<String, Object> json() {
            endStepsBefore(Long.MAX_VALUE);
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("stepSecs", stepSecs);
            json.put("components", components);
            json.put("times", times);
            json.put("metrics", values);
            if (part.isWhole() && metrics.size() == Metric.values().length) {
                json.put("latencyCounts", latencyCounts());
            }
            json.put("marks", new ArrayList<>(marks));
            return json;
        }

        /** How many messages took how long in each step: by the shortest time of each bucket, from the first to the last that has any. */
        private Map<String, Object> latencyCounts() {
            SortedMap<Integer, Long> all = sum(counts);
            List<Double> bounds = new ArrayList<>();
            List<List<Long>> steps = new ArrayList<>();
            if (!all.isEmpty()) {
                IntStream.rangeClosed(all.firstKey(), all.lastKey() + 1).forEach(bucket -> bounds.add(Percentiles.leastMs(bucket)));
            }
            for (SortedMap<Integer, Long> step : counts) {
                steps.add(step.isEmpty() ? null : IntStream.rangeClosed(all.firstKey(), all.lastKey())
                    .mapToObj(bucket -> step.getOrDefault(bucket, 0L)).toList());
            }
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("boundsMs", bounds);
            json.put("counts", steps);
            return json;
        }

        private void endStepsBefore(long nextSecs) {
            for (; time < nextSecs && time <= toSecs; time += stepSecs) {
                times.add(time);
                NavigableMap<Long, Sample> within = recent.subMap(time - stepSecs, false, time, true);
                Sample end = within.isEmpty() ? null : within.lastEntry().getValue();
                Sample before = end == null ? null : before(end);
                metrics.forEach(metric -> values.get(metric.title())
                    .add(end == null ? null : metric.value(within.values(), end, before, part)));
                counts.add(sum(within.values().stream().map(Sample::latencies).filter(Objects::nonNull).map(Percentiles::counts).toList()));
            }
        }

        /** From where on the rate at a sample counts: not the sample before a gap, since nobody knows when in the gap things happened. */
        private Sample before(Sample end) {
            long windowSecs = windowSecs(end);
            Map.Entry<Long, Sample> before = recent.floorEntry(end.timeSecs() - windowSecs);
            return before == null || before.getKey() <= end.timeSecs() - 2 * windowSecs ? null : before.getValue();
        }

        private long windowSecs(Sample sample) {
            return Math.max(stepSecs, sample.reportSecs());
        }

        private void mark(Sample sample) {
            String change = previous == null ? "" : change(previous, sample, part.component());
            if (!change.isEmpty()) {
                mark(sample.timeSecs(), new Event(Event.CHANGE, change));
            }
            sample.events().forEach(event -> mark(sample.timeSecs(), event));
        }

        private void mark(long timeSecs, Event event) {
            Map<String, Object> mark = new LinkedHashMap<>();
            mark.put("time", timeSecs);
            mark.put("kind", event.kind());
            mark.put("text", event.text());
            marks.add(mark);
            if (marks.size() > MAX_MARKS) {
                marks.remove();
            }
        }
    }

    private static SortedMap<Integer, Long> sum(List<SortedMap<Integer, Long>> all) {
        SortedMap<Integer, Long> sum = new TreeMap<>();
        all.forEach(counts -> counts.forEach((bucket, count) -> sum.merge(bucket, count, Long::sum)));
        return sum;
    }

    /** What has changed of a topology, or of a component if that is not null; empty if nothing has. */
    static String change(Sample before, Sample now, String component) {
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
