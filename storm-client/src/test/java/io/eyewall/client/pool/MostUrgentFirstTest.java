package io.eyewall.client.pool;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.deadline.DeadlineConfiguration;
import io.eyewall.client.deadline.TimedInput;
import io.eyewall.client.deadline.Urgency;
import io.eyewall.client.engine.SharedThread;
import io.eyewall.client.time.NanoClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MostUrgentFirstTest {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int EXECUTORS = 150;
    private static final int STEPS = 20_000;
    private static final long TURN_NS = TimedInput.TARGET_NS / (2 * EXECUTORS);
    private static final long OTHERS_NS = TimeUnit.MILLISECONDS.toNanos(new DeadlineConfiguration().othersMs());

    private final TimedInput input = new TimedInput();
    private final ExecutorPool pool =
        new ExecutorPool(1, TimeUnit.MICROSECONDS.toNanos(100), TimeUnit.MINUTES.toNanos(1), NanoClock.SYSTEM, leastNs -> { }, null);
    private final PoolThread here = new PoolThread(null, new RunQueue(), null, "here");
    private final PoolThread elsewhere = new PoolThread(null, new RunQueue(), null, "elsewhere");
    private final ScriptedTurns turns = new ScriptedTurns();
    private final MostUrgentFirst order = new MostUrgentFirst(turns::nowNs, List.of(), leastNs -> { });

    /** An executor and its input: deadlines. */
    private final class Timed {
        final Urgency urgency = input.newUrgency();
        final Queue<Long> waiting = new ConcurrentLinkedQueue<>();
        final Queue<Timed> executed;
        final PooledExecutor executor;

        Timed(Queue<Timed> executed) {
            this.executed = executed;
            executor = new PooledExecutor(pool, "timed", this::round, (thread, e) -> { }, urgency);
        }

        void put(long deadlineNs) {
            waiting.add(deadlineNs);
            urgency.arrived(input.tuple(deadlineNs));
            executor.run();
        }

        private Long round() {
            if (waiting.poll() == null) {
                SharedThread.current().yieldFor(Long.MAX_VALUE);
            } else {
                executed.add(this);
            }
            return 0L;
        }
    }

    @BeforeEach
    void begin() {
        turns.use(order);
    }

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    void shouldTakeExecutorsInTheOrderOfTheirDeadlinesWhateverComesBetween() {
        Random random = new Random(7);
        List<Timed> idle = new ArrayList<>(IntStream.range(0, EXECUTORS).mapToObj(i -> inOrder()).toList());
        Map<PooledExecutor, Timed> added = new HashMap<>();
        for (int step = 0; step < STEPS; step++) {
            int what = random.nextInt(3);
            if (what == 0 && !idle.isEmpty()) {
                Timed timed = idle.remove(random.nextInt(idle.size()));
                timed.urgency.turnBegins();
                timed.urgency.arrived(input.tuple(1 + random.nextInt(1_000_000)));
                added.put(timed.executor, timed);
                assertFalse(order.addWoken(timed.executor, null));
            } else if (what == 1 && !added.isEmpty()) {
                Timed timed = added.values().stream().skip(random.nextInt(added.size())).findFirst().orElseThrow();
                timed.urgency.arrived(input.tuple(1 + random.nextInt(1_000_000)));
            } else {
                PooledExecutor first = order.take(here);
                assertEquals(added.isEmpty(), first == null);
                if (first != null) {
                    Timed taken = added.remove(first);
                    assertTrue(added.keySet().stream().allMatch(other -> taken.urgency.beginNs() <= other.beginNs()));
                    idle.add(taken);
                }
            }
            assertEquals(!added.isEmpty(), order.isAnotherWoken());
        }
    }

    @Test
    void shouldIgnoreAnExecutorThatIsNotThere() {
        Timed timed = inOrder();
        timed.urgency.arrived(input.tuple(5));
        assertNull(order.take(here));
        order.addAfterTurn(timed.executor, null);
        assertEquals(timed.executor, order.take(here));
        timed.urgency.arrived(input.tuple(4));
        assertNull(order.take(here));
    }

    @Test
    void shouldLeaveAnExecutorToTheThreadThatHasItsInputUntilItHasWaited() {
        PooledExecutor busy = ready(2, here);
        PooledExecutor woken = waiting(1);
        assertTrue(turns.wake(woken, here));

        turns.nowNs += PooledExecutor.TAKEN_OVER_AFTER_NS + 1;
        assertFalse(order.hasWorkForOthers(here, turns.nowNs));
        turns.nowNs += PooledExecutor.LOOKS_APART_NS - 1;
        assertNull(order.take(elsewhere));

        turns.nowNs++;
        assertTrue(order.hasWorkForOthers(here, turns.nowNs));
        assertSame(woken, order.take(elsewhere));
        assertSame(busy, order.take(here));
        assertNull(order.take(here));
    }

    @Test
    void shouldGiveAwayTheMostUrgentExecutorWhereManyAreReady() {
        List<PooledExecutor> ready = new ArrayList<>(IntStream.range(0, RunQueue.MANY).mapToObj(i -> ready(10 - i, here)).toList());
        assertFalse(order.hasWorkForOthers(here, turns.nowNs));
        assertNull(order.take(elsewhere));

        ready.add(ready(1, here));

        assertTrue(order.hasWorkForOthers(here, turns.nowNs));
        assertSame(ready.get(ready.size() - 1), order.take(elsewhere));
        assertNull(order.take(elsewhere));
        assertSame(ready.get(ready.size() - 2), order.take(here));
    }

    @Test
    void shouldGiveAnExecutorThatIsWokenFromOutsideToAnyThread() {
        ready(1, here);
        PooledExecutor woken = waiting(2);
        assertFalse(turns.wake(woken, null));

        assertTrue(order.hasWorkForOthers(here, turns.nowNs));
        assertSame(woken, order.take(elsewhere));
    }

    /** With two threads and executors that stay on one of them, each take is compared with a plain list. */
    @Test
    void shouldTakeTheMostUrgentExecutorThatAThreadMayHave() {
        Random random = new Random(23);
        List<PoolThread> threads = List.of(here, elsewhere);
        List<PooledExecutor> idle = new ArrayList<>();
        Map<PooledExecutor, Urgency> urgencies = new HashMap<>();
        for (int i = 0; i < 3 * RunQueue.MANY; i++) {
            Urgency urgency = input.newUrgency();
            idle.add(turns.busy(urgency));
            urgencies.put(idle.get(i), urgency);
        }
        Map<PooledExecutor, PoolThread> added = new HashMap<>();
        Map<PooledExecutor, Long> readySinceNs = new HashMap<>();
        int leftAlone = 0;
        for (int step = 0; step < STEPS; step++) {
            turns.nowNs += random.nextLong(PooledExecutor.TAKEN_OVER_AFTER_NS / 4);
            PoolThread thread = threads.get(random.nextInt(2));
            if (random.nextBoolean() && !idle.isEmpty()) {
                PooledExecutor executor = idle.remove(random.nextInt(idle.size()));
                turns.turn(executor, thread);
                urgencies.get(executor).arrived(input.tuple(1 + random.nextInt(1_000_000)));
                added.put(executor, thread);
                readySinceNs.put(executor, turns.nowNs);
                continue;
            }
            order.hasWorkForOthers(thread, turns.nowNs);
            turns.nowNs += PooledExecutor.LOOKS_APART_NS;
            boolean areMany = Collections.frequency(added.values(), thread == here ? elsewhere : here) > RunQueue.MANY;
            PooledExecutor expected = added.keySet().stream().filter(executor -> areMany || added.get(executor) == thread
                    || turns.nowNs - readySinceNs.get(executor) > PooledExecutor.TAKEN_OVER_AFTER_NS + PooledExecutor.LOOKS_APART_NS)
                .min(Comparator.comparingLong(PooledExecutor::beginNs)).orElse(null);
            PooledExecutor taken = order.take(thread);
            assertEquals(expected == null ? 0 : expected.beginNs(), taken == null ? 0 : taken.beginNs());
            if (taken != null) {
                added.remove(taken);
                idle.add(taken);
            } else if (!added.isEmpty()) {
                leftAlone++;
            }
        }
        assertTrue(leftAlone > STEPS / 1000, "Few executors stayed on their thread.");
    }

    /** The promise of {@code topology.deadline.others.ms}, in virtual time: urgent input comes all the time, and nothing starves. */
    @Test
    void shouldHaveAnExecutorWithoutATargetWaitForOthersForOthersMsAtMost() {
        for (String policy : List.of("llf", "edf")) {
            for (int number : List.of(1, EXECUTORS)) { // Few, which stay on their thread, and many.
                TimedInput timed = TimedInput.withOthers(Map.of(DeadlineConfiguration.POLICY, policy));
                haveTheOtherWait(timed, number, TimedInput.TARGET_NS, OTHERS_NS);
            }
        }
    }

    /** Short jobs come all the time. A long one waits for those that come within the longest target, and does not starve. */
    @Test
    void shouldHaveALongJobWaitForShorterOnesForTheLongestTargetAtMost() {
        for (int number : List.of(1, EXECUTORS)) {
            TimedInput timed = TimedInput.withOthers(Map.of(DeadlineConfiguration.POLICY, "sjf"));
            timed.cost("bolt", TimeUnit.MICROSECONDS.toNanos(1));
            timed.cost("others", TimeUnit.HOURS.toNanos(1));
            haveTheOtherWait(timed, number, OTHERS_NS, OTHERS_NS + number * TURN_NS);
        }
    }

    /** Gives turns to so many executors that always have new input with that target, until the other executor has one. */
    private void haveTheOtherWait(TimedInput timed, int number, long targetNs, long atMostNs) {
        MostUrgentFirst tested = new MostUrgentFirst(turns::nowNs, List.of(), leastNs -> { });
        turns.use(tested);
        turns.nowNs = 0;
        PooledExecutor other = turns.busy(timed.newUrgency("others"));
        turns.turn(other, here);
        Map<PooledExecutor, Urgency> urgent = new HashMap<>();
        for (int i = 0; i < number; i++) {
            Urgency urgency = timed.newUrgency("bolt");
            PooledExecutor executor = turns.busy(urgency);
            urgent.put(executor, urgency);
            turns.turn(executor, here);
        }
        PooledExecutor next = tested.take(here);
        while (next != other) {
            timed.advance(TURN_NS);
            turns.nowNs += TURN_NS;
            turns.turn(next, here);
            urgent.get(next).arrived(timed.tuple(turns.nowNs + targetNs));
            assertTrue(turns.nowNs <= atMostNs, "It starves.");
            next = tested.take(here);
        }
        assertTrue(turns.nowNs > OTHERS_NS - 2 * TimedInput.TARGET_NS, "It was preferred to urgent input.");
    }

    @Test
    void shouldCountTargetsFromTheExecutorsLastLookAtTheClock() {
        Urgency spout = input.newUrgency("spout");
        List<Long> expected = new ArrayList<>();
        List<Long> emitted = new ArrayList<>();
        turns.quantumNs = TimeUnit.SECONDS.toNanos(1);
        PooledExecutor executor = new PooledExecutor(turns, "spout", () -> {
            expected.add(expected.isEmpty() ? 8 + TimedInput.TARGET_NS : expected.get(expected.size() - 1) + turns.quantumNs / 10);
            emitted.add(input.messageNs(spout));
            input.advance(turns.quantumNs / 10); // Calls that take so long end with a look.
            turns.nowNs += turns.quantumNs / 10;
            return 0L;
        }, (failed, e) -> { }, spout);
        turns.turn(executor, here);
        assertEquals(10, emitted.size());
        turns.turn(executor, here);
        assertEquals(20, emitted.size());
        assertEquals(expected, emitted);
    }

    /** An executor that has input with this deadline and has just had a turn. */
    private PooledExecutor ready(long deadlineNs, PoolThread thread) {
        Urgency urgency = input.newUrgency();
        PooledExecutor executor = turns.busy(urgency);
        turns.turn(executor, thread);
        urgency.arrived(input.tuple(deadlineNs));
        return executor;
    }

    /** An executor that has input with this deadline and has not been woken for it yet. */
    private PooledExecutor waiting(long deadlineNs) {
        Urgency urgency = input.newUrgency();
        PooledExecutor executor = turns.idle(urgency);
        urgency.arrived(input.tuple(deadlineNs));
        return executor;
    }

    /** An executor that is not the pool's: the order alone learns of its input. */
    private Timed inOrder() {
        Timed timed = new Timed(new ConcurrentLinkedQueue<>());
        timed.urgency.whenRaised(() -> order.raised(timed.executor));
        return timed;
    }

    @Test
    void shouldRunTheMostUrgentExecutorNextAlsoIfItBecomesSoWhileItWaits() throws InterruptedException {
        Queue<Timed> executed = new ConcurrentLinkedQueue<>();
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Urgency first = input.newUrgency();
        pool.add(new PooledExecutor(pool, "gate", () -> {
            blocked.countDown();
            release.await();
            SharedThread.current().yieldFor(Long.MAX_VALUE);
            return 0L;
        }, (thread, e) -> { }, first), false);
        assertTrue(blocked.await(SOON.toSeconds(), TimeUnit.SECONDS));
        List<Timed> timed = IntStream.range(0, 20).mapToObj(i -> new Timed(executed)).toList();
        timed.forEach(one -> pool.add(one.executor, false));
        List<Long> deadlines = new Random(3).longs(20, 1_000, 1_000_000).boxed().toList();
        IntStream.range(0, 20).forEach(i -> timed.get(i).put(deadlines.get(i)));
        timed.get(4).put(5);

        release.countDown();

        await().atMost(SOON).until(() -> executed.size() == 21);
        List<Timed> expected = new ArrayList<>(timed);
        expected.sort(Comparator.comparingLong(one -> one == timed.get(4) ? 5 : deadlines.get(timed.indexOf(one))));
        assertEquals(expected, executed.stream().distinct().toList());
    }

    @Test
    void shouldGiveTurnsToThoseWithDistantDeadlinesWhileUrgentInputNeverEnds() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        Urgency busy = input.newUrgency();
        long[] deadlineNs = {1_000};
        pool.add(new PooledExecutor(pool, "busy", () -> { // Each message of it is due a little later than the last one.
            deadlineNs[0] += 10;
            busy.turnBegins();
            busy.arrived(input.tuple(deadlineNs[0]));
            begun.countDown();
            return 0L;
        }, (thread, e) -> { }, busy), false);
        assertTrue(begun.await(SOON.toSeconds(), TimeUnit.SECONDS));
        Queue<Long> executedNs = new ConcurrentLinkedQueue<>();
        Queue<Long> waiting = new ConcurrentLinkedQueue<>();
        Urgency distant = input.newUrgency();
        PooledExecutor other = new PooledExecutor(pool, "other", () -> {
            if (waiting.poll() == null) {
                SharedThread.current().yieldFor(Long.MAX_VALUE);
            } else {
                executedNs.add(deadlineNs[0]);
            }
            return 0L;
        }, (thread, e) -> { }, distant);
        pool.add(other, false);
        for (int i = 1; i <= 5; i++) {
            int count = i;
            waiting.add(i * 100_000L);
            distant.arrived(input.tuple(i * 100_000L));
            other.run();
            await().atMost(SOON).until(() -> executedNs.size() == count);
        }

        int number = 1;
        for (long atNs : executedNs) {
            long dueNs = number++ * 100_000L;
            assertTrue(atNs >= dueNs, () -> "due at " + dueNs + ", and executed before input with the deadline " + atNs);
        }
    }
}
