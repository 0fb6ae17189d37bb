package io.eyewall.client.deadline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RateTokensTest {

    private static final long TARGET_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long OTHERS_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final Tokens tokens = new RateTokens(1_000, OTHERS_NS);

    @Test
    void shouldGiveEachMessageTheTargetWithoutALimit() {
        assertEquals(100_000, urgent(Tokens.UNLIMITED, 0, SECOND_NS, 100_000));
        assertEquals(TARGET_NS, Tokens.UNLIMITED.untilDeadlineNs(SECOND_NS, TARGET_NS));
    }

    @Test
    void shouldGiveTheTargetToEveryMessageOfASpoutThatKeepsToItsRate() {
        assertEquals(10_000, urgent(tokens, 0, 10 * SECOND_NS, 10_000));
    }

    @Test
    void shouldGiveTheTargetToAsManyMessagesAsThereAreTokens() {
        assertNearly(10_100, urgent(tokens, 0, 10 * SECOND_NS, 30_000)); // Those of the first burst are among them.
        assertEquals(OTHERS_NS, tokens.take(10 * SECOND_NS - 1, TARGET_NS));
    }

    @Test
    void shouldKeepTheTokensOfAShortPauseOnly() {
        urgent(tokens, 0, SECOND_NS, 5_000);
        assertNearly(100, urgent(tokens, 100 * SECOND_NS, 100 * SECOND_NS, 1_000));
    }

    @Test
    void shouldMakeASpoutWithoutTokensAsUrgentAsItsNextToken() {
        for (int i = 0; i < 101; i++) {
            assertEquals(TARGET_NS, tokens.untilDeadlineNs(0, TARGET_NS));
            tokens.take(0, TARGET_NS);
        }
        assertEquals(TARGET_NS + TimeUnit.MILLISECONDS.toNanos(1), tokens.untilDeadlineNs(0, TARGET_NS));
        Tokens few = new RateTokens(1, OTHERS_NS / 2);
        few.take(0, TARGET_NS);
        assertEquals(OTHERS_NS / 2, few.untilDeadlineNs(0, TARGET_NS), "not later than a message without a token");
    }

    @Test
    void shouldNotMakeAMessageMoreUrgentForLackOfATokenWhereTheOthersHaveAShorterTarget() {
        Tokens few = new RateTokens(1, TARGET_NS / 2);
        assertEquals(TARGET_NS, few.take(0, TARGET_NS));
        assertEquals(TARGET_NS, few.take(0, TARGET_NS));
        assertEquals(TARGET_NS, few.untilDeadlineNs(0, TARGET_NS));
    }

    private static void assertNearly(long expected, long actual) {
        assertTrue(Math.abs(expected - actual) <= 2, () -> actual + " instead of " + expected);
    }

    /** How many of so many messages between two times have the target. */
    private static long urgent(Tokens tokens, long fromNs, long untilNs, int messages) {
        return LongStream.range(0, messages)
            .filter(message -> tokens.take(fromNs + (untilNs - fromNs) * message / messages, TARGET_NS) == TARGET_NS).count();
    }
}
