package io.eyewall.web.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.core.watch.MessageLatencies.Percentiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SeriesTest {

    private static final long START = 1_764_028_800;
    private static final int HOUR = 3_600;

    @Test
    void shouldShowRatesAndLatenciesOfEachStep() {
        List<Sample> samples = List.of(Samples.at(START, 1_000), Samples.at(START + 10, 1_500), Samples.at(START + 20, 1_800));
        Series series = new Series(Tier.FINE, START, START + 25, 10);

        Map<String, Object> topology = json(series, samples, null, EnumSet.allOf(Metric.class));
        Map<String, Object> bolt = json(series, samples, "count", EnumSet.allOf(Metric.class));

        assertEquals(List.of(START, START + 10, START + 20), topology.get("times"));
        assertEquals(Set.of("count", "words"), topology.get("components"));
        assertEquals(Arrays.asList(null, 50.0, 30.0), values(topology, Metric.EMITTED));
        assertEquals(Arrays.asList(null, 50.0, 30.0), values(topology, Metric.ACKED));
        assertEquals(Arrays.asList(null, 0.5, 0.3), values(topology, Metric.FAILED));
        assertEquals(Arrays.asList(null, 4.0, 4.0), values(topology, Metric.COMPLETE_LATENCY));
        assertEquals(Arrays.asList(null, 2.0, 2.0), values(topology, Metric.PROCESS_LATENCY));
        assertEquals(List.of(0.5, 0.5, 0.5), values(topology, Metric.CAPACITY));
        assertEquals(List.of(4.0, 4.0, 4.0), values(topology, Metric.EXECUTORS));
        assertEquals(List.of(2.0, 2.0, 2.0), values(topology, Metric.WORKERS));
        assertEquals(Arrays.asList(null, 50.0, 30.0), values(bolt, Metric.ACKED));
        assertEquals(Arrays.asList(null, 1.0, 1.0), values(bolt, Metric.EXECUTE_LATENCY));
        assertEquals(Arrays.asList(null, null, null), values(bolt, Metric.COMPLETE_LATENCY));
        assertEquals(List.of(3.0, 3.0, 3.0), values(bolt, Metric.EXECUTORS));
    }

    @Test
    void shouldShowHowManyMessagesTookHowLong() {
        List<Sample> samples = List.of(Samples.at(START, 0),
            Samples.heard(Samples.at(START + 10, 0), Map.of(), new Percentiles(1, 1, 1, new TreeMap<>(Map.of(20, 5L)))),
            Samples.heard(Samples.at(START + 20, 0), Map.of(), new Percentiles(1, 2, 2, new TreeMap<>(Map.of(20, 1L, 22, 2L)))));
        Set<Metric> all = EnumSet.allOf(Metric.class);

        Map<?, ?> fine = (Map<?, ?>) json(new Series(Tier.FINE, START, START + 20, 10), samples, null, all).get("latencyCounts");
        Map<?, ?> coarse = (Map<?, ?>) json(new Series(Tier.FINE, START, START + 30, 30), samples, null, all).get("latencyCounts");

        assertEquals(List.of("1.024", "1.448", "2.048", "2.896"),
            ((List<?>) fine.get("boundsMs")).stream().map(bound -> String.format(Locale.ROOT, "%.3f", (Double) bound)).toList());
        assertEquals(Arrays.asList(null, List.of(5L, 0L, 0L), List.of(1L, 0L, 2L)), fine.get("counts"));
        assertEquals(Arrays.asList(null, List.of(6L, 0L, 2L)), coarse.get("counts"));
        assertFalse(json(new Series(Tier.FINE, START, START + 20, 10), samples, "count", all).containsKey("latencyCounts"));
        assertFalse(json(new Series(Tier.FINE, START, START + 20, 10), samples, null, EnumSet.of(Metric.CPU)).containsKey("latencyCounts"));
    }

    @Test
    void shouldShowWhatWorkersSayOfTheTopologyAndOfOne() {
        List<Sample> samples = List.of(Samples.at(START, 0),
            Samples.heard(Samples.at(START + 10, 0), Map.of("a:1", new Sample.Jvm(3L << 20, 8L << 20, Double.NaN, Double.NaN)), null),
            Samples.heard(Samples.at(START + 20, 0), Map.of("a:1", new Sample.Jvm(2L << 20, 8L << 20, 0.5, 0.1),
                "b:2", new Sample.Jvm(1L << 20, 8L << 20, 0.25, 0.2)), new Percentiles(1, 5, 9)));
        Series series = new Series(Tier.FINE, START, START + 20, 10);
        Set<Metric> all = EnumSet.allOf(Metric.class);

        Map<String, Object> topology = json(series, samples, null, all);
        Series.Builder ofWorker = series.of(new Part(null, "a:1"), all);
        samples.forEach(ofWorker);

        assertEquals(Arrays.asList(null, 3.0, 3.0), values(topology, Metric.HEAP_USED));
        assertEquals(Arrays.asList(null, 8.0, 16.0), values(topology, Metric.HEAP_MAX));
        assertEquals(Arrays.asList(null, null, 0.75), values(topology, Metric.CPU));
        assertEquals(Arrays.asList(null, null, 0.2), values(topology, Metric.GC));
        assertEquals(Arrays.asList(null, null, 5.0), values(topology, Metric.LATENCY_P99));
        assertEquals(Arrays.asList(null, 0.75, 0.75), values(topology, Metric.QUEUE));
        assertEquals(Arrays.asList(null, 0.5, 0.5), values(json(series, samples, "count", all), Metric.BACK_PRESSURE));
        assertEquals(Arrays.asList(null, null, null), values(json(series, samples, "words", all), Metric.BACK_PRESSURE));
        assertEquals(Arrays.asList(null, 3.0, 2.0), values(ofWorker.json(), Metric.HEAP_USED));
        assertEquals(Arrays.asList(null, null, 0.5), values(ofWorker.json(), Metric.CPU));
        assertEquals(Arrays.asList(null, null, null), values(ofWorker.json(), Metric.LATENCY_P99));
        assertEquals(Arrays.asList(null, null, null), values(ofWorker.json(), Metric.EMITTED));
        assertEquals(Arrays.asList(null, null, null), values(json(series, samples, "count", all), Metric.HEAP_USED));
    }

    @Test
    void shouldCountRatesBetweenTheReportsOfWorkers() {
        List<Sample> samples = new ArrayList<>();
        for (int i = 0; i <= 30; i++) {
            samples.add(Samples.at(START + 10L * i, (i / 6) * 600L, 60, 0));
        }

        Map<String, Object> json = json(new Series(Tier.FINE, START + 60, START + 300, 10), samples, null, Set.of(Metric.EMITTED));

        assertTrue(values(json, Metric.EMITTED).stream().allMatch(rate -> rate == 10.0), json::toString);
    }

    @Test
    void shouldShowNothingWhereThereAreNoSamples() {
        List<Sample> samples = List.of(Samples.at(START, 0), Samples.at(START + 10, 10), Samples.at(START + 60, 60),
            Samples.at(START + 70, 90));

        Map<String, Object> json =
            json(new Series(Tier.FINE, START + 10, START + 80, 10), samples, null, Set.of(Metric.EMITTED, Metric.WORKERS));

        assertEquals(Arrays.asList(1.0, null, null, null, null, null, 3.0, null), values(json, Metric.EMITTED));
        assertEquals(Arrays.asList(2.0, null, null, null, null, 2.0, 2.0, null), values(json, Metric.WORKERS));
    }

    @Test
    void shouldSpreadWhatAComponentDidWhileItsReportWasAway() {
        Sample first = Samples.at(START, 0);
        Sample away = Samples.at(START + 10, 0);
        away.components().put("words", first.components().get("words"));
        List<Sample> samples = List.of(first, away, Samples.at(START + 20, 400));

        Map<String, Object> json = json(new Series(Tier.FINE, START, START + 20, 10), samples, "words", Set.of(Metric.EMITTED));

        assertEquals(Arrays.asList(null, null, 20.0), values(json, Metric.EMITTED));
    }

    @Test
    void shouldMarkWhatChanged() {
        Sample first = Samples.at(START, 0);
        List<Sample> samples = List.of(first, Samples.with(Samples.at(START + 10, 0), "REBALANCING", 2, 3),
            Samples.with(Samples.at(START + 20, 0), "ACTIVE", 3, 5), Samples.with(Samples.at(START + 30, 0), "ACTIVE", 3, 5));
        Series series = new Series(Tier.FINE, START, START + 30, 10);

        assertEquals(List.of(Map.of("time", START + 10, "kind", "change", "text", "REBALANCING"),
            Map.of("time", START + 20, "kind", "change", "text", "ACTIVE, workers: 2 to 3, executors of count: 3 to 5")),
            json(series, samples, "count", Set.of()).get("marks"));
        assertTrue(json(series, samples, "words", Set.of()).get("marks").toString().endsWith("text=ACTIVE, workers: 2 to 3}]"));
    }

    @Test
    void shouldChooseStepsThatAChartCanShow() {
        long now = START + 40L * 24 * HOUR;
        assertEquals(new Series(Tier.FINE, now - HOUR, now, 10), Series.between(now - HOUR, now, now));
        assertEquals(new Series(Tier.FINE, now - 6 * HOUR, now, 60), Series.between(now - 6 * HOUR, now, now));
        assertEquals(new Series(Tier.COARSE, now - 24 * HOUR, now, 300), Series.between(now - 24 * HOUR, now, now));
        assertEquals(new Series(Tier.COARSE, now - 168 * HOUR, now, 1_800), Series.between(now - 168 * HOUR, now, now));
        assertEquals(new Series(Tier.COARSE, now - 720 * HOUR, now, 7_200), Series.between(now - 720 * HOUR, now, now));
        assertEquals(new Series(Tier.COARSE, now - 48 * HOUR, now - 47 * HOUR, 300), Series.between(now - 48 * HOUR, now - 47 * HOUR, now));
    }

    @Test
    void shouldKeepOnlyTheSamplesOfSomeStepsInMemory() {
        long now = START + 40L * 24 * HOUR;
        Series month = Series.between(now - 720 * HOUR, now, now);
        Series.Builder builder = month.of(Part.WHOLE, EnumSet.allOf(Metric.class));
        for (long time = month.neededFromSecs(600); time <= now; time += 300) {
            builder.accept(Samples.at(time, time - START, 60, 0.5));
            assertTrue(builder.kept() <= 3 * 7_200 / 300 + 1, () -> builder.kept() + " are kept");
        }
        Map<String, Object> json = builder.json();
        assertEquals(361, ((List<?>) json.get("times")).size());
        assertTrue(values(json, Metric.EMITTED).stream().allMatch(rate -> rate == 1.0), json::toString);
    }

    @RepeatedTest(20)
    void shouldShowTheSameFromFiveMinutesAsFromTenSeconds(RepetitionInfo repetition, @TempDir Path directory) throws Exception {
        Random random = new Random(repetition.getCurrentRepetition());
        try (HistoryStore store = HistoryStore.open(directory, 1L << 30)) {
            Sample sample = null;
            long reported = 0;
            for (long time = START; time <= START + 2 * HOUR; time += 10) {
                reported = random.nextInt(100) == 0 ? random.nextInt(50) : reported + random.nextInt(500);
                Sample read = Samples.at(time, reported, 10, random.nextInt(100) / 100.0);
                sample = sample == null ? read : following(sample, read);
                store.append("t", sample);
            }
            Series fine = new Series(Tier.FINE, START + 600, START + 2 * HOUR, 600);
            Series coarse = new Series(Tier.COARSE, START + 600, START + 2 * HOUR, 600);
            assertEquals(json(fine, store), json(coarse, store));
        }
    }

    private static Sample following(Sample before, Sample read) {
        Sample next = Samples.with(read, "ACTIVE", 2, 3);
        next.components().replaceAll((id, each) -> new Sample.Component(each.spout(), each.executors(), each.capacity(),
            each.readSecs(), before.components().get(id).counters().next(each.counters())));
        return next;
    }

    private static Map<String, Object> json(Series series, HistoryStore store) throws Exception {
        Series.Builder builder = series.of(Part.WHOLE, EnumSet.allOf(Metric.class));
        store.read(series.tier(), "t", START, START + 2 * HOUR, builder);
        return builder.json();
    }

    private static Map<String, Object> json(Series series, List<Sample> samples, String component, Set<Metric> metrics) {
        Series.Builder builder = series.of(new Part(component, null), metrics);
        samples.forEach(builder);
        return builder.json();
    }

    @SuppressWarnings("unchecked")
    private static List<Double> values(Map<String, Object> json, Metric metric) {
        return ((Map<String, List<Double>>) json.get("metrics")).get(metric.title());
    }
}
