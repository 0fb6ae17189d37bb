package io.eyewall.client.deadline;

import static io.eyewall.client.deadline.TimedInput.TARGET_NS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.engine.SpaceSignal;
import io.eyewall.client.seam.DeadlineHolder;
import io.eyewall.client.seam.QueueRequest;
import io.eyewall.client.seam.TimestampAccess;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.storm.Config;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.policy.WaitStrategyPark;
import org.apache.storm.topology.TupleFieldTimestampExtractor;
import org.apache.storm.topology.WindowedBoltExecutor;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.utils.JCQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UrgencyTest {

    private static final long WINDOW_NS = TimeUnit.MILLISECONDS.toNanos(800);

    private final TimedInput input = new TimedInput();
    private final JCQueue queueOfUrgency = input.newQueue("bolt");
    private final Urgency urgency = input.deadlines().of("bolt", queueOfUrgency);
    private final AtomicInteger raised = new AtomicInteger();

    @BeforeEach
    void listen() {
        urgency.whenRaised(raised::incrementAndGet);
    }

    @Test
    void shouldBeAsUrgentAsANewMessageWhenNothingIsKnown() {
        assertEquals(8 + TARGET_NS, urgency.beginNs());
        input.advance(16);
        assertEquals(24 + TARGET_NS, urgency.beginNs());
    }

    @Test
    void shouldBeAsUrgentAsTheMostUrgentTupleThatWaits() {
        urgency.arrived(input.tuple(500));
        urgency.arrived(input.tuple(300));
        urgency.arrived(input.tuple(400));

        assertEquals(300, urgency.beginNs());
        assertEquals(2, raised.get(), "not for a tuple that is less urgent");
    }

    @Test
    void shouldBeginEarlierByWhatTheTupleStillCosts() {
        input.deadlines().executed(input.deadlines().operator("bolt"), 40);
        urgency.arrived(input.tuple(300));
        assertEquals(260, urgency.beginNs());
    }

    @Test
    void shouldLearnFromOtherWorkersOnceTheLastExecutorHereHasLeft() {
        JCQueue first = input.newQueue("bolt");
        JCQueue second = input.newQueue("bolt");
        Deadlines deadlines = input.deadlines();
        deadlines.forget(input.newQueue("bolt")); // It had no urgency.
        for (JCQueue queue : List.of(first, second)) {
            deadlines.of("bolt", queue);
        }
        deadlines.executed(deadlines.operator("bolt"), 40);
        int key = deadlines.report().keySet().iterator().next();
        deadlines.forget(first);
        deadlines.learn(Map.of(key, 70.0));
        assertEquals(40, deadlines.remainingNs(deadlines.operator("bolt")));
        deadlines.forget(second);
        deadlines.learn(Map.of(key, 70.0));
        assertEquals(40, deadlines.remainingNs(deadlines.operator("bolt")), "another executor has its urgency");
        deadlines.forget(queueOfUrgency);
        deadlines.learn(Map.of(key, 70.0));
        assertEquals(70, deadlines.remainingNs(deadlines.operator("bolt")));
    }

    @Test
    void shouldLetTuplesWaitUntilTheirWindowIsNearlyOver() throws InterruptedException {
        TimedInput windowed = new TimedInput(Map.of(), Map.of(Config.TOPOLOGY_BOLTS_SLIDING_INTERVAL_DURATION_MS, 800));
        Urgency sums = windowed.newUrgency();
        sums.executing(windowed.tuple(304).getTuple());
        assertEquals(304, sums.currentNs(), "what it emits while it executes a tuple");
        sums.arrived(windowed.tuple(304));
        assertEquals(304, sums.beginNs());

        windowed.advance(WINDOW_NS);
        assertEquals(8 + WINDOW_NS + TARGET_NS, onATimer(sums), "the results of a window");
        windowed.advance(WINDOW_NS);
        assertEquals(8 + 2 * WINDOW_NS + TARGET_NS, onATimer(sums));
        windowed.advance(1_600);
        assertEquals(8 + 2 * WINDOW_NS + TARGET_NS, onATimer(sums), "of the same window");
        assertEquals(304, sums.currentNs());

        sums.turnBegins();
        sums.arrived(windowed.tuple(8 + 2 * WINDOW_NS + 320));
        long nearlyOverNs = 8 + 3 * WINDOW_NS - WINDOW_NS / 8;
        assertEquals(nearlyOverNs, sums.beginNs());
        sums.executing(windowed.tuple(8 + 2 * WINDOW_NS + 320).getTuple());
        sums.turnEnds(true);
        assertEquals(nearlyOverNs, sums.beginNs());
        windowed.deadlines().executed(windowed.deadlines().operator("bolt"), 40);
        sums.arrived(windowed.tuple(8 + 2 * WINDOW_NS + 320));
        assertEquals(nearlyOverNs - 40, sums.beginNs());
        sums.turnEnds(false);
        assertEquals(8 + 2 * WINDOW_NS + 1_600 + TARGET_NS - 40, sums.beginNs(), "as a new message if nothing is known");
    }

    @Test
    void shouldNotLetTuplesOfAWindowFillTheQueue() throws InterruptedException {
        TimedInput windowed = new TimedInput(Map.of(), Map.of(Config.TOPOLOGY_BOLTS_SLIDING_INTERVAL_DURATION_MS, 800));
        JCQueue queue = windowed.newQueue("bolt");
        Urgency sums = windowed.deadlines().of("bolt", queue);
        for (int window = 0; window < 2; window++) {
            windowed.advance(WINDOW_NS);
            assertTrue(onATimer(sums) > 0);
        }
        for (int tuple = 0; tuple < 16 / 4; tuple++) {
            assertTrue(queue.tryPublish(windowed.tuple(304)));
            sums.arrived(windowed.tuple(304));
            assertTrue(sums.beginNs() > 2 * WINDOW_NS);
        }
        assertTrue(queue.tryPublish(windowed.tuple(304)));
        sums.arrived(windowed.tuple(304));
        assertEquals(304, sums.beginNs());
    }

    @Test
    void shouldTakeAcksOfAWindowForItsEnd() throws InterruptedException {
        TimedInput windowed = new TimedInput(Map.of(), Map.of(Config.TOPOLOGY_BOLTS_SLIDING_INTERVAL_DURATION_MS, 800));
        Urgency sums = windowed.newUrgency();
        sums.executing(windowed.tuple(304).getTuple());
        for (int window = 0; window < 2; window++) {
            windowed.advance(WINDOW_NS);
            Thread timer = new Thread(sums::acking);
            timer.start();
            timer.join();
            sums.acking(); // The executor's own thread, which removes what is old.
        }
        sums.arrived(windowed.tuple(304));
        assertEquals(8 + 3 * WINDOW_NS - WINDOW_NS / 8, sums.beginNs());
    }

    @Test
    void shouldLetTuplesWaitUntilTheWindowOfTheirOwnTimesIsNearlyOver() {
        TimedInput windowed = windowed();
        Urgency sums = dated(windowed, 2);
        sums.executing(windowed.datedTuple(304, 80_100L).getTuple());
        for (int i = 1; i <= 2; i++) {
            windowed.advance(WINDOW_NS / 8);
            sums.turnBegins();
            sums.arrived(windowed.datedTuple(304, 80_100L + 100L * i));
        }
        long nearlyOverNs = 8 + WINDOW_NS - WINDOW_NS / 8;
        assertEquals(nearlyOverNs, sums.beginNs(), "80,900 - 100 ms of lag is the end");
        sums.arrived(windowed.tick());
        assertEquals(8 + WINDOW_NS / 4, sums.beginNs(), "a tick has no time, and does not wait");
        sums.executing(windowed.tick().getTuple());
        sums.turnBegins();
        windowed.advance(WINDOW_NS * 6 / 8);
        sums.arrived(windowed.datedTuple(304, 80_900L));
        assertEquals(304, sums.beginNs());
        sums.executing(windowed.datedTuple(304, 80_300L).getTuple());
        sums.turnEnds(true);
        assertEquals(304, sums.beginNs(), "it has the window fire");
        sums.executing(windowed.datedTuple(304, 80_900L).getTuple());
        sums.turnBegins();
        sums.turnEnds(true);
        assertEquals(nearlyOverNs + WINDOW_NS, sums.beginNs(), "the next window");
    }

    @Test
    void shouldHoldNothingForTimesThatCannotBeRead() {
        TimedInput windowed = windowed();
        Urgency sums = dated(windowed, 2);
        sums.executing(windowed.datedTuple(304, 80_100L).getTuple());
        for (int i = 1; i <= 2; i++) {
            windowed.advance(WINDOW_NS / 8);
            sums.arrived(windowed.datedTuple(304, 80_100L + 100L * i));
        }
        sums.turnBegins();
        sums.arrived(windowed.datedTuple(304, "at noon"));
        assertEquals(304, sums.beginNs());
        sums.executing(windowed.datedTuple(304, null).getTuple());
        sums.turnBegins();
        sums.arrived(windowed.datedTuple(304, 80_400L));
        assertEquals(304, sums.beginNs(), "nor for the others");
    }

    @Test
    void shouldHoldNothingForTheWindowOfAnotherTask() {
        TimedInput windowed = windowed();
        Urgency sums = dated(windowed, 2, 3);
        sums.executing(windowed.datedTuple(304, 80_100L).getTuple());
        for (int i = 1; i <= 2; i++) {
            windowed.advance(WINDOW_NS / 8);
            sums.arrived(windowed.datedTuple(304, 80_100L + 100L * i));
            assertEquals(304, sums.beginNs());
        }
    }

    @Test
    void shouldLetNoTupleOvertakeAnotherWhereTheirOwnTimesDecide() {
        DeadlineQueue queue = new DeadlineQueue(new QueueRequest("queue", "metric", 16, 0, 1, new WaitStrategyPark(100), "topology", "bolt",
            List.of(2), 6700, new StormMetricRegistry()), new SpaceSignal(), () -> true);
        TimedInput counted = new TimedInput(); // Windows by count, too.
        assertNotNull(counted.deadlines().probe("bolt", List.of(2), queue));
        counted.deadlines().dated(2, TupleFieldTimestampExtractor.of("at"));
        List<Long> tuples = List.of(2_001L, 1_000L, 96L, 3_003L, 8L);
        tuples.forEach(deadlineNs -> assertTrue(queue.tryPublish(counted.tuple(deadlineNs))));
        List<Long> executed = new ArrayList<>();
        queue.consume(new JCQueue.Consumer() {
            @Override
            public void accept(Object element) {
                executed.add(((DeadlineHolder) ((AddressedTuple) element).getTuple()).getEyewallDeadlineNs());
            }

            @Override
            public void flush() {
                // Tuples are taken one by one.
            }
        });
        assertEquals(tuples, executed);
    }

    @Test
    void shouldLearnFromFiringsWhereATimeIsReadByAnExtractorOfTheUsers() throws InterruptedException {
        TimedInput windowed = windowed();
        JCQueue queue = windowed.newQueue("bolt");
        Urgency sums = windowed.deadlines().of("bolt", queue);
        windowed.deadlines().probe("bolt", List.of(2), queue);
        windowed.deadlines().dated(2, tuple -> {
            throw new AssertionError("It is for the task's thread.");
        });
        windowed.deadlines().dated(99, tuple -> 0); // None of this worker's.
        for (int window = 0; window < 2; window++) {
            windowed.advance(WINDOW_NS);
            assertTrue(onATimer(sums) > 0);
        }
        sums.arrived(windowed.datedTuple(304, 80_100L));
        assertEquals(8 + 3 * WINDOW_NS - WINDOW_NS / 8, sums.beginNs());
        windowed.deadlines().forget(queue);
        windowed.deadlines().dated(2, tuple -> 0);
    }

    private static TimedInput windowed() {
        return new TimedInput(Map.of(),
            Map.of(Config.TOPOLOGY_BOLTS_SLIDING_INTERVAL_DURATION_MS, 800, Config.TOPOLOGY_BOLTS_TUPLE_TIMESTAMP_MAX_LAG_MS, 100));
    }

    /** The urgency of an executor with those tasks, whose windows end by the times in their tuples. */
    private static Urgency dated(TimedInput windowed, Integer... tasks) {
        JCQueue queue = windowed.newQueue("bolt");
        windowed.deadlines().probe("bolt", List.of(tasks), queue);
        WindowedBoltExecutor bolt = new WindowedBoltExecutor(new UnfiredWindows().withTimestampField("at"));
        for (int task : tasks) {
            windowed.deadlines().dated(task, ((TimestampAccess) bolt).getTimestampExtractor());
        }
        return windowed.deadlines().of("bolt", queue);
    }

    /** The deadline of what is emitted on a thread of Storm's that has a window fire. */
    private static long onATimer(Urgency urgency) throws InterruptedException {
        AtomicLong deadlineNs = new AtomicLong();
        Thread timer = new Thread(() -> deadlineNs.set(urgency.currentNs()));
        timer.start();
        timer.join();
        return deadlineNs.get();
    }

    @Test
    void shouldForgetItsInputWhenATurnBeginsAndKnowWhatComesMeanwhile() {
        urgency.arrived(input.tuple(300));
        urgency.turnBegins();
        urgency.arrived(input.tuple(700));
        assertEquals(700, urgency.beginNs());
        urgency.executing(input.tuple(300).getTuple());
        urgency.turnEnds(true);
        assertEquals(300, urgency.beginNs(), "what is left is about as urgent as the last tuple");
    }

    @Test
    void shouldNotBeUrgentByATupleThatItHasExecuted() {
        urgency.turnBegins();
        urgency.arrived(input.tuple(300));
        urgency.executing(input.tuple(300).getTuple());
        urgency.turnEnds(false);
        assertEquals(8 + TARGET_NS, urgency.beginNs());
    }

    @Test
    void shouldTakeATupleWithoutADeadlineForANewMessageAndATickForUrgent() {
        urgency.arrived(input.tuple(0));
        assertEquals(8 + TARGET_NS, urgency.beginNs());
        urgency.arrived(input.tick());
        assertEquals(8, urgency.beginNs());
    }

    @Test
    void shouldEmitWithTheDeadlineOfWhatItExecutes() {
        assertEquals(0, urgency.currentNs());
        urgency.executing(input.tuple(300).getTuple());
        assertEquals(300, urgency.currentNs());
        urgency.executing(input.tick().getTuple());
        assertEquals(300, urgency.currentNs(), "a tick lets a bolt emit what it has gathered");
        urgency.executing(input.tuple(0).getTuple());
        assertEquals(8 + TARGET_NS, urgency.currentNs());
        input.advance(16);
        Urgency spout = input.newUrgency("spout");
        spout.emittingMessage("default");
        assertEquals(24 + TARGET_NS, spout.currentNs());
    }

    @Test
    void shouldEmitAnewWithEachTickWhereOnlyTicksCome() {
        urgency.executing(input.tick().getTuple());
        assertEquals(8 + TARGET_NS, urgency.currentNs());
        input.advance(16);
        urgency.executing(input.tick().getTuple());
        assertEquals(24 + TARGET_NS, urgency.currentNs());
        urgency.executing(input.tuple(304).getTuple());
        urgency.executing(input.tick().getTuple());
        assertEquals(304, urgency.currentNs());
    }

    @Test
    void shouldUseTheSamePresentForAFewMessagesOfATurnUnlessTheClockIsRead() {
        Urgency spout = input.newUrgency("spout");
        long laterNs = 0;
        for (; laterNs < 3 * 8; laterNs += 8) {
            assertEquals(8 + laterNs + TARGET_NS, input.messageNs(spout), "without turns each one its own");
            input.advance(8);
        }
        spout.whenRaised(() -> { });
        for (int turn = 0; turn < 2; turn++) {
            spout.turnBegins();
            for (int message = 0; message < 8; message++) {
                assertEquals(8 + laterNs + TARGET_NS, input.messageNs(spout));
            }
            input.advance(8);
            laterNs += 8;
            assertEquals(8 + laterNs + TARGET_NS, input.messageNs(spout));
            input.advance(8);
            laterNs += 8;
            spout.clockRead();
            assertEquals(8 + laterNs + TARGET_NS, input.messageNs(spout));
            input.advance(8);
            laterNs += 8;
        }
    }

    @Test
    void shouldEmitMessagesWithoutATokenLikeThoseOfOtherSpouts() {
        TimedInput limited = new TimedInput(Map.of(DeadlineConfiguration.TOKENS, 10, DeadlineConfiguration.OTHERS, 500));
        Urgency spout = limited.newUrgency("spout");
        for (int token = 0; token < 2; token++) {
            spout.emittingMessage("default");
            assertEquals(8 + TARGET_NS, spout.currentNs());
        }
        assertEquals(8 + TARGET_NS + TimeUnit.MILLISECONDS.toNanos(100), spout.beginNs(), "the next token");
        spout.emittingMessage("default");
        assertEquals(8 + TimeUnit.MILLISECONDS.toNanos(500), spout.currentNs());
    }
}
