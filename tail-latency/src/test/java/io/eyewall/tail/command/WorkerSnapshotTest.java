package io.eyewall.tail.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.core.watch.WorkerAddress;
import io.eyewall.tail.recording.HopKey;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkerSnapshotTest {

    private static final String EXECUTE = "execute/relay/3/source:default";
    private static final String WAIT = "receive-queue-wait/relay/3/source:default";

    @Test
    void shouldReadEveryHopOfAnAnswer() {
        WorkerSnapshot snapshot = new EndpointAnswer().unsureHop(EXECUTE, 7, 2, 100, 200).hop(WAIT, 5).snapshot();

        assertEquals(EndpointAnswer.TOPOLOGY_ID, snapshot.topologyId());
        assertEquals(1_700_000_100_000L, snapshot.time().toEpochMilli());
        assertEquals(2, snapshot.figures().size());
        HopFigures execute = snapshot.figures().get(HopKey.ofTag(EXECUTE));
        assertEquals(2, execute.latencyNs().getTotalCount());
        assertEquals(7, execute.errorBoundNs());
        assertEquals(2, execute.dropped());
    }

    @Test
    void shouldReadTheAnswerOfATopologyWithABlankInItsName() {
        WorkerSnapshot snapshot = WorkerSnapshot.parse("eyewall-latency 1 my first topology-1-1700000000 1700000100000\n");

        assertEquals("my first topology-1-1700000000", snapshot.topologyId());
        assertEquals(1_700_000_100_000L, snapshot.time().toEpochMilli());
    }

    @Test
    void shouldLeaveAWorkerOutOfTheIntervalAtWhoseBeginningItDidNotAnswer() {
        WorkerAddress late = new WorkerAddress("a", 6700);
        WorkerAddress started = new WorkerAddress("b", 6700);
        WorkerSnapshot all = new EndpointAnswer().hop(EXECUTE, 100, 200).snapshot();
        WorkerEndpoints.Answers before = new WorkerEndpoints.Answers(new TreeMap<>(), new TreeMap<>(Map.of(late, "timed out")));
        WorkerEndpoints.Answers after = new WorkerEndpoints.Answers(new TreeMap<>(Map.of(late, all, started, all)), new TreeMap<>());

        WorkerEndpoints.Answers interval = after.since(before);

        assertEquals(Map.of(started, all), interval.snapshots());
        assertEquals(Map.of(late, "it did not answer when the interval began: timed out"), interval.causes());
    }

    @Test
    void shouldAddUpWhatSeveralThreadsRecordedOfOneHop() {
        WorkerSnapshot snapshot = new EndpointAnswer().unsureHop(EXECUTE, 7, 2, 100).unsureHop(EXECUTE, 9, 1, 1_000_000_000).snapshot();

        HopFigures execute = snapshot.figures().get(HopKey.ofTag(EXECUTE));
        assertEquals(2, execute.latencyNs().getTotalCount());
        assertEquals(9, execute.errorBoundNs());
        assertEquals(3, execute.dropped());
    }

    @Test
    void shouldSubtractWhatWasThereBefore() {
        WorkerSnapshot before = new EndpointAnswer().unsureHop(EXECUTE, 0, 1, 100, 900_000).snapshot();
        WorkerSnapshot after = new EndpointAnswer().unsureHop(EXECUTE, 0, 4, 100, 900_000, 200, 300).hop(WAIT, 5).snapshot();

        WorkerSnapshot difference = after.since(before);

        HopFigures execute = difference.figures().get(HopKey.ofTag(EXECUTE));
        assertEquals(2, execute.latencyNs().getTotalCount());
        assertEquals(300, execute.latencyNs().getMaxValue());
        assertEquals(3, execute.dropped());
        assertEquals(1, difference.figures().get(HopKey.ofTag(WAIT)).latencyNs().getTotalCount());
    }

    @Test
    void shouldSubtractNothingWhenTheWorkerHasStartedAgain() {
        WorkerSnapshot before = new EndpointAnswer().hop(EXECUTE, 100, 200).snapshot();
        WorkerSnapshot fewer = new EndpointAnswer().hop(EXECUTE, 100).snapshot();
        WorkerSnapshot others = new EndpointAnswer().hop(EXECUTE, 100, 5_000, 6_000, 7_000).snapshot();
        WorkerSnapshot otherHop = new EndpointAnswer().hop(WAIT, 100, 200).snapshot();

        assertSame(fewer, fewer.since(before));
        assertSame(others, others.since(before));
        assertSame(otherHop, otherHop.since(before));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        ''                                             | something other than latencies
        <html>                                         | something other than latencies
        eyewall-latency 2 chain-1-17 1                 | format 2 and not 1
        eyewall-latency 1 chain-1-17                   | first line
        eyewall-latency 1 chain-1-17 soon              | first line
        eyewall-latency 1 c 1\\nexecute/a/3/b           | in line 2 1 columns instead of 4
        eyewall-latency 1 c 1\\nexecute/a/3\\t0\\t0\\tAA==  | in line 2 The tag
        eyewall-latency 1 c 1\\nexecute/a/3/b\\t0\\t0\\tAA== | in line 2 a histogram that cannot be read
        eyewall-latency 1 c 1\\nexecute/a/3/b\\t0\\t0\\t*   | in line 2 a histogram that cannot be read
        eyewall-latency 1 c 1\\nhover/a/3/b\\t0\\t0\\tAA==  | in line 2""")
    void shouldSayWhatIsWrongWhenAnAnswerCannotBeRead(String answer, String expected) {
        String text = answer.replace("\\n", "\n").replace("\\t", "\t");

        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> WorkerSnapshot.parse(text));

        assertTrue(e.getMessage().contains(expected), e.getMessage());
    }

    @Test
    void shouldThrowNothingElseWhenAnswersAreDamaged() {
        Random random = new Random(20260102);
        String whole = new EndpointAnswer().unsureHop(EXECUTE, 7, 2, 100, 200, 5_000_000).hop(WAIT, 5).toString();
        int refused = 0;
        for (int i = 0; i < 20_000; i++) {
            StringBuilder damaged = new StringBuilder(whole);
            for (int flips = random.nextInt(3); flips >= 0; flips--) {
                damaged.setCharAt(random.nextInt(damaged.length()), (char) random.nextInt(128));
            }
            damaged.setLength(damaged.length() - random.nextInt(10));
            try {
                WorkerSnapshot.parse(damaged.toString());
            } catch (IllegalArgumentException e) {
                refused++;
            }
        }
        assertTrue(refused > 10_000, "only " + refused + " were refused");
    }
}
