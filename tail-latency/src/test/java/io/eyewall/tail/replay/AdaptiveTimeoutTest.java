package io.eyewall.tail.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class AdaptiveTimeoutTest {

    private static final long MIN = 10;
    private static final long MAX = 500;

    private final AdaptiveTimeout timeout = new AdaptiveTimeout(1_000, 10, MIN, MAX);

    @Test
    void shouldChooseTheEarlierPercentileTheLongerTheTail() {
        assertEquals(10, AdaptiveTimeout.choose(10, 15, 21, 22));
        assertEquals(15, AdaptiveTimeout.choose(10, 15, 20, 31));
        assertEquals(30, AdaptiveTimeout.choose(10, 15, 20, 30));
    }

    @Test
    void shouldLetNoMessageBeLateUntilEnoughAreComplete() {
        complete(999, 20);
        assertFalse(timeout.endPeriod());
        assertEquals(AdaptiveTimeout.NONE_NS, timeout.timeoutNs());

        complete(1, 20);
        assertTrue(timeout.endPeriod());
        assertEquals(20, timeout.timeoutNs());
    }

    @Test
    void shouldChooseByTheLastPeriodAlone() {
        complete(1_000, 20);
        timeout.endPeriod();
        complete(980, 40);
        complete(20, 200);
        assertTrue(timeout.endPeriod());
        assertEquals(40, timeout.timeoutNs(), "p99 is five times p90");
        complete(10, 300);
        assertFalse(timeout.endPeriod());
        assertEquals(40, timeout.timeoutNs());
    }

    @Test
    void shouldLetNoMoreMessagesBeLateThanMayBeSentAgain() {
        assertEquals(20, ofLongTail(100));
        assertEquals(20, ofLongTail(10));
        assertEquals(40, ofLongTail(9));
        assertEquals(40, ofLongTail(5));
        assertEquals(60, ofLongTail(4));
        assertEquals(60, ofLongTail(1));
    }

    @Property(tries = 300, seed = "11")
    void shouldFindNoMoreThanMayBeSentAgainBeyondIt(@ForAll @Size(min = 10, max = 500) List<@LongRange(max = 1L << 40) Long> latenciesNs,
            @ForAll @IntRange(min = 1, max = 100) int percent) {
        AdaptiveTimeout limited = new AdaptiveTimeout(1, percent, 0, Long.MAX_VALUE);
        AdaptiveTimeout unlimited = new AdaptiveTimeout(1, 100, 0, Long.MAX_VALUE);
        latenciesNs.forEach(limited::completed);
        latenciesNs.forEach(unlimited::completed);
        limited.endPeriod();
        unlimited.endPeriod();

        long late = latenciesNs.stream().filter(latencyNs -> latencyNs > limited.timeoutNs()).count();
        assertTrue(late * 100 <= percent * (long) latenciesNs.size(), late + " are late");
        assertTrue(limited.timeoutNs() >= unlimited.timeoutNs());
        if (percent >= 10) {
            assertEquals(unlimited.timeoutNs(), limited.timeoutNs(), "Algorithm 1 lets a tenth be late at most");
        }
    }

    @Test
    void shouldStayWithinItsLimits() {
        complete(1_000, 1);
        timeout.endPeriod();
        assertEquals(MIN, timeout.timeoutNs());
        complete(1_000, 100_000);
        timeout.endPeriod();
        assertEquals(MAX, timeout.timeoutNs());
    }

    /** The timeout of a thousand messages, of which nine tenths take 20, another fifty 40 and the rest 60. */
    private static long ofLongTail(int percent) {
        AdaptiveTimeout timeout = new AdaptiveTimeout(1_000, percent, MIN, MAX);
        for (int i = 1; i <= 1_000; i++) {
            timeout.completed(i <= 900 ? 20 : i <= 950 ? 40 : 60);
        }
        timeout.endPeriod();
        return timeout.timeoutNs();
    }

    private void complete(int messages, long latencyNs) {
        for (int i = 0; i < messages; i++) {
            timeout.completed(latencyNs);
        }
    }
}
