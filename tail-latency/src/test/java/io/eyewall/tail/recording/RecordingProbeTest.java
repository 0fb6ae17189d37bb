package io.eyewall.tail.recording;

import static io.eyewall.tail.recording.TestTopology.DEFAULT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.storm.daemon.Acker;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.TupleImpl;
import org.junit.jupiter.api.Test;

class RecordingProbeTest {

    private final TestTopology topology = new TestTopology();
    private final FakeClock clock = new FakeClock();
    private final Recorded recorded = Recorded.with(LatencyRecordingConfiguration.RECORDING, "all");
    private final RecordingProbe spoutProbe = probe("words", Sampling.ALL, Map.of());
    private final RecordingProbe boltProbe = probe("split", Sampling.ALL, Map.of());
    private final Emitter spout = new Emitter(topology, "words", spoutProbe);
    private final Emitter bolt = new Emitter(topology, "split", boltProbe);
    private final int split = topology.task("split", 0);
    private final int otherSplit = topology.task("split", 1);
    private final int count = topology.task("count", 0);

    @Test
    void shouldRecordEveryPartOfTheWayWhenATupleStaysInItsWorker() {
        final long emittedNs = clock.nanoTime();
        TupleImpl tuple = spout.root(1, DEFAULT, List.of("word"), split).get(0);
        LatencyStamp.of(tuple).enqueuedNs = clock.pass(100);
        clock.pass(200);
        boltProbe.executing(split, tuple);
        clock.pass(400);
        boltProbe.acking(tuple);
        clock.pass(800);
        boltProbe.executed(split, tuple);
        clock.pass(160);
        spoutProbe.completed(spout.message(1));

        assertEquals(List.of(100L), recorded.values(key(MeasuringPoint.EMIT_TO_ENQUEUE, split)));
        assertEquals(List.of(200L), recorded.values(key(MeasuringPoint.RECEIVE_QUEUE_WAIT, split)));
        assertEquals(List.of(1_200L), recorded.values(key(MeasuringPoint.EXECUTE, split)));
        assertEquals(List.of(700L), recorded.values(key(MeasuringPoint.EMIT_TO_ACK, split)));
        assertEquals(List.of(1_500L), recorded.values(key(MeasuringPoint.END_TO_END, split)));
        assertEquals(List.of(clock.nanoTime() - emittedNs),
            recorded.values(new HopKey(MeasuringPoint.COMPLETE, "words", topology.task("words", 0), "words:default")));
        assertEquals(Set.of(MeasuringPoint.EMIT_TO_ENQUEUE, MeasuringPoint.RECEIVE_QUEUE_WAIT, MeasuringPoint.EXECUTE,
            MeasuringPoint.EMIT_TO_ACK, MeasuringPoint.END_TO_END, MeasuringPoint.COMPLETE), recorded.points());
    }

    @Test
    void shouldRecordTheOverflowOnceWhenATupleIsOfferedAgainAndAgain() {
        TupleImpl tuple = spout.root(1, DEFAULT, List.of("word"), split).get(0);
        for (int i = 0; i < 3; i++) {
            clock.pass(300);
            spoutProbe.emitting(new AddressedTuple(split, tuple), true);
        }
        LatencyStamp.of(tuple).enqueuedNs = clock.pass(10);
        boltProbe.executing(split, tuple);

        assertEquals(List.of(900L), recorded.values(key(MeasuringPoint.OVERFLOW, split)));
        assertEquals(List.of(10L), recorded.values(key(MeasuringPoint.EMIT_TO_ENQUEUE, split)));
    }

    @Test
    void shouldRecordOverflowInsteadOfQueueWaitWhenTheReceiveQueueIsFull() {
        ReceiveQueueProbe queue = new ReceiveQueueProbe(clock);
        TupleImpl tuple = spout.root(1, DEFAULT, List.of("word"), split).get(0);
        clock.pass(300);
        spoutProbe.emitting(new AddressedTuple(split, tuple), true);
        queue.inserting(new AddressedTuple(split, tuple));
        clock.pass(10);
        queue.overflowing(new AddressedTuple(split, tuple));
        clock.pass(500);
        boltProbe.executing(split, tuple);

        assertEquals(List.of(800L), recorded.values(key(MeasuringPoint.OVERFLOW, split)));
        assertEquals(List.of(10L), recorded.values(key(MeasuringPoint.EMIT_TO_ENQUEUE, split)));
        assertEquals(Set.of(MeasuringPoint.OVERFLOW, MeasuringPoint.EMIT_TO_ENQUEUE), recorded.points());
    }

    @Test
    void shouldRecordNoOverflowOfATupleThatIsNotRecordedWhenItIsOfferedAgain() {
        TupleImpl tuple = topology.tuple("words", DEFAULT, "word");
        spoutProbe.emitting(new AddressedTuple(split, tuple), true);
        boltProbe.executing(split, tuple);
        boltProbe.executed(split, tuple);

        assertEquals(Set.of(), recorded.points());
    }

    @Test
    void shouldRecordTheDueTimeWhenTheSpoutGivesOne() {
        RecordingProbe paced = probe("words", Sampling.ALL, Map.of(DEFAULT, 1));
        Emitter pacedSpout = new Emitter(topology, "words", paced);
        long dueNs = clock.nanoTime();
        clock.pass(500);
        TupleImpl tuple = pacedSpout.root(0, DEFAULT, List.of("word", dueNs), split).get(0);
        LatencyStamp.of(tuple).enqueuedNs = clock.nanoTime();
        boltProbe.executing(split, tuple);
        TupleImpl child = bolt.anchored(List.of(tuple), count).get(0);
        clock.pass(1_000);
        boltProbe.executed(split, tuple);

        assertEquals(List.of(1_500L), recorded.values(key(MeasuringPoint.DUE_TO_EXECUTED, split)));
        assertEquals(List.of(1_000L), recorded.values(key(MeasuringPoint.END_TO_END, split)));
        assertEquals(dueNs, LatencyStamp.of(child).dueNs);
    }

    @Test
    void shouldGoWithoutADueTimeWhenTheSpoutGivesSomethingElse() {
        RecordingProbe paced = probe("words", Sampling.ALL, Map.of(DEFAULT, 1));
        Emitter pacedSpout = new Emitter(topology, "words", paced);
        for (List<Object> values : Arrays.<List<Object>>asList(List.of("word"), List.of("word", "soon"), Arrays.asList("word", null))) {
            assertEquals(0, LatencyStamp.of(pacedSpout.root(0, DEFAULT, values, split).get(0)).dueNs);
        }
        paced.rootEmitting(null, null);
        paced.rootEmitting(DEFAULT, null);
        paced.rootEmitting("undeclared", List.of());
    }

    @Test
    void shouldStampWholeTreesOfOneMessageInNWhenSampling() {
        int every = 10;
        int messages = 100_000;
        RecordingProbe sampling = probe("words", new Sampling(every), Map.of());
        Emitter sampled = new Emitter(topology, "words", sampling);
        List<Integer> gaps = new ArrayList<>();
        int last = -1;
        for (int i = 0; i < messages; i++) {
            List<TupleImpl> tuples = sampled.root(i + 1, DEFAULT, List.of("word"), split, otherSplit);
            assertEquals(LatencyStamp.of(tuples.get(0)) == null, LatencyStamp.of(tuples.get(1)) == null, "half a tree");
            if (LatencyStamp.of(tuples.get(0)) != null) {
                gaps.add(i - last);
                last = i;
            }
        }
        assertEquals(1.0, gaps.size() * (double) every / messages, 0.05);
        assertEquals(2 * every - 1, Set.copyOf(gaps).size(), "gaps of every length from 1 to 2N - 1, so that no rhythm is missed");
        assertEquals(gaps.size(), sampling.pending());
    }

    @Test
    void shouldLeaveNothingPendingWhenMessagesAreCompleteOrFailed() {
        for (long root = 1; root <= 1_000; root++) {
            spout.root(root, DEFAULT, List.of("word"), split);
        }
        assertEquals(1_000, spoutProbe.pending());
        for (long root = 1; root <= 1_000; root++) {
            if (root % 2 == 0) {
                spoutProbe.completed(spout.message(root));
            } else {
                spoutProbe.failed(spout.message(root));
            }
        }
        assertEquals(0, spoutProbe.pending());
        assertEquals(500, recorded.of(MeasuringPoint.COMPLETE).getTotalCount());
    }

    @Test
    void shouldHoldNothingPendingWhenNobodyAcks() {
        spout.root(0, DEFAULT, List.of("word"), split);
        spoutProbe.completed(spout.message(0));

        assertEquals(0, spoutProbe.pending());
        assertEquals(0, recorded.of(MeasuringPoint.COMPLETE).getTotalCount());
    }

    @Test
    void shouldHoldNothingPendingWhenUpstreamRefusesTheEmit() {
        spoutProbe.rootEmitting("undeclared", List.of("word"));
        spout.system(Acker.ACKER_ACK_STREAM_ID, 5L, 6L);

        assertEquals(0, spoutProbe.pending());
    }

    @Test
    void shouldCompleteAMessageThatGoesToNobody() {
        spout.root(3, DEFAULT, List.of("word"));
        clock.pass(50);
        spoutProbe.completed(spout.message(3));

        assertEquals(1, recorded.of(MeasuringPoint.COMPLETE).getTotalCount());
    }

    @Test
    void shouldInheritFromTheFirstRecordedAnchorWhenTuplesAreJoined() {
        TupleImpl plain = topology.tuple("words", DEFAULT, "word");
        TupleImpl first = spout.root(1, DEFAULT, List.of("word"), split).get(0);
        clock.pass(10);
        TupleImpl second = spout.root(2, DEFAULT, List.of("word"), split).get(0);
        final long emittingNs = clock.pass(10);

        for (TupleImpl child : List.of(bolt.anchored(List.of(plain, first, second), count).get(0),
                bolt.anchored(new LinkedHashSet<>(List.of(plain, first, second)), count).get(0))) {
            assertEquals(LatencyStamp.of(first).rootNs, LatencyStamp.of(child).rootNs);
            assertEquals(emittingNs, LatencyStamp.of(child).emittedNs);
        }
        assertNull(LatencyStamp.of(bolt.anchored(List.of(plain), count).get(0)));
        assertNull(LatencyStamp.of(bolt.anchored(Arrays.asList((Tuple) null), count).get(0)));
    }

    @Test
    void shouldInheritFromTheTupleThatIsExecutedWhenNothingIsAnchored() {
        TupleImpl tuple = spout.root(1, DEFAULT, List.of("word"), split).get(0);
        boltProbe.executing(split, tuple);
        LatencyStamp child = LatencyStamp.of(bolt.anchored(null, count).get(0));
        LatencyStamp sibling = LatencyStamp.of(bolt.anchored(List.of(), count).get(0));
        boltProbe.executed(split, tuple);

        assertEquals(LatencyStamp.of(tuple).rootNs, child.rootNs);
        assertEquals(LatencyStamp.of(tuple).rootNs, sibling.rootNs);
        assertNull(LatencyStamp.of(bolt.anchored(null, count).get(0)), "nothing is executed any more");
    }

    @Test
    void shouldNotInheritFromTheTupleThatAnotherThreadExecutes() throws Exception {
        TupleImpl tuple = spout.root(1, DEFAULT, List.of("word"), split).get(0);
        boltProbe.executing(split, tuple);
        List<TupleImpl> unanchored = elsewhere(() -> bolt.anchored(null, count));
        List<TupleImpl> anchored = elsewhere(() -> bolt.anchored(List.of(tuple), count));

        assertNull(LatencyStamp.of(unanchored.get(0)));
        assertEquals(LatencyStamp.of(tuple).rootNs, LatencyStamp.of(anchored.get(0)).rootNs);
    }

    @Test
    void shouldStampNothingOfAnotherTreeWhenThreadsEmitAtTheSameTime() throws Exception {
        TupleImpl mine = spout.root(1, DEFAULT, List.of("word"), split).get(0);
        boltProbe.anchoring(List.of(mine));
        TupleImpl others = topology.tuple("split", DEFAULT, "word");
        elsewhere(() -> {
            boltProbe.emitting(new AddressedTuple(count, others), false);
            return null;
        });

        assertNull(LatencyStamp.of(others));
    }

    @Test
    void shouldStampNoSystemTupleWhenItIsOfferedDuringAnEmit() {
        TupleImpl tuple = spout.root(1, DEFAULT, List.of("word"), split).get(0);
        boltProbe.anchoring(List.of(tuple)); // An emit that upstream refuses leaves the probe so.
        for (String stream : List.of(Acker.ACKER_ACK_STREAM_ID, "__eventlog", "__metrics")) {
            assertNull(LatencyStamp.of(bolt.system(stream, 1L)));
        }
        assertNull(LatencyStamp.of(bolt.anchored(List.of(topology.tuple("words", DEFAULT, "word")), count).get(0)),
            "the refused emit's anchor is forgotten");
        assertEquals(0, boltProbe.pending());
    }

    @Test
    void shouldRecordEachTaskOnItsOwnWhenAnExecutorHasSeveral() {
        List<TupleImpl> tuples = spout.root(1, DEFAULT, List.of("word"), split, otherSplit);
        int[] tasks = {split, otherSplit};
        for (int i = 0; i < tasks.length; i++) {
            LatencyStamp.of(tuples.get(i)).enqueuedNs = clock.nanoTime();
            boltProbe.executing(tasks[i], tuples.get(i));
            clock.pass(1_000);
            boltProbe.executed(tasks[i], tuples.get(i));
        }
        assertEquals(List.of(1_000L), recorded.values(key(MeasuringPoint.EXECUTE, split)));
        assertEquals(List.of(1_000L), recorded.values(key(MeasuringPoint.EXECUTE, otherSplit)));
        assertEquals(1, recorded.of(key(MeasuringPoint.RECEIVE_QUEUE_WAIT, otherSplit)).getTotalCount());
    }

    @Test
    void shouldRecordTheAckWhenItComesLaterAndFromAnotherThread() throws Exception {
        TupleImpl tuple = spout.root(1, DEFAULT, List.of("word"), split).get(0);
        boltProbe.executing(split, tuple);
        boltProbe.executed(split, tuple);
        clock.pass(9_000);
        elsewhere(() -> {
            boltProbe.acking(tuple);
            return null;
        });
        assertEquals(9_000.0, (double) recorded.of(MeasuringPoint.EMIT_TO_ACK).getMaxValue(), 9);
    }

    @Test
    void shouldNeitherThrowNorMixTreesWhenThreadsEmitAndAckWithoutLocking() throws Exception {
        List<TupleImpl> tuples = new ArrayList<>();
        for (int i = 1; i <= 4; i++) {
            TupleImpl tuple = spout.root(i, DEFAULT, List.of("word"), split).get(0);
            boltProbe.executing(split, tuple);
            boltProbe.executed(split, tuple);
            tuples.add(tuple);
            clock.pass(1);
        }
        List<CompletableFuture<Integer>> threads = new ArrayList<>();
        for (TupleImpl tuple : tuples) {
            threads.add(CompletableFuture.supplyAsync(() -> {
                int stamped = 0;
                for (int i = 0; i < 50_000; i++) {
                    LatencyStamp child = LatencyStamp.of(bolt.anchored(List.of(tuple), count).get(0));
                    if (child != null) {
                        assertEquals(LatencyStamp.of(tuple).rootNs, child.rootNs);
                        stamped++;
                    }
                    boltProbe.acking(tuple);
                }
                return stamped;
            }));
        }
        int stamped = 0;
        for (CompletableFuture<Integer> thread : threads) {
            stamped += thread.get(60, TimeUnit.SECONDS);
        }
        assertTrue(stamped > 0);
        assertNotNull(recorded.of(MeasuringPoint.EMIT_TO_ACK));
    }

    private RecordingProbe probe(String component, Sampling sampling, Map<String, Integer> dueIndexByStream) {
        return new RecordingProbe(sampling, new SplittableRandom(1), clock, recorded.recorders(), component, dueIndexByStream);
    }

    private static HopKey key(MeasuringPoint point, int task) {
        return new HopKey(point, "split", task, "words:default");
    }

    private static <T> T elsewhere(Supplier<T> action) throws Exception {
        return CompletableFuture.supplyAsync(action).get(60, TimeUnit.SECONDS);
    }
}
