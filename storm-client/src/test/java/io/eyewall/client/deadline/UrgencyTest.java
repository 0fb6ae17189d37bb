package io.eyewall.client.deadline;

import static io.eyewall.client.deadline.TimedInput.TARGET_NS;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.storm.utils.JCQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UrgencyTest {

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
        urgency.emittingMessage();
        assertEquals(24 + TARGET_NS, urgency.currentNs());
    }

    @Test
    void shouldEmitMessagesWithoutATokenLikeThoseOfOtherSpouts() {
        TimedInput limited = new TimedInput(Map.of(DeadlineConfiguration.TOKENS, 10, DeadlineConfiguration.OTHERS, 500));
        Urgency spout = limited.newUrgency("spout");
        for (int token = 0; token < 2; token++) {
            spout.emittingMessage();
            assertEquals(8 + TARGET_NS, spout.currentNs());
        }
        assertEquals(8 + TARGET_NS + TimeUnit.MILLISECONDS.toNanos(100), spout.beginNs(), "the next token");
        spout.emittingMessage();
        assertEquals(8 + TimeUnit.MILLISECONDS.toNanos(500), spout.currentNs());
    }
}
