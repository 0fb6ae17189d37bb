package io.eyewall.client.engine;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ArrivalRateTest {

    private static final long US = 1_000;
    private static final long NAP_NS = 250 * US;

    private final ArrivalRate rate = new ArrivalRate(NAP_NS, 0);
    private long nowNs;

    @Test
    void shouldNapOnlyWhereMoreThanTwoMessagesComeInANap() {
        assertFalse(lastOf(20, 1, 1_000 * US), "1,000 a second");
        assertTrue(lastOf(200, 1, 100 * US), "10,000 a second");
        assertTrue(lastOf(20, 10, 1_000 * US), "as many, in batches of ten");
        assertFalse(lastOf(20, 2, 1_000 * US), "2,000 a second");
    }

    @Test
    void shouldNotJudgeByOneBatchOfAMoment() {
        assertFalse(lastOf(20, 1, 1_000 * US));
        assertFalse(rate.isNapWorthIt(10, nowNs + 10 * US), "ten at once");
        assertFalse(lastOf(5, 1, 1_000 * US), "in 5 ms fifteen came, less than one in a nap");
    }

    private boolean lastOf(int batches, int messages, long gapNs) {
        boolean naps = false;
        for (int batch = 0; batch < batches; batch++) {
            nowNs += gapNs;
            naps = rate.isNapWorthIt(messages, nowNs);
        }
        return naps;
    }
}
