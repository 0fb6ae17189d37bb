package io.eyewall.web.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class CountersTest {

    @Property
    void shouldNeverFallAndGrowByWhatIsReportedBetweenRestarts(
            @ForAll @Size(min = 1, max = 40) List<@IntRange(min = -1, max = 1_000) Integer> steps) {
        long reported = 1_000_000;
        long expected = reported;
        Counters counters = of(reported);
        for (int step : steps) {
            if (step < 0) {
                // A worker starts again.
                reported /= 100;
            } else {
                reported += step;
                expected += step;
            }
            Counters next = counters.next(of(reported));
            assertTrue(next.total(Counter.EXECUTED) >= counters.total(Counter.EXECUTED));
            counters = next;
        }
        assertTrue(counters.total(Counter.EXECUTED) <= expected);
        if (steps.stream().filter(step -> step < 0).count() <= 1) {
            assertEquals(expected, counters.total(Counter.EXECUTED));
        }
    }

    @Property
    void shouldCountNothingTwiceWhenAnExecutorsReportIsAwayForAMoment(@ForAll @IntRange(min = 1, max = 100) int percentAway,
            @ForAll @IntRange(min = 0, max = 50) int grownMeanwhile) {
        Counters before = of(10_000).next(of(10_100));
        Counters away = before.next(of(10_100 - 101L * percentAway + 1));
        Counters returned = away.next(of(10_101 + grownMeanwhile));

        assertEquals(10_101 + grownMeanwhile, returned.total(Counter.EXECUTED));
        assertEquals(10_201 + grownMeanwhile, returned.next(of(10_201 + grownMeanwhile)).total(Counter.EXECUTED));
    }

    @Test
    void shouldGoOnWhenReportsWereMissing() {
        Counters counters = of(100).next(of(0)).next(of(130));

        assertEquals(130, counters.total(Counter.EMITTED));
        assertEquals(130_000, counters.total(Counter.EXECUTE_US));
    }

    @Test
    void shouldCountNoneOfAComponentsCountersInTheStepOfARestart() {
        Counters before = Counters.first(100, 0, 0, 0, 100, 900, 0, 0);
        Counters restarted = before.next(Counters.first(150, 0, 0, 0, 10, 2_000, 0, 0));

        assertEquals(List.of(100L, 100L, 900L), totals(restarted));
        assertEquals(List.of(160L, 115L, 1_400L), totals(restarted.next(Counters.first(210, 0, 0, 0, 25, 2_500, 0, 0))));
    }

    @Test
    void shouldNoticeARestartByTheTimesWhenMoreWasCountedThanBefore() {
        Counters counters = Counters.first(10, 0, 0, 0, 100, 1_000, 0, 0).next(Counters.first(12, 0, 0, 0, 130, 400, 0, 0));

        assertEquals(List.of(10L, 100L, 1_000L), totals(counters));
        assertEquals(List.of(13L, 140L, 1_100L), totals(counters.next(Counters.first(15, 0, 0, 0, 170, 500, 0, 0))));
    }

    @Test
    void shouldNotTakeATimeThatShrinksByRoundingForARestart() {
        Counters counters = Counters.first(10, 0, 0, 0, 100, 1_000, 0, 0).next(Counters.first(10, 0, 0, 0, 120, 999, 0, 0));

        assertEquals(List.of(10L, 120L, 1_000L), totals(counters));
    }

    private static List<Long> totals(Counters counters) {
        return List.of(counters.total(Counter.EMITTED), counters.total(Counter.EXECUTED), counters.total(Counter.EXECUTE_US));
    }

    private static Counters of(long count) {
        return Counters.first(count, count, count, count, count, count * 1_000, count * 1_000, count * 1_000);
    }
}
