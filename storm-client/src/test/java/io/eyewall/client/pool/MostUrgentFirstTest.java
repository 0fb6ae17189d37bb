package io.eyewall.client.pool;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.deadline.TimedInput;
import io.eyewall.client.deadline.Urgency;
import io.eyewall.client.engine.SharedThread;
import io.eyewall.client.time.NanoClock;
import java.time.Duration;
import java.util.ArrayList;
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
import org.junit.jupiter.api.Test;

class MostUrgentFirstTest {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int EXECUTORS = 150;
    private static final int STEPS = 20_000;

    private final TimedInput input = new TimedInput();
    private final ExecutorPool pool =
        new ExecutorPool(1, TimeUnit.MICROSECONDS.toNanos(100), TimeUnit.MINUTES.toNanos(1), NanoClock.SYSTEM, true);
    private final MostUrgentFirst order = new MostUrgentFirst();

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
                PooledExecutor first = order.take(null);
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
        assertNull(order.take(null));
        order.addAfterTurn(timed.executor, null);
        assertEquals(timed.executor, order.take(null));
        timed.urgency.arrived(input.tuple(4));
        assertNull(order.take(null));
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
