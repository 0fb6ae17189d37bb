package io.eyewall.client.deadline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class WindowProgressTest {

    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long SLIDE_MS = 8_000;
    private static final long LAG_MS = 2_000;
    private static final long DEADLINE = 10;
    private static final int SEEDS = 100;

    private final WindowProgress progress = new WindowProgress(SLIDE_MS, LAG_MS);

    static IntStream seeds() {
        return IntStream.range(0, SEEDS);
    }

    @Test
    void shouldKnowTheEndOfAWindowByALine() {
        arrives(802_000, 10_000);
        assertEquals(DEADLINE, progress.untilNs(DEADLINE), "it may have a window fire");
        passes(802_000, 10_000);
        assertEquals(DEADLINE, progress.untilNs(DEADLINE), "one pair makes no line");
        arrives(804_000, 12_000);
        arrives(806_000, 14_000);
        assertEquals(17_000 * MS, progress.untilNs(DEADLINE));
        assertEquals(17_001 * MS, progress.untilNs(17_001 * MS), "later than that anyway");
        assertFalse(progress.isNews(806_100), "too near");
        assertFalse(progress.isOver(809_999));
        assertTrue(progress.isOver(810_000));
    }

    @Test
    void shouldHoldNothingWhileATupleWaitsThatHasTheWindowFire() {
        steadyUntil(808_000);
        assertTrue(progress.untilNs(DEADLINE) > DEADLINE);
        arrives(810_000, 18_000);
        assertEquals(DEADLINE, progress.untilNs(DEADLINE));
        arrives(819_000, 18_100);
        passes(810_000, 18_200);
        assertEquals(DEADLINE, progress.untilNs(DEADLINE), "819 s has the next window fire, which ends at 816 s");
        passes(819_000, 18_200);
        assertFalse(progress.isOver(825_999), "as 816 s is over");
        assertTrue(progress.isOver(826_000));
    }

    @Test
    void shouldTakeTheWindowThatATupleOfItsEndBelongsTo() {
        passes(SLIDE_MS + LAG_MS - 1, 0);
        assertTrue(progress.isOver(SLIDE_MS + LAG_MS));
        passes(SLIDE_MS + LAG_MS, 0);
        assertFalse(progress.isOver(2 * SLIDE_MS + LAG_MS - 1));
        passes(-1, 0);
        assertTrue(progress.isOver(LAG_MS), "times before 1970");
        assertFalse(progress.isOver(LAG_MS - 1));
    }

    @Test
    void shouldHoldNothingForLongerThanASlideWhenTheStreamIsSlow() {
        arrives(802_000, 10_000);
        passes(802_000, 10_000);
        arrives(802_500, 14_000);
        assertEquals(17_000 * MS, progress.untilNs(DEADLINE), "810 s would arrive in a minute");
    }

    @Test
    void shouldBeginAnewWhenTheStreamStandsStillOrJumps() {
        steadyUntil(806_000);
        arrives(807_000, 40_000);
        assertEquals(DEADLINE, progress.untilNs(DEADLINE), "one pair makes no line");
        passes(900_000, 40_000);
        arrives(900_000, 40_000);
        assertEquals(DEADLINE, progress.untilNs(DEADLINE));
        arrives(902_000, 41_000);
        assertEquals((40_000 + 3_000 - 3_000 / 8) * MS, progress.untilNs(DEADLINE), "906 s arrives 3 s after the window");
    }

    @Test
    void shouldTakeTheFirstOfItsPairsOffTheLine() {
        for (int i = 0; i < 16; i++) {
            arrives(800_000 + 500L * i, 250L * i);
        }
        passes(802_000, 7_000);
        long until = progress.untilNs(DEADLINE);
        for (int i = 0; i < 3; i++) {
            arrives(807_500 + 500L * (i + 1), 3_750 + 500L * (i + 1));
            assertTrue(progress.untilNs(DEADLINE) >= until, "it has become slower");
            until = progress.untilNs(DEADLINE);
        }
    }

    /** Any times at all: nothing waits for longer than today's bound, and nothing fails. */
    @ParameterizedTest
    @MethodSource("seeds")
    void shouldNeverHoldForLongerThanASlideAfterAWindow(int seed) {
        Random random = new Random(seed);
        long slideMs = 1L + random.nextInt(10_000);
        long slideNs = slideMs * MS;
        WindowProgress any = new WindowProgress(slideMs, random.nextInt(20_000));
        long now = 1;
        long over = 1 - slideNs;
        for (int i = 0; i < 2_000; i++) {
            now += random.nextLong(slideNs);
            long tuple = random.nextInt(4) == 0 ? random.nextLong() : random.nextLong(100_000);
            if (any.isNews(tuple)) {
                any.arrives(tuple, now);
            }
            if (any.isOver(tuple) && random.nextBoolean()) {
                any.passes(tuple, now);
                over = now;
            }
            assertTrue(any.untilNs(0) <= Math.max(0, over + slideNs - slideNs / 8), "seed " + seed);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldHoldTuplesWithoutDelayingAWindow(Stream stream) {
        int held = 0;
        int tuples = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            Run run = new Run(stream, seed);
            run.run();
            held += run.held;
            tuples += run.executed;
        }
        assertTrue(held > tuples * stream.heldAtLeast, stream + ": " + held + " of " + tuples + " tuples waited for their window");
    }

    private void steadyUntil(long tupleMs) {
        for (long ms = 802_000; ms <= tupleMs; ms += 1_000) {
            arrives(ms, ms - 792_000);
            if (ms == 802_000) {
                passes(ms, 10_000);
            }
        }
    }

    private void arrives(long tupleMs, long nowMs) {
        progress.arrives(tupleMs, nowMs * MS);
    }

    private void passes(long tupleMs, long nowMs) {
        progress.passes(tupleMs, nowMs * MS);
    }

    /** A stream of tuples with times of their own. */
    private enum Stream {
        IN_ORDER(0.6),
        OUT_OF_ORDER(0.6),
        PLAYED_FAST(0.6),
        STALLS(0.3),
        JUMPS(0.3);

        /** How much of it waits for longer than its deadline. */
        final double heldAtLeast;

        Stream(double heldAtLeast) {
            this.heldAtLeast = heldAtLeast;
        }

        /** Its tuples, some 50 in a window. */
        PriorityQueue<Arrival> tuples(Random random) {
            PriorityQueue<Arrival> tuples = new PriorityQueue<>((one, other) -> Long.compare(one.atNs, other.atNs));
            long at = random.nextInt(10_000);
            long time = random.nextInt(1_000_000);
            for (int i = 0; i < 2_000; i++) {
                long step = random.nextLong(2 * SLIDE_MS / 50);
                time += step;
                at += this == PLAYED_FAST ? step / 3 : step;
                if (this == STALLS && random.nextInt(300) == 0) {
                    at += random.nextLong(10 * SLIDE_MS);
                }
                if (this == JUMPS && random.nextInt(300) == 0) {
                    time += random.nextLong(100 * SLIDE_MS);
                }
                tuples.add(new Arrival((at + (this == OUT_OF_ORDER ? random.nextLong(LAG_MS) : random.nextLong(20))) * MS, time));
            }
            return tuples;
        }
    }

    /** A tuple of that time comes in at that time of the worker's. */
    private record Arrival(long atNs, long timeMs) {
    }

    /** A task that executes what waits, in its order, when the most urgent tuple is due. */
    private static final class Run {
        private static final long TARGET_NS = 60 * MS;
        private static final long COST_NS = MS;

        private final PriorityQueue<Arrival> arrivals;
        private final Deque<Arrival> input = new ArrayDeque<>();
        private final WindowProgress progress = new WindowProgress(SLIDE_MS, LAG_MS);
        private final String name;
        private long nowNs;
        private long beginNs = Long.MAX_VALUE;
        /** What Storm does: the latest time of an executed tuple, and the end of the next window. */
        private long watermarkMs = Long.MIN_VALUE;
        private long endMs = Long.MIN_VALUE;
        private long overNs;
        private int executed;
        private int held;

        Run(Stream stream, int seed) {
            arrivals = stream.tuples(new Random(seed));
            name = stream + ", seed " + seed;
        }

        void run() {
            int all = arrivals.size();
            while (executed < all) {
                if (!arrivals.isEmpty() && arrivals.peek().atNs <= Math.max(nowNs, beginNs)) {
                    arrive(arrivals.poll());
                } else {
                    nowNs = Math.max(nowNs, beginNs);
                    beginNs = Long.MAX_VALUE;
                    while (!input.isEmpty()) {
                        execute(input.poll());
                        while (!arrivals.isEmpty() && arrivals.peek().atNs <= nowNs) {
                            arrive(arrivals.poll());
                        }
                    }
                    beginNs = Long.MAX_VALUE;
                }
            }
        }

        private void arrive(Arrival arrival) {
            nowNs = Math.max(nowNs, arrival.atNs);
            if (progress.isNews(arrival.timeMs)) {
                progress.arrives(arrival.timeMs, nowNs);
            }
            long deadlineNs = arrival.atNs + TARGET_NS;
            long untilNs = progress.untilNs(deadlineNs);
            if (arrival.timeMs - LAG_MS >= endMs) {
                assertEquals(deadlineNs, untilNs, name + ": it has the window fire");
            }
            assertTrue(untilNs <= Math.max(deadlineNs, overNs + (SLIDE_MS - SLIDE_MS / 8) * MS), name);
            input.add(arrival);
            beginNs = Math.min(beginNs, untilNs);
        }

        private void execute(Arrival arrival) {
            if (progress.isOver(arrival.timeMs)) {
                progress.passes(arrival.timeMs, nowNs);
            }
            watermarkMs = Math.max(watermarkMs, arrival.timeMs - LAG_MS);
            if (watermarkMs >= endMs) {
                // It is on time, except for the execution of what has waited, which is one window at most.
                assertTrue(nowNs <= arrival.atNs + TARGET_NS + 400 * COST_NS, name + ": a window was late");
                endMs = (Math.floorDiv(watermarkMs, SLIDE_MS) + 1) * SLIDE_MS;
                overNs = nowNs;
            }
            held += nowNs > arrival.atNs + TARGET_NS + 100 * COST_NS ? 1 : 0;
            nowNs += COST_NS;
            executed++;
        }
    }
}
