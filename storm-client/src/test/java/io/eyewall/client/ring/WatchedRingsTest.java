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
    private long tookNs;

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
    void shouldBeWatchedSeldomWhileNothingComesAndAlwaysOnceEnoughDoes() {
        rings.add(first);
        assertEquals(CHANCES / 16.0, watches(CHANCES, 0), 20);

        watches(CHANCES, 1);
        assertEquals(CHANCES, watches(CHANCES, 2), "every second watch brings something");
        assertTrue(watches(CHANCES, 8) < CHANCES / 4, "every eighth watch brings something");
    }

    @Test
    void shouldBeWatchedForFourTimesAsLongAsMessagesUsuallyTake() {
        rings.add(first);
        assertEquals(120_000, longest(), 1_000.0, "at first");
        tookNs = 8_000;
        watches(CHANCES, 1);
        assertEquals(32_000, longest(), 1_000.0, "after answers that took 8 us");
        watches(CHANCES, 0);
        assertEquals(120_000, longest(), 1_000.0, "after watches in vain");
        tookNs = 0;
        watches(CHANCES, 1);
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

    /** How long the next watch lasts, in nanoseconds. It ends as if nothing had come. */
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
        rings.end(nowNs, false);
        return nowNs - sinceNs;
    }

    /** How often rings are watched where there are so many reasons to. One of so many watches brings something; with 0, none. */
    private int watches(int chances, int oneOf) {
        int watches = 0;
        for (int chance = 0; chance < chances; chance++) {
            rings.expect();
            if (rings.tryBegin(nowNs)) {
                watches++;
                nowNs += tookNs;
                rings.end(nowNs, oneOf > 0 && watches % oneOf == 0);
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
