package io.eyewall.client.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WatchedRingsTest {

    private static final int CHANCES = 1_000;

    private final WatchedRings rings = new WatchedRings();
    private final NotedRing first = new NotedRing();
    private final NotedRing second = new NotedRing();
    private long nowNs = -5;

    @Test
    void shouldBeWatchedOnlyAfterSomethingWasWrittenOrCame() {
        rings.add(first);
        assertFalse(rings.tryBegin(nowNs), "before anything was written");

        rings.expect();
        assertTrue(rings.tryBegin(nowNs));
        first.messages = 1;
        assertTrue(rings.read());
        assertFalse(rings.read());
        rings.end(nowNs, true);
        assertTrue(rings.tryBegin(nowNs), "after something has come");
        rings.end(nowNs, false);

        assertFalse(rings.tryBegin(nowNs), "after nothing has come");
        assertEquals(List.of("begin", "end", "begin", "end"), first.calls);
    }

    @Test
    void shouldBeWatchedLessAndLessOftenInVainAndOftenAgainOnceSomethingComes() {
        rings.add(first);
        assertEquals(CHANCES / 64.0, watchesInVain(CHANCES), 10);

        boolean began = false;
        for (int chance = 0; chance < CHANCES && !began; chance++) {
            rings.expect();
            began = rings.tryBegin(nowNs);
        }
        assertTrue(began, "never watched again");
        rings.end(nowNs, true);

        assertEquals(3, watchesInVain(3), "right after something has come");
    }

    @Test
    void shouldBeWatchedForThreeTimesAsLongAsMessagesUsuallyTake() {
        rings.add(first);
        assertEquals(120_000, longest(), 1_000.0, "at first");
        for (int watch = 0; watch < 100; watch++) {
            rings.expect();
            assertTrue(rings.tryBegin(nowNs));
            nowNs += 8_000;
            rings.end(nowNs, true);
        }
        assertEquals(24_000, longest(), 1_000.0, "after answers that took 8 us");
        for (int watch = 0; watch < CHANCES; watch++) {
            rings.expect();
            if (rings.tryBegin(nowNs)) {
                rings.end(nowNs, false);
            }
        }
        assertEquals(120_000, longest(), 1_000.0, "after watches in vain");
        for (int watch = 0; watch < 100; watch++) {
            rings.expect();
            if (rings.tryBegin(nowNs)) {
                rings.end(nowNs, true);
            }
        }
        assertEquals(10_000, longest(), 1_000.0, "after answers that came at once");
    }

    @Test
    void shouldLeaveOutRingsThatOthersRead() {
        rings.add(first);
        rings.add(second);
        first.isBusy = true;
        rings.expect();
        assertTrue(rings.tryBegin(nowNs));
        first.messages = 1;
        assertFalse(rings.read(), "another thread reads that ring");
        rings.end(nowNs, false);
        assertEquals(List.of(), first.calls);
        assertEquals(List.of("begin", "end"), second.calls);

        second.isBusy = true;
        rings.expect();
        assertFalse(rings.tryBegin(nowNs), "there is nothing to watch");
        second.isBusy = false;
        rings.expect();
        assertTrue(rings.tryBegin(nowNs), "the last try has not left the watch open");
        rings.end(nowNs, false);
    }

    @Test
    void shouldBeWatchedByOneThreadAtATime() throws InterruptedException {
        rings.add(first);
        rings.expect();
        assertTrue(rings.tryBegin(nowNs));
        List<Boolean> others = new ArrayList<>();
        Thread other = new Thread(() -> {
            rings.expect();
            others.add(rings.tryBegin(nowNs));
        });
        other.start();
        other.join();

        assertEquals(List.of(false), others);
        rings.end(nowNs, false);
        rings.remove(first);
        rings.expect();
        assertFalse(rings.tryBegin(nowNs), "the ring is gone");
    }

    /** How long the next watch lasts, in nanoseconds. */
    private double longest() {
        boolean began = false;
        for (int chance = 0; chance < CHANCES && !began; chance++) {
            rings.expect();
            began = rings.tryBegin(nowNs);
        }
        assertTrue(began);
        long sinceNs = nowNs;
        while (!rings.isOver(nowNs)) {
            nowNs += 500;
        }
        rings.end(sinceNs + (nowNs - sinceNs) / 3, true); // Leaves the average as it is.
        return nowNs - sinceNs;
    }

    /** How often rings are watched where there are so many reasons to, and nothing ever comes. */
    private int watchesInVain(int chances) {
        int watches = 0;
        for (int chance = 0; chance < chances; chance++) {
            rings.expect();
            if (rings.tryBegin(nowNs)) {
                watches++;
                rings.end(nowNs, false);
            }
        }
        return watches;
    }

    /** Notes who begins and ends. */
    private static final class NotedRing implements WatchedRings.Ring {

        final List<String> calls = new ArrayList<>();
        int messages;
        boolean isBusy;

        @Override
        public boolean tryBegin() {
            if (!isBusy) {
                calls.add("begin");
            }
            return !isBusy;
        }

        @Override
        public boolean read() {
            boolean any = messages > 0;
            messages = 0;
            return any;
        }

        @Override
        public void end() {
            calls.add("end");
        }
    }
}
