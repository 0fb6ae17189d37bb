package io.eyewall.elasticity.plan;

import static io.eyewall.elasticity.plan.SnapshotBuilder.rates;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.elasticity.measure.Rates;
import org.junit.jupiter.api.Test;

class OperatorLoadsTest {

    private static final double EXACTLY = 1e-9;

    @Test
    void shouldBeCongestedWhenInputExceedsTheRateTimesWhatIsProcessed() {
        OperatorLoads loads = line(new Rates(1_201, 1_000, 1_000, 0.5, 0), new Rates(1_200, 1_000, 0, 0.5, 0));

        assertArrayEquals(new boolean[] {false, true, false}, loads.congested());
        assertFalse(loads.isThrottled());
    }

    @Test
    void shouldNotBeCongestedWhenTheDifferenceIsWithinTheResolution() {
        OperatorLoads loads = line(new Rates(10, 5, 5, 0.1, 4), new Rates(10, 5, 0, 0.1, 3.9));

        assertArrayEquals(new boolean[] {false, false, true}, loads.congested());
    }

    @Test
    void shouldDetectCongestionByBusyTimeWhenBackPressureHidesIt() {
        OperatorLoads loads = line(new Rates(1_000, 1_000, 1_000, 0.89, 0), new Rates(1_000, 1_000, 0, 0.9, 0));

        assertTrue(loads.isThrottled());
        assertArrayEquals(new boolean[] {false, false, true}, loads.congested());
    }

    @Test
    void shouldIgnoreBusyTimeWhenSomeOperatorIsOverloaded() {
        OperatorLoads loads = line(new Rates(2_000, 1_000, 1_000, 1, 0), new Rates(1_000, 1_000, 0, 0.95, 0));

        assertFalse(loads.isThrottled());
        assertArrayEquals(new boolean[] {false, true, false}, loads.congested());
    }

    @Test
    void shouldRaiseTheInputOfItsChildrenWhenAnExecutorIsAdded() {
        OperatorLoads loads = line(new Rates(2_000, 1_000, 500, Double.NaN, 0), new Rates(500, 500, 0, Double.NaN, 0));

        loads.addExecutor(1);

        assertEquals(3, loads.executors[1]);
        assertEquals(1_500, loads.executedPerSec[1], EXACTLY);
        assertEquals(750, loads.inputPerSec[2], EXACTLY);
        assertEquals(500, loads.executedPerSec[2], EXACTLY, "the child has no more executors than before");
        assertEquals(2_000, loads.inputPerSec[1], EXACTLY);
    }

    @Test
    void shouldRaiseAllRatesWhenAnExecutorIsAddedToTheBottleneck() {
        OperatorLoads loads = line(new Rates(1_000, 1_000, 1_000, 0.5, 0), new Rates(1_000, 1_000, 0, 1, 0));

        loads.addExecutor(2);

        // Two thirds as busy at the same rate, so 1.5 times the rate.
        assertEquals(1_500, loads.executedPerSec[2], EXACTLY);
        assertEquals(1_500, loads.executedPerSec[0], EXACTLY);
        assertEquals(0.75, loads.utilisation[1], EXACTLY);
        assertEquals(1, loads.utilisation[2], EXACTLY);
    }

    @Test
    void shouldDivideByTheBusyTimeForTheTrueRate() {
        OperatorLoads loads = line(new Rates(600, 600, 600, 0.8, 0), new Rates(600, 0, 0, 0.5, 0));

        assertEquals(375, loads.trueRatePerExecutor(1), EXACTLY);
        assertEquals(Double.POSITIVE_INFINITY, loads.trueRatePerExecutor(0), "the busy time of a source is unknown");
        assertEquals(Double.POSITIVE_INFINITY, loads.trueRatePerExecutor(2), "nothing has been processed");
    }

    @Test
    void shouldTakeTheProcessedRateAsTrueRateWhenAnOperatorIsOverloaded() {
        OperatorLoads loads = line(new Rates(2_000, 1_000, 500, 0.5, 0), new Rates(500, 500, 0, Double.NaN, 0));

        assertEquals(500, loads.trueRatePerExecutor(1), EXACTLY);
    }

    /** A source of 1,000 tuples per second, and two operators of two executors each. */
    private static OperatorLoads line(Rates middle, Rates sink) {
        return new SnapshotBuilder("line")
            .operator("a", 1, 4, rates(1_000, 1_000, 1_000))
            .operator("b", 2, 4, middle)
            .operator("c", 2, 4, sink)
            .link("a", "b", middle.inputPerSec())
            .link("b", "c", middle.emittedPerSec())
            .host("m1", 1, 4)
            .loads(CongestionConfiguration.DEFAULT);
    }
}
