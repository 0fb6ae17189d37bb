package io.eyewall.examples.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.examples.ManualClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.storm.Config;
import org.apache.storm.spout.ISpoutOutputCollector;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PacedSpoutTest {

    private static final long MS = 1_000_000;

    @TempDir
    private Path directory;

    private final ManualClock clock = new ManualClock(1000 * MS, 0);
    private final List<List<Object>> emitted = new ArrayList<>();
    private final List<Object> ids = new ArrayList<>();

    @Test
    void shouldStampScheduledDueTimesWhenItIsAskedLate() {
        PacedSpout spout = open(Map.of("eyewall.rate.per.sec", 100));
        clock.advanceMs(35);

        ask(spout, 10);

        assertEquals(List.of(1000 * MS, 1010 * MS, 1020 * MS, 1030 * MS), dueTimes());
    }

    @Test
    void shouldFollowTheRatesOfAFile() throws IOException {
        Path file = Files.writeString(directory.resolve("rates"), "100\n200\n");
        PacedSpout spout = open(Map.of("eyewall.rate.file", file.toString(), "eyewall.rate.step.sec", 1));
        clock.advanceMs(1_999);

        ask(spout, 400);

        assertEquals(300, emitted.size());
    }

    @Test
    void shouldNameTheFileOfRatesThatIsMissing() {
        String message = assertThrows(UncheckedIOException.class,
            () -> open(Map.of("eyewall.rate.file", directory.resolve("none").toString()))).getMessage();
        assertTrue(message.matches("Spout .* cannot read its rates: .*none"), message);
    }

    @Test
    void shouldStampTheTimeOfEmissionWhenConfigured() {
        PacedSpout spout = open(Map.of("eyewall.rate.per.sec", 100, "eyewall.latency.from.emit", 1));
        clock.advanceMs(15);
        ask(spout, 2);
        clock.advanceMs(3);

        spout.fail(ids.get(0));
        ask(spout, 1);

        assertEquals(List.of(1015 * MS, 1015 * MS, 1015 * MS), dueTimes());
    }

    @Test
    void shouldStampOnlyTheConfiguredPartOfTheMessages() {
        PacedSpout spout = open(Map.of("eyewall.latency.every", 3));

        ask(spout, 7);

        assertEquals(List.of(1000 * MS, 0L, 0L, 1000 * MS, 0L, 0L, 1000 * MS), dueTimes());
    }

    @Test
    void shouldEmitNothingWhenNothingIsDueYet() {
        PacedSpout spout = open(Map.of("eyewall.rate.per.sec", 100));
        ask(spout, 1);
        clock.advanceMs(9);

        ask(spout, 5);

        assertEquals(1, emitted.size());
    }

    @Test
    void shouldStampTheTimeOfEmissionWhenThereIsNoRate() {
        PacedSpout spout = open(Map.of());
        ask(spout, 1);
        clock.advanceMs(3);
        ask(spout, 1);

        assertEquals(List.of(1000 * MS, 1003 * MS), dueTimes());
    }

    @Test
    void shouldEmitAFailedMessageAgainWithItsFirstDueTimeBeforeNewOnes() {
        PacedSpout spout = open(Map.of());
        ask(spout, 2);
        clock.advanceMs(50);

        spout.fail(ids.get(0));
        spout.ack(ids.get(1));
        ask(spout, 2);

        assertEquals(List.of(1000 * MS, 1000 * MS, 1000 * MS, 1050 * MS), dueTimes());
        assertEquals(ids.get(0), ids.get(2));
        assertEquals(emitted.get(0), emitted.get(2));
    }

    @Test
    void shouldEmitTwiceAndFailOnlyWithTheLastInstanceWhenConfigured() {
        PacedSpout spout = open(Map.of("eyewall.twice.percent", 100, "eyewall.records", 2));
        ask(spout, 2);
        assertEquals(4, emitted.size());
        assertEquals(List.of(ids.get(0), ids.get(2)), List.of(ids.get(1), ids.get(3)));

        spout.fail(ids.get(0));
        spout.ack(ids.get(1));
        spout.ack(ids.get(2));
        spout.fail(ids.get(3));
        ask(spout, 2);
        assertEquals(4, emitted.size(), "the message has not failed");

        spout = open(Map.of("eyewall.twice.percent", 100, "eyewall.records", 1));
        ask(spout, 1);
        spout.fail(ids.get(4));
        spout.fail(ids.get(5));
        ask(spout, 2);
        assertEquals(7, emitted.size(), "the message failed, and is emitted again once");
    }

    @Test
    void shouldEmitTheConfiguredPartOfTheMessagesTwice() {
        ask(open(Map.of("eyewall.twice.percent", 20, "eyewall.records", 10_000)), 10_000);

        assertEquals(12_000, emitted.size(), 150);
    }

    @Test
    void shouldVaryTheGapsAroundThePeriodWhenConfigured() {
        PacedSpout spout = open(Map.of("eyewall.rate.per.sec", 100, "eyewall.rate.varies", 1));
        clock.advanceMs(100_000);
        ask(spout, 20_000);

        assertEquals(10_000, emitted.size(), 300);
        List<Long> dues = dueTimes();
        long longGaps = IntStream.range(1, dues.size()).filter(i -> dues.get(i) - dues.get(i - 1) > 20 * MS).count();
        assertEquals(Math.exp(-2), longGaps / (double) dues.size(), 0.01, "more than twice the mean");
    }

    @Test
    void shouldEmitInBurstsWhenConfigured() {
        PacedSpout spout = open(Map.of("eyewall.rate.per.sec", 100, "eyewall.rate.varies", 2));
        clock.advanceMs(1_000_000);
        ask(spout, 120_000);

        assertEquals(100_000, emitted.size(), 5_000);
        List<Long> dues = dueTimes();
        List<Long> gapsNs = IntStream.range(1, dues.size()).mapToObj(i -> dues.get(i) - dues.get(i - 1)).toList();
        assertTrue(gapsNs.stream().allMatch(gap -> gap >= 10 * MS / 3 - 1), "none is less than a third of the mean");
        for (long times : new long[] {1, 2, 10}) { // P(gap > x) = (least / x) ^ 1.5
            long longer = gapsNs.stream().filter(gap -> gap > times * 10 * MS).count();
            assertEquals(Math.pow(3.0 * times, -1.5), longer / (double) gapsNs.size(), 0.003, "longer than " + times + " times the mean");
        }
    }

    @Test
    void shouldEmitAgainAfterTheLastRecordWhenAMessageFails() {
        PacedSpout spout = open(Map.of("eyewall.records", 2));
        ask(spout, 5);
        assertEquals(2, emitted.size());

        spout.fail(ids.get(1));
        ask(spout, 5);

        assertEquals(3, emitted.size());
        assertEquals(ids.get(1), ids.get(2));
    }

    @Test
    void shouldEmitWithoutIdWhenTheTopologyHasNoAckers() {
        ask(open(Map.of(Config.TOPOLOGY_ACKER_EXECUTORS, 0)), 1);
        assertNull(ids.get(0));

        ask(open(Map.of(Config.TOPOLOGY_ACKER_EXECUTORS, 1)), 1);
        assertNotNull(ids.get(1));
    }

    @Test
    void shouldDropMessagesThatWereDueWhileItWasInactive() {
        PacedSpout spout = open(Map.of("eyewall.rate.per.sec", 100));
        ask(spout, 1);
        spout.deactivate();
        clock.advanceMs(10_000);

        spout.activate();
        ask(spout, 10);

        assertEquals(List.of(1000 * MS, 11_000 * MS), dueTimes());
    }

    @Test
    void shouldShareRateAndRecordsWhenThereAreSeveralSpoutsWithSeveralTasks() {
        List<Long> dues = new ArrayList<>();
        for (int spoutIndex = 0; spoutIndex < 2; spoutIndex++) {
            for (int task = 0; task < 2; task++) {
                emitted.clear();
                PacedSpout spout = new PacedSpout(new ConstantSource(), spoutIndex, 2, clock);
                open(spout, Map.of("eyewall.rate.per.sec", 4, "eyewall.records", 6), task, 2);
                clock.advanceMs(10_000);
                ask(spout, 10);
                dues.addAll(dueTimes().stream().map(dueNs -> dueNs - (clock.nanoTime() - 10_000 * MS)).toList());
            }
        }
        dues.sort(null);

        assertEquals(List.of(0L, 250 * MS, 500 * MS, 750 * MS, 1000 * MS, 1250 * MS), dues);
    }

    private PacedSpout open(Map<String, Object> configuration) {
        PacedSpout spout = new PacedSpout(new ConstantSource(), 0, 1, clock);
        open(spout, configuration, 0, 1);
        return spout;
    }

    private void open(PacedSpout spout, Map<String, Object> configuration, int task, int tasks) {
        spout.open(new HashMap<>(configuration), context(task, tasks), new SpoutOutputCollector(new Emissions()));
        spout.activate();
    }

    private static void ask(PacedSpout spout, int times) {
        for (int time = 0; time < times; time++) {
            spout.nextTuple();
        }
    }

    private List<Long> dueTimes() {
        return emitted.stream().map(values -> (Long) values.get(values.size() - 1)).toList();
    }

    private static TopologyContext context(int task, int tasks) {
        Map<Integer, String> components = new HashMap<>();
        List<Integer> ids = new ArrayList<>();
        for (int id = 0; id < tasks; id++) {
            components.put(id + 1, "spout");
            ids.add(id + 1);
        }
        return new TopologyContext(null, Map.of(), components, Map.of("spout", ids), Map.of(), Map.of(), "id", "code", "pid",
            task + 1, 1, List.of(), Map.of(), Map.of(), Map.of(), Map.of(), null, null);
    }

    private final class Emissions implements ISpoutOutputCollector {

        @Override
        public List<Integer> emit(String stream, List<Object> values, Object id) {
            emitted.add(values);
            ids.add(id);
            return List.of();
        }

        @Override
        public void emitDirect(int task, String stream, List<Object> values, Object id) {
            throw new AssertionError("the spout names no task");
        }

        @Override
        public long getPendingCount() {
            return 0;
        }

        @Override
        public void flush() {
        }

        @Override
        public void reportError(Throwable error) {
            throw new AssertionError(error);
        }
    }
}
