package io.eyewall.client.deadline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WindowEndsTest {

    private static final long SLIDE = 8_000;
    private static final long DEADLINE = 10;
    private static final int WINDOWS = 200;

    private final WindowEnds windows = new WindowEnds(SLIDE);

    static IntStream seeds() {
        return IntStream.range(0, 200);
    }

    @Test
    void shouldKnowNothingUntilTwoWindowsHaveFired() {
        assertEquals(DEADLINE, windows.untilNs(DEADLINE));
        assertEquals(100_000, windows.fires(100_000));
        assertEquals(DEADLINE, windows.untilNs(DEADLINE));
        assertEquals(108_000, windows.fires(108_000));
        assertEquals(115_000, windows.untilNs(DEADLINE));
        assertEquals(115_001, windows.untilNs(115_001), "later than that anyway");
    }

    @Test
    void shouldTakeWhatComesSoonAfterForTheSameWindow() {
        windows.fires(100_000);
        windows.fires(108_000);
        for (long later = 1; later < SLIDE / 2; later += 500) {
            assertEquals(108_000, windows.fires(108_000 + later), "as long as it goes on");
        }
        assertEquals(115_000, windows.untilNs(DEADLINE));
    }

    @Test
    void shouldWaitNoLongerThanTheSlideWhenAWindowWasSilent() {
        windows.fires(100_000);
        windows.fires(108_000);
        windows.fires(156_000);
        assertEquals(163_000, windows.untilNs(DEADLINE));
    }

    /** A stream that is played faster than it was recorded. */
    @Test
    void shouldFollowWindowsThatEndSoonerAndComeBackSlowly() {
        long now = 0;
        for (int i = 0; i < 4; i++) {
            now += 2_000;
            windows.fires(now);
        }
        assertEquals(now + 2_000 - 2_000 / 8, windows.untilNs(DEADLINE));
        now += SLIDE;
        windows.fires(now);
        assertTrue(windows.untilNs(DEADLINE) < now + 2_000, "one long window may be a gap");
        for (int i = 0; i < 100; i++) {
            now += SLIDE;
            windows.fires(now);
        }
        assertEquals(now + SLIDE - SLIDE / 8, windows.untilNs(DEADLINE));
    }

    @Test
    void shouldKnowNothingWhenAWindowCameMuchSooner() {
        windows.fires(100_000);
        windows.fires(108_000);
        windows.fires(113_000);
        assertEquals(DEADLINE, windows.untilNs(DEADLINE));
        windows.fires(118_000);
        assertEquals(118_000 + 5_000 - 5_000 / 8, windows.untilNs(DEADLINE));
    }

    /** Windows at the pace of their slide, some of them silent, that emit for a while, some time after they have ended. */
    @ParameterizedTest
    @MethodSource("seeds")
    void shouldNeverHaveATupleWaitForLongerThanItsWindow(int seed) {
        assertWaitsWithinWindows(new Random(seed), SLIDE, 5);
    }

    /** The same for streams that are played faster, none of whose windows are silent. */
    @ParameterizedTest
    @MethodSource("seeds")
    void shouldNeverHaveATupleWaitForLongerThanAWindowThatEndsSooner(int seed) {
        Random random = new Random(seed);
        assertWaitsWithinWindows(random, SLIDE / 6 + random.nextLong(SLIDE - SLIDE / 6), Integer.MAX_VALUE);
    }

    @Test
    void shouldKnowNothingOfWindowsThatComeFarMoreOften() {
        for (long now = 0; now < 10 * SLIDE; now += SLIDE / 9) {
            windows.fires(now);
            assertEquals(DEADLINE, windows.untilNs(DEADLINE));
        }
    }

    private void assertWaitsWithinWindows(Random random, long between, int oneSilentOf) {
        int latest = (int) between / 8;
        int waited = 0;
        for (long window = 1; window <= WINDOWS; window++) {
            long end = window * between;
            if (random.nextInt(oneSilentOf) > 0) {
                long emits = end + random.nextInt(latest);
                long first = windows.fires(emits);
                assertEquals(first, windows.fires(emits + random.nextInt(latest / 4)), "one that goes on");
            }
            long until = windows.untilNs(DEADLINE);
            assertTrue(until <= end + between + latest, "window " + window + " of " + between + ": " + (until - end));
            waited += until > end ? 1 : 0;
        }
        assertTrue(waited > WINDOWS / 4, waited + " windows were known");
    }
}
