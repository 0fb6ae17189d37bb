package io.eyewall.client.pool;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.engine.SharedThread;
import io.eyewall.client.time.NanoClock;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ExecutorPoolTest {

    private static final int THREADS = 2;
    private static final Duration SOON = Duration.ofMinutes(3);

    private final AtomicReference<Throwable> death = new AtomicReference<>();
    private final ExecutorPool pool = new ExecutorPool(THREADS, TimeUnit.MICROSECONDS.toNanos(100), TimeUnit.MILLISECONDS.toNanos(20),
        NanoClock.SYSTEM, null, null);

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    void shouldExecuteAllInputInOrderByOneThreadAtATimeWhenManyThreadsProduce() throws InterruptedException {
        int messages = 50_000;
        AtomicIntegerArray arrived = new AtomicIntegerArray(2);
        Mailbox last = new Mailbox("last", message -> arrived.incrementAndGet(message / messages));
        Mailbox middle = new Mailbox("middle", last::put);
        List<Mailbox> first = List.of(new Mailbox("first-0", middle::put), new Mailbox("first-1", middle::put));
        List<Thread> producers = new ArrayList<>();
        for (int i = 0; i < first.size(); i++) {
            Mailbox mailbox = first.get(i);
            int producer = i;
            producers.add(new Thread(() -> {
                for (int message = 0; message < messages; message++) {
                    mailbox.put(producer * messages + message);
                    if (message % 1_000 == 0) {
                        int sent = message;
                        spinUntil(() -> arrived.get(producer) > sent); // So that the pool runs dry, too.
                    }
                }
            }));
        }
        producers.forEach(Thread::start);
        for (Thread producer : producers) {
            producer.join();
        }

        await().atMost(SOON).until(() -> last.executed.size() == 2 * messages);
        int[] expected = {0, messages};
        for (int message : last.executed) {
            assertEquals(expected[message / messages]++, message);
        }
        assertNull(death.get());
    }

    @Test
    void shouldNotHoldUpOthersWhenCallsBlock() throws InterruptedException {
        CountDownLatch blocked = new CountDownLatch(THREADS);
        CountDownLatch release = new CountDownLatch(1);
        List<Mailbox> blocking = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            blocking.add(new Mailbox("blocking-" + i, message -> {
                blocked.countDown();
                awaitUninterrupted(release);
            }));
        }
        Mailbox other = new Mailbox("other", message -> { });
        blocking.forEach(mailbox -> mailbox.put(1));
        assertTrue(blocked.await(SOON.toSeconds(), TimeUnit.SECONDS));

        other.put(2);

        await().atMost(SOON).until(() -> other.executed.contains(2));
        assertEquals(THREADS, pool.outside());
        assertTrue(blocking.stream().allMatch(mailbox -> pool.hasOwnThread(mailbox.executor)));
        assertFalse(pool.hasOwnThread(other.executor));
        release.countDown();
        blocking.forEach(mailbox -> mailbox.put(3));
        await().atMost(SOON).until(() -> blocking.stream().allMatch(mailbox -> mailbox.executed.size() == 2));
    }

    @Test
    void shouldRunWhatWaitsBehindACallThatBlocks() {
        CountDownLatch release = new CountDownLatch(1);
        Mailbox behind = new Mailbox("behind", message -> { });
        Mailbox blocking = new Mailbox("blocking", message -> {
            behind.put(message); // Waits for this thread.
            awaitUninterrupted(release);
        });

        blocking.put(1);

        await().atMost(SOON).until(() -> behind.executed.contains(1));
        release.countDown();
    }

    @Test
    void shouldGiveAThreadToAnExecutorThatSleepsOftenAlthoughEachCallIsShort() {
        Mailbox sleeping = new Mailbox("sleeping", ExecutorPoolTest::sleep);

        await().atMost(SOON).pollInterval(Duration.ofMillis(4)).until(() -> {
            sleeping.put(5);
            return pool.outside() == 1;
        });

        int executed = sleeping.executed.size();
        sleeping.put(0);
        await().atMost(SOON).until(() -> sleeping.executed.size() > executed && sleeping.executed.contains(0));
    }

    @Test
    void shouldGiveAThreadToAnExecutorThatSleepsOftenAlthoughATimerIsAlwaysDue() {
        Mailbox sleeping = new Mailbox("sleeping", ExecutorPoolTest::sleep);
        add("polling", () -> {
            SharedThread.current().yieldFor(1);
            return 0L;
        }, false);

        await().atMost(SOON).pollInterval(Duration.ofMillis(4)).until(() -> {
            sleeping.put(5);
            return pool.hasOwnThread(sleeping.executor);
        });
    }

    /** As in Storm's tutorials. */
    @Test
    void shouldLeaveASpoutOutsideThatSleepsInEachCall() {
        PooledExecutor spout = add("spout", () -> {
            sleep(100);
            return 0L;
        }, true);

        await().during(Duration.ofSeconds(3)).atMost(SOON).until(() -> pool.hasOwnThread(spout));
    }

    /** A driver of a database waits for its socket in native code. Java says that such a thread runs. */
    @Test
    void shouldGiveAThreadToAnExecutorThatWaitsForASocketForAsLongAsItDoes() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket socket = new Socket(silent.getInetAddress(), silent.getLocalPort())) {
            socket.setSoTimeout(45); // Longer than a call may take, and shorter than one of a thread that may be preempted.
            PooledExecutor reading = add("reading", () -> {
                assertThrows(SocketTimeoutException.class, socket.getInputStream()::read);
                return 0L;
            }, false);

            await().atMost(SOON).until(() -> pool.hasOwnThread(reading));

            await().during(Duration.ofSeconds(3)).atMost(SOON).until(() -> pool.hasOwnThread(reading));
            assertTrue(reading.stop(SOON.toMillis()));
        }
    }

    @Test
    void shouldGiveEachExecutorATurnAlthoughNothingWakesIt() {
        AtomicInteger rounds = new AtomicInteger();
        add("idle", () -> {
            rounds.incrementAndGet();
            SharedThread.current().yieldFor(Long.MAX_VALUE);
            return 0L;
        }, false);

        await().atMost(SOON).until(() -> rounds.get() > 2);
    }

    @Test
    void shouldTakeAnExecutorBackWhenItsCallsAreShortAgain() {
        Mailbox mailbox = new Mailbox("sometimes-slow", message -> blockUntilOutside(message == 1));
        mailbox.put(1);
        await().atMost(SOON).until(() -> pool.outside() == 1);

        await().atMost(SOON).pollInterval(Duration.ofMillis(20)).until(() -> {
            mailbox.put(2);
            return pool.outside() == 0;
        });

        int executed = mailbox.executed.size();
        mailbox.put(3);
        await().atMost(SOON).until(() -> mailbox.executed.contains(3));
        assertTrue(mailbox.executed.size() > executed);
    }

    @Test
    void shouldLeaveAnExecutorOutsideForLongerThatBlocksAgain() {
        Mailbox mailbox = new Mailbox("slow", message -> blockUntilOutside(message == 1));
        long[] outsideNs = new long[2];
        for (int time = 0; time < outsideNs.length; time++) {
            long sinceNs = System.nanoTime();
            mailbox.put(1);
            await().atMost(SOON).until(() -> pool.outside() == 1);
            await().atMost(SOON).pollInterval(Duration.ofMillis(20)).until(() -> {
                mailbox.put(0);
                return pool.outside() == 0;
            });
            outsideNs[time] = System.nanoTime() - sinceNs;
        }

        assertTrue(outsideNs[0] >= ExecutorPool.CALM_NS && outsideNs[1] >= 2 * ExecutorPool.CALM_NS, () -> Arrays.toString(outsideNs));
    }

    @Test
    void shouldRunAnExecutorAgainWhenItsTimeHasComeAlthoughNothingWakesIt() {
        AtomicInteger rounds = new AtomicInteger();
        add("polling", () -> {
            rounds.incrementAndGet();
            SharedThread.current().yieldFor(TimeUnit.MILLISECONDS.toNanos(1));
            return 0L;
        }, false);
        AtomicInteger slept = new AtomicInteger();
        add("sleeping", () -> {
            slept.incrementAndGet();
            return 1L;
        }, true);

        await().atMost(SOON).until(() -> rounds.get() > 20 && slept.get() > 20);
    }

    @Test
    void shouldGoOnAtItsTimeWhenAnExecutorJoinsThatOnlyATimerWakes() {
        AtomicInteger rounds = new AtomicInteger();
        add("polling", () -> {
            rounds.incrementAndGet();
            SharedThread.current().yieldFor(TimeUnit.MILLISECONDS.toNanos(1));
            return 0L;
        }, true);
        await().atMost(SOON).until(() -> pool.outside() == 0);
        int joined = rounds.get();

        await().atMost(SOON).until(() -> rounds.get() > joined + 20);
    }

    @Test
    void shouldKeepOneTimerOnlyWhenAnExecutorIsWokenBeforeItsTime() {
        AtomicInteger rounds = new AtomicInteger();
        PooledExecutor executor = add("polling", () -> {
            rounds.incrementAndGet();
            SharedThread.current().yieldFor(TimeUnit.MILLISECONDS.toNanos(50));
            return 0L;
        }, false);
        for (int i = 0; i < 200; i++) {
            int had = rounds.get();
            executor.run();
            spinUntil(() -> rounds.get() > had);
        }
        int before = rounds.get();
        long sinceNs = System.nanoTime();

        await().atMost(SOON).until(() -> rounds.get() >= before + 10);

        int had = rounds.get() - before;
        long ms = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sinceNs);
        long due = ms / 50 + ms / 1_000 + 2; // The pool has each executor run once a second, too.
        assertTrue(had <= due, () -> had + " rounds, " + due + " were due");
    }

    @Test
    void shouldLetOthersRunWhileAnExecutorAlwaysHasWork() {
        for (int i = 0; i < THREADS; i++) {
            add("busy-" + i, () -> 0L, false);
        }
        Mailbox other = new Mailbox("other", message -> { });
        for (int message = 0; message < 100; message++) {
            other.put(message);
        }

        await().atMost(SOON).until(() -> other.executed.size() == 100);
        pool.close();
        await().atMost(SOON).until(() -> Thread.getAllStackTraces().keySet().stream().noneMatch(thread ->
            thread.getName().startsWith("busy-")));
    }

    /** The clock is read after 64 short calls. A turn of 64 long ones would last for half a second. */
    @Test
    void shouldEndATurnSoonWhenCallsTakeLongerThanThoseBefore() {
        ExecutorPool single = new ExecutorPool(1, TimeUnit.MICROSECONDS.toNanos(100), TimeUnit.MINUTES.toNanos(1),
            NanoClock.SYSTEM, null, null);
        AtomicInteger calls = new AtomicInteger();
        AtomicInteger callsAtOther = new AtomicInteger();
        AtomicReference<PooledExecutor> other = new AtomicReference<>();
        int shortCalls = 100_000;
        other.set(new PooledExecutor(single, "other", () -> {
            callsAtOther.compareAndSet(0, calls.get() > shortCalls ? calls.get() : 0);
            SharedThread.current().yieldFor(Long.MAX_VALUE);
            return 0L;
        }, (thread, e) -> death.set(e), null));
        single.add(other.get(), false);
        single.add(new PooledExecutor(single, "slower", () -> {
            if (calls.incrementAndGet() > shortCalls) {
                if (calls.get() == shortCalls + 1) {
                    other.get().run();
                }
                sleep(8);
            }
            return 0L;
        }, (thread, e) -> death.set(e), null), false);

        await().atMost(SOON).until(() -> callsAtOther.get() > 0);
        single.close();
        assertTrue(callsAtOther.get() - shortCalls < 20, () -> "after " + (callsAtOther.get() - shortCalls) + " long calls");
    }

    @Test
    void shouldReportAFailureAndGoOnWithOthers() {
        Mailbox failing = new Mailbox("failing", message -> {
            throw new IllegalArgumentException("message " + message);
        });
        failing.put(7);
        await().atMost(SOON).until(() -> death.get() != null);
        assertEquals("message 7", death.get().getCause().getMessage());

        Mailbox other = new Mailbox("other", message -> { });
        other.put(1);

        await().atMost(SOON).until(() -> other.executed.contains(1));
    }

    @Test
    void shouldStopAnExecutorWhetherItWaitsOrBlocks() throws InterruptedException {
        Mailbox waiting = new Mailbox("waiting", message -> { });
        CountDownLatch never = new CountDownLatch(1);
        AtomicReference<Exception> interrupted = new AtomicReference<>();
        Mailbox blocking = new Mailbox("blocking", message -> {
            try {
                never.await();
            } catch (InterruptedException e) {
                interrupted.set(e);
                throw new IllegalStateException(e);
            }
        });
        blocking.put(1);

        assertTrue(waiting.executor.stop(SOON.toMillis()));
        assertTrue(blocking.executor.stop(SOON.toMillis()));

        assertEquals(InterruptedException.class, interrupted.get().getClass());
        assertNull(death.get(), "an interrupt is no failure");
        waiting.put(2);
        Mailbox other = new Mailbox("other", message -> { });
        other.put(3);
        await().atMost(SOON).until(() -> other.executed.contains(3));
        assertTrue(waiting.executed.isEmpty());
    }

    @Test
    void shouldNameAThreadByTheExecutorThatItRuns() {
        Set<String> names = ConcurrentHashMap.newKeySet();
        Mailbox named = new Mailbox("Thread-7-count-executor[7, 7]", message -> names.add(Thread.currentThread().getName()));
        named.put(1);
        await().atMost(SOON).until(() -> !named.executed.isEmpty());
        assertEquals(Set.of("Thread-7-count-executor[7, 7]"), names);
    }

    private PooledExecutor add(String name, Callable<Long> body, boolean outside) {
        PooledExecutor executor = new PooledExecutor(pool, name, body, (thread, e) -> death.set(e), null);
        pool.add(executor, outside);
        return executor;
    }

    /** Waits for what comes soon. */
    private static void spinUntil(BooleanSupplier come) {
        long sinceNs = System.nanoTime();
        while (!come.getAsBoolean()) {
            assertTrue(System.nanoTime() - sinceNs < SOON.toNanos(), "It does not come.");
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(50));
        }
    }

    /** Blocks until the thread has left the pool. */
    private void blockUntilOutside(boolean blocks) {
        if (blocks) {
            await().atMost(SOON).until(() -> pool.outside() == 1);
        }
    }

    private static void sleep(long ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** An executor that takes what others put, as a bolt's does. */
    private final class Mailbox {
        final Queue<Integer> executed = new ConcurrentLinkedQueue<>();
        private final Queue<Integer> input = new ConcurrentLinkedQueue<>();
        private final PooledExecutor executor;
        /** Not atomic: a second thread that executes at the same time is found by its count. */
        private int executing;

        Mailbox(String name, IntConsumer execute) {
            executor = new PooledExecutor(pool, name, () -> round(execute), (thread, e) -> death.set(e), null);
            pool.add(executor, false);
        }

        void put(int message) {
            input.add(message);
            executor.run();
        }

        private Long round(IntConsumer execute) {
            Integer message = input.poll();
            if (message == null) {
                SharedThread.current().yieldFor(Long.MAX_VALUE);
                return 0L;
            }
            if (++executing != 1) {
                death.set(new IllegalStateException("two threads at once"));
            }
            execute.accept(message);
            executed.add(message);
            executing--;
            return 0L;
        }
    }
}
