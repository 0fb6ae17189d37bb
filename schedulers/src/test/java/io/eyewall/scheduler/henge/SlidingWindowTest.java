package io.eyewall.scheduler.henge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class SlidingWindowTest {

    private final SlidingWindow<Integer> window = new SlidingWindow<>(SlidingWindow.TWO_MINUTES_MS);

    @Test
    void shouldBeginEmptyAndGrowToOneMinuteAtLeast() {
        assertEquals(Optional.of(100), at(0, 100));
        assertEquals(Optional.of(100), at(30, 130));
        assertEquals(Optional.of(100), at(60, 160));
        assertEquals(Optional.of(100), at(90, 190));
    }

    @Test
    void shouldCoverHalfOfAnotherLengthToAllOfIt() {
        SlidingWindow<Integer> tenSecs = new SlidingWindow<>(10_000);
        for (int secs = 0; secs <= 100; secs++) {
            int total = secs;
            int covered = secs - tenSecs.baseline(total, secs * 1_000L, earlier -> total >= earlier).orElseThrow();
            assertTrue(secs < 5 ? covered == secs : covered >= 5 && covered <= 10, covered + " s at " + secs + " s");
        }
    }

    @Test
    void shouldCoverOneToTwoMinutes() {
        for (int secs = 0; secs <= 1_000; secs += 10) {
            int covered = secs - at(secs, secs).orElseThrow();
            assertTrue(secs < 60 ? covered == secs : covered >= 60 && covered <= 120, covered + " s at " + secs + " s");
        }
    }

    @Test
    void shouldTakeAllOfATotalThatWasReset() {
        at(0, 1_000);
        at(60, 2_000);
        assertEquals(Optional.empty(), at(70, 5));
        assertEquals(Optional.empty(), at(100, 30));
        for (int secs = 130; secs <= 600; secs += 10) {
            int covered = secs - 70 - at(secs, secs - 70).orElse(0);
            assertTrue(covered >= 60 && covered <= 130, covered + " s at " + secs + " s");
        }
    }

    private Optional<Integer> at(int secs, int total) {
        return window.baseline(total, secs * 1_000L, earlier -> total >= earlier);
    }
}
