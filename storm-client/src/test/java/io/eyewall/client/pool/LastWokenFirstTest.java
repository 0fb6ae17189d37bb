package io.eyewall.client.pool;

import static io.eyewall.client.pool.PooledExecutor.LOOKS_APART_NS;
import static io.eyewall.client.pool.PooledExecutor.TAKEN_OVER_AFTER_NS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LastWokenFirstTest {

    private static final int STEPS = 100_000;
    private static final int EXECUTORS = 8;

    private final List<RunQueue> queues = List.of(new RunQueue(), new RunQueue(), new RunQueue());
    private final List<PoolThread> threads = queues.stream().map(queue -> new PoolThread(null, queue, null, "pool")).toList();
    private final PoolThread here = threads.get(0);
    private final PoolThread elsewhere = threads.get(1);
    private final PoolThread idle = threads.get(2);
    private final ScriptedTurns turns = new ScriptedTurns();
    private final LastWokenFirst order =
        new LastWokenFirst(new AtomicReferenceArray<>(threads.toArray(PoolThread[]::new)), queues, turns::nowNs);

    @BeforeEach
    void begin() {
        turns.use(order);
    }

    @Test
    void shouldRunTheExecutorNextThatWasWokenLast() {
        PooledExecutor first = idle();
        PooledExecutor last = idle();
        assertTrue(wake(first, here));
        assertTrue(wake(last, here));

        assertSame(last, order.take(here));
        assertSame(first, order.take(here));
        assertNull(order.take(here));
    }

    @Test
    void shouldLeaveAnExecutorToTheThreadThatHasItsInputUntilItHasWaited() {
        PooledExecutor busy = busy();
        assertTrue(turn(busy, here));
        PooledExecutor woken = idle();
        assertTrue(wake(woken, here));

        turns.nowNs += TAKEN_OVER_AFTER_NS;
        assertFalse(order.hasWorkForOthers(here, turns.nowNs));
        turns.nowNs++;
        assertFalse(order.hasWorkForOthers(here, turns.nowNs), "It is found overdue for the first time.");
        turns.nowNs += LOOKS_APART_NS - 1;
        assertNull(order.take(elsewhere));

        turns.nowNs++;
        assertTrue(order.hasWorkForOthers(here, turns.nowNs));
        assertSame(busy, order.take(elsewhere));
        assertSame(woken, order.take(elsewhere));
        assertNull(order.take(here));
    }

    /** After a pause of the process all have waited, and their thread goes on. */
    @Test
    void shouldNotTakeOverAnExecutorThatHasATurnBetweenTwoLooks() {
        turn(busy(), here);
        turns.nowNs += 5 * TAKEN_OVER_AFTER_NS;
        assertNull(order.take(elsewhere));

        turn(order.take(here), here);
        turns.nowNs += LOOKS_APART_NS;
        assertNull(order.take(elsewhere));
        turns.nowNs += TAKEN_OVER_AFTER_NS;
        assertNull(order.take(elsewhere));
        turns.nowNs += LOOKS_APART_NS;
        assertNotNull(order.take(elsewhere));
    }

    @Test
    void shouldTakeOverFromEachThreadAtWhichOneWaits() {
        PooledExecutor first = busy();
        PooledExecutor second = busy();
        turn(first, here);
        turn(second, elsewhere);

        turns.nowNs += TAKEN_OVER_AFTER_NS + 1;
        assertNull(order.take(idle));
        turns.nowNs += LOOKS_APART_NS;
        assertSame(first, order.take(idle));
        assertSame(second, order.take(idle));
    }

    @Test
    void shouldGiveAwayTheExecutorThatWaitsLongestWhereManyWait() {
        List<PooledExecutor> ready = Stream.generate(this::busy).limit(4).toList();
        ready.subList(0, 3).forEach(executor -> turn(executor, here));
        assertFalse(order.hasWorkForOthers(here, turns.nowNs));
        assertNull(order.take(elsewhere));

        turn(ready.get(3), here);

        assertTrue(order.hasWorkForOthers(here, turns.nowNs));
        assertSame(ready.get(0), order.take(elsewhere));
        assertFalse(order.hasWorkForOthers(here, turns.nowNs));
        assertNull(order.take(elsewhere));
        assertSame(ready.get(1), order.take(here));
    }

    @Test
    void shouldGiveAnExecutorThatIsWokenFromOutsideToAnyThread() {
        PooledExecutor woken = idle();
        assertFalse(wake(woken, null));

        assertTrue(order.hasWorkForOthers(here, turns.nowNs));
        assertSame(woken, order.take(elsewhere));
    }

    /** A thread that is woken for nothing costs as much as many tuples; one that is not woken lets an executor wait. */
    @Test
    void shouldHaveWorkForOthersExactlyWhenAnotherThreadFindsSome() {
        Random random = new Random(11);
        List<PooledExecutor> idle = new ArrayList<>(Stream.generate(this::idle).limit(EXECUTORS).toList());
        int takenOver = 0;
        for (int step = 0; step < STEPS; step++) {
            turns.nowNs += random.nextLong(TAKEN_OVER_AFTER_NS / 2);
            PooledExecutor taken = null;
            int what = random.nextInt(4);
            if (what < 2 && !idle.isEmpty()) {
                wake(idle.remove(random.nextInt(idle.size())), random.nextInt(4) == 0 ? null : here);
            } else if (what == 2) {
                taken = order.take(here);
                assertEquals(idle.size() == EXECUTORS, taken == null);
            } else {
                boolean worthAWakeUp = order.hasWorkForOthers(here, turns.nowNs);
                taken = order.take(elsewhere);
                assertEquals(worthAWakeUp, taken != null);
                takenOver += taken == null ? 0 : 1;
            }
            if (taken != null) {
                turn(taken, here);
                assertFalse(idle.contains(taken));
                idle.add(taken);
            }
        }
        assertTrue(takenOver > STEPS / 100, "Few executors were taken over.");
    }

    private boolean wake(PooledExecutor executor, PoolThread thread) {
        return turns.wake(executor, thread);
    }

    private boolean turn(PooledExecutor executor, PoolThread thread) {
        return turns.turn(executor, thread);
    }

    private PooledExecutor idle() {
        return turns.idle(null);
    }

    private PooledExecutor busy() {
        return turns.busy(null);
    }
}
