package io.eyewall.tail.balance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class TrafficSharesTest {

    private static final double AGING = 0.5;

    @Test
    void shouldMoveOnePercentOfTheTrafficFromTheSlowestToTheFastestOfFive() {
        TrafficShares shares = new TrafficShares(5, AGING);

        assertTrue(shares.adjust(new double[] {9, 2, 2, 2, 2}));

        assertArrayEquals(new int[] {95, 105, 100, 100, 100}, shares.units());
    }

    @Test
    void shouldMoveTrafficInEachPairUntilOneIsWithinTheTolerance() {
        TrafficShares shares = new TrafficShares(6, AGING);

        assertTrue(shares.adjust(new double[] {10, 1, 9, 2, 5, 5}));

        assertArrayEquals(new int[] {94, 106, 94, 106, 100, 100}, shares.units());
    }

    @Test
    void shouldLeaveSharesAloneWhenLatenciesDifferByATenth() {
        TrafficShares shares = new TrafficShares(4, AGING);

        assertFalse(shares.adjust(new double[] {1.0, 1.1, 1.05, 1.1}));

        assertArrayEquals(new int[] {100, 100, 100, 100}, shares.units());
    }

    @Test
    void shouldAgeLatenciesSoThatOneOddPeriodPasses() {
        TrafficShares shares = new TrafficShares(2, 0.1);
        shares.adjust(new double[] {1, 1});

        assertFalse(shares.adjust(new double[] {2.9, 1}), "0.1 x 2.9 + 0.9 x 1 = 1.19");
        assertTrue(shares.adjust(new double[] {2.9, 1}));
    }

    @Test
    void shouldKeepWhatItKnewOfAReceiverWithoutALatency() {
        TrafficShares shares = new TrafficShares(3, AGING);

        assertFalse(shares.adjust(new double[] {5, Double.NaN, Double.NaN}), "there is no pair");
        assertTrue(shares.adjust(new double[] {Double.NaN, 1, Double.NaN}));

        assertArrayEquals(new int[] {97, 103, 100}, shares.units());
    }

    @Test
    void shouldLeaveTheSlowestWithAHundredthOfAnEqualShareAndGiveItBackWhenItIsFast() {
        TrafficShares shares = new TrafficShares(2, 1);
        for (int period = 0; period < 100; period++) {
            shares.adjust(new double[] {50, 1});
        }
        assertArrayEquals(new int[] {1, 199}, shares.units());
        assertFalse(shares.adjust(new double[] {50, 1}));

        for (int period = 0; period < 60; period++) {
            shares.adjust(new double[] {1, 50});
        }
        assertTrue(shares.units()[0] > TrafficShares.EQUAL_UNITS, Arrays.toString(shares.units()));
    }

    @Test
    void shouldMoveNoMoreThanATenthOfAnEqualShareWhenThereAreManyReceivers() {
        TrafficShares shares = new TrafficShares(50, AGING);
        double[] latencies = new double[50];
        Arrays.fill(latencies, 1);
        latencies[7] = 3;

        shares.adjust(latencies);

        assertEquals(90, shares.units()[7]);
        assertEquals(110, shares.units()[0]);
    }

    @Property(tries = 300)
    void shouldConserveTheTrafficAndKeepEveryShareAboveTheLeastWhateverTheLatencies(@ForAll @IntRange(min = 1, max = 40) int receivers,
            @ForAll @Size(min = 1, max = 50) long[] seeds, @ForAll @DoubleRange(min = 0.01, max = 1) double aging) {
        TrafficShares shares = new TrafficShares(receivers, aging);
        TrafficShares same = new TrafficShares(receivers, aging);

        for (long seed : seeds) {
            double[] latencies = new SplittableRandom(seed).doubles(receivers, -0.1, 1).map(each -> each <= 0 ? Double.NaN : each)
                .toArray();
            shares.adjust(latencies);
            same.adjust(latencies);

            assertEquals(receivers * TrafficShares.EQUAL_UNITS, Arrays.stream(shares.units()).sum());
            assertTrue(Arrays.stream(shares.units()).allMatch(units -> units >= TrafficShares.MIN_UNITS));
            assertArrayEquals(same.units(), shares.units(), "the same latencies make the same shares");
        }
    }

    @Property(tries = 300, seed = "4")
    void shouldSettleWithoutSwingingAndEvenLatenciesOutWhenReceiversAreQueues(@ForAll @IntRange(min = 2, max = 12) int receivers,
            @ForAll @DoubleRange(min = 0.3, max = 0.9) double utilization, @ForAll long seed) {
        double[] serviceMs = new SplittableRandom(seed).doubles(receivers, 1, 6).toArray();
        QueueModel model = new QueueModel(serviceMs, utilization);
        TrafficShares shares = new TrafficShares(receivers, AGING);
        double worstAtFirst = Arrays.stream(model.latenciesMs(shares.units())).max().orElseThrow();
        for (int period = 0; period < 400; period++) {
            shares.adjust(model.latenciesMs(shares.units()));
        }

        int[] settled = shares.units();
        for (int period = 0; period < 100; period++) {
            shares.adjust(model.latenciesMs(shares.units()));
            for (int i = 0; i < receivers; i++) {
                assertTrue(Math.abs(shares.units()[i] - settled[i]) <= 2, "swings from " + Arrays.toString(settled) + " to "
                    + Arrays.toString(shares.units()));
            }
        }
        assertTrue(Arrays.stream(model.latenciesMs(settled)).max().orElseThrow() <= worstAtFirst * 1.01, Arrays.toString(settled));
    }

    /** Receivers of which each takes its own time for a tuple; their queues are M/M/1, and beyond saturation they only grow. */
    private static final class QueueModel {

        private static final double SATURATED = 0.99;

        private final double[] serviceMs;
        private final double ratePerMs;

        QueueModel(double[] serviceMs, double utilization) {
            this.serviceMs = serviceMs.clone();
            ratePerMs = utilization * Arrays.stream(serviceMs).map(service -> 1 / service).sum();
        }

        double[] latenciesMs(int[] units) {
            int all = Arrays.stream(units).sum();
            double[] latencies = new double[serviceMs.length];
            for (int i = 0; i < latencies.length; i++) {
                double load = ratePerMs * units[i] / all * serviceMs[i];
                latencies[i] = load < SATURATED ? serviceMs[i] / (1 - load) : serviceMs[i] / (1 - SATURATED) * (1 + load - SATURATED);
            }
            return latencies;
        }
    }
}
