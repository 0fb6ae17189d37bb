package io.eyewall.tail.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class AdaptiveTimeoutTest {

    private static final long MIN = 10;
    private static final long MAX = 500;

    private final AdaptiveTimeout timeout = new AdaptiveTimeout(1_000, MIN, MAX);

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
    void shouldStayWithinItsLimits() {
        complete(1_000, 1);
        timeout.endPeriod();
        assertEquals(MIN, timeout.timeoutNs());
        complete(1_000, 100_000);
        timeout.endPeriod();
        assertEquals(MAX, timeout.timeoutNs());
    }

    private void complete(int messages, long latencyNs) {
        for (int i = 0; i < messages; i++) {
            timeout.completed(latencyNs);
        }
    }
}
