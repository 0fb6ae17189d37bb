package io.eyewall.tail.clock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClockOffsetEstimatorTest {

    private static final long SECOND_NS = 1_000_000_000L;

    private final ClockOffsetEstimator estimator = new ClockOffsetEstimator();

    @Test
    void shouldKnowNothingBeforeTheFirstRoundTrip() {
        assertEquals(Optional.empty(), estimator.at(1));
    }

    @Test
    void shouldTakeHalfOfTheDelayForTheErrorWhenThereIsOneRoundTrip() {
        estimator.add(1_000, 5_040, 5_050, 1_110);

        ClockOffset offset = estimator.at(1_110).orElseThrow();
        assertEquals(3_990, offset.offsetNs());
        assertAbout(50, offset.errorBoundNs(), 5);
    }

    @Test
    void shouldIncreaseTheErrorByTheDriftWhenTimePasses() {
        estimator.add(1_000, 5_040, 5_050, 1_110);

        assertAbout(100_050, estimator.at(1_110 + SECOND_NS).orElseThrow().errorBoundNs(), 5);
        assertAbout(6_000_050, estimator.at(1_110 + 60 * SECOND_NS).orElseThrow().errorBoundNs(), 5);
    }

    @Test
    void shouldPreferTheSmallestRoundTripWhenSeveralAreRecent() {
        estimator.add(0, 10_000, 10_000, 9_000);
        estimator.add(10_000, 15_100, 15_100, 10_200);
        estimator.add(20_000, 28_000, 28_000, 26_000);

        ClockOffset offset = estimator.at(26_000).orElseThrow();
        assertEquals(5_000, offset.offsetNs());
        assertAbout(100, offset.errorBoundNs(), 10);
    }

    @Test
    void shouldPreferALargerRoundTripWhenTheSmallestHasAged() {
        estimator.add(0, 5_050, 5_050, 100);
        estimator.add(10 * SECOND_NS, 10 * SECOND_NS + 50_000, 10 * SECOND_NS + 50_000, 10 * SECOND_NS + 100_000);

        assertAbout(50_000, estimator.at(10 * SECOND_NS + 100_000).orElseThrow().errorBoundNs(), 20);
    }

    @Test
    void shouldForgetWhatItKnewWhenTheOtherClockStartsAgain() {
        long beforeNs = 500 * SECOND_NS;
        estimator.add(0, beforeNs + 50, beforeNs + 50, 100);
        estimator.add(SECOND_NS, 50_000, 50_000, SECOND_NS + 100_000);

        ClockOffset offset = estimator.at(SECOND_NS + 100_000).orElseThrow();
        assertEquals(-SECOND_NS, offset.offsetNs());
        assertAbout(50_000, offset.errorBoundNs(), 20);
    }

    @Test
    void shouldIgnoreARoundTripWhenItCannotHaveBeen() {
        estimator.add(100, 5_000, 5_000, 99);
        estimator.add(100, 5_001, 5_000, 200);
        estimator.add(100, 5_000, 5_500, 200);

        assertTrue(estimator.at(1_000).isEmpty());
    }

    /** Nanoseconds that rounding and the drift during a round trip may add. */
    private static void assertAbout(long expectedNs, long actualNs, long surplusNs) {
        assertTrue(actualNs >= expectedNs && actualNs <= expectedNs + surplusNs, actualNs + " instead of " + expectedNs);
    }
}
