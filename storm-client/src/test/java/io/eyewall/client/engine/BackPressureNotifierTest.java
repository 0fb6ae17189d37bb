package io.eyewall.client.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.seam.ForwardingReceiver;
import io.eyewall.client.seam.QueueRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.daemon.worker.BackPressureTracker;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.policy.WaitStrategyPark;
import org.apache.storm.utils.JCQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One thread finds the queue of a task full, as that which receives from other workers does, and another one empties it. */
class BackPressureNotifierTest {

    private static final Duration DEADLINE = Duration.ofMinutes(1);
    private static final int TASK = 1;
    private static final int ELEMENTS = 5_000;

    private final AtomicLong nowNs = new AtomicLong();
    private final BackPressureNotifier notifier = new BackPressureNotifier(nowNs::get);
    private final StormMetricRegistry metrics = new StormMetricRegistry();
    private final WakingQueue queue = new WakingQueue(new QueueRequest("queue", "metric", 2, 0, 1, new WaitStrategyPark(1),
        "topology", "component", List.of(TASK), 6700, metrics), true, new SpaceSignal(notifier::requestReport));
    private final BackPressureTracker tracker = new BackPressureTracker("worker", Map.of(TASK, queue), metrics, Map.of(TASK, "component"));
    private final Heard heard = new Heard();
    private final IConnection receiver = receiver();

    @AfterEach
    void close() {
        notifier.close();
        queue.close();
    }

    @Test
    void shouldReportLastThatTheTaskHasRoomWhenNothingLiesBesideItsQueue() throws InterruptedException {
        AtomicInteger taken = new AtomicInteger();
        Thread consumer = new Thread(() -> {
            Counter counter = new Counter(taken);
            while (taken.get() < ELEMENTS) {
                queue.consume(counter);
                pause();
            }
        });
        consumer.start();
        for (int element = 0; element < ELEMENTS; element++) {
            if (!(queue.isEmptyOverflow() && queue.tryPublish(element))) {
                if (tracker.recordBackPressure(tracker.getBackpressureState(TASK))) {
                    receiver.sendBackPressureStatus(tracker.getCurrStatus());
                }
                assertTrue(queue.tryPublishToOverflow(element));
            }
            pause();
        }
        consumer.join();

        assertTimeoutPreemptively(DEADLINE, () -> {
            while (!heard.last.nonBpTasks.contains(TASK)) {
                LockSupport.parkNanos(100_000);
            }
        });
        LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        assertEquals(List.of(), heard.last.bpTasks, "and no older news came behind it");
        assertTrue(heard.holdBack.get() > 0, "the queue was full");
        assertEquals(1, heard.reporters.size());
    }

    /** The network's thread works the first status out, and sends it after a newer one. */
    @Test
    void shouldReportOnceMoreAfterAWorkerHasConnected() {
        SteppedNotifier stepped = new SteppedNotifier(() -> tracker, nowNs::get);
        int[] reports = {0};
        IConnection counting = new ForwardingReceiver(heard) {
            @Override
            public void sendBackPressureStatus(BackPressureStatus status) {
                reports[0]++;
            }
        };
        stepped.connected();
        assertFalse(stepped.step(counting), "the first status is still on its way");
        nowNs.set(Duration.ofSeconds(1).toNanos());

        assertTrue(stepped.step(counting));
        assertFalse(stepped.step(counting));
        assertEquals(1, reports[0]);
    }

    /** A transport of a third party may throw anything. */
    @Test
    void shouldReportAgainAfterTheTransportHasThrown() {
        SteppedNotifier stepped = new SteppedNotifier(() -> tracker, nowNs::get);
        int[] reports = {0};
        stepped.requestReport();
        IConnection failing = new ForwardingReceiver(heard) {
            @Override
            public void sendBackPressureStatus(BackPressureStatus status) {
                if (reports[0]++ < 2) {
                    throw new IllegalStateException("not yet");
                }
            }
        };
        for (int second = 1; second <= 3; second++) {
            assertTrue(stepped.step(failing));
            assertFalse(stepped.step(failing), "at once");
            nowNs.set(Duration.ofSeconds(second).toNanos());
        }

        assertFalse(stepped.step(failing), "after it has succeeded");
        assertEquals(3, reports[0]);
    }

    private IConnection receiver() {
        notifier.setTracker(() -> tracker);
        return notifier.start(heard);
    }

    /** Lets the other thread overtake this one, or not. */
    private static void pause() {
        if (ThreadLocalRandom.current().nextInt(8) == 0) {
            LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(20_000));
        }
    }

    /** A sender. */
    private static final class Heard extends ForwardingReceiver {
        private final Set<Thread> reporters = ConcurrentHashMap.newKeySet();
        private final AtomicInteger holdBack = new AtomicInteger();
        private volatile BackPressureStatus last;

        Heard() {
            super(null);
        }

        @Override
        public void sendBackPressureStatus(BackPressureStatus status) {
            pause();
            reporters.add(Thread.currentThread());
            holdBack.addAndGet(status.bpTasks.size());
            last = status;
        }

        @Override
        public int getPort() {
            return 6700;
        }
    }

    private record Counter(AtomicInteger taken) implements JCQueue.Consumer {
        @Override
        public void accept(Object element) {
            taken.incrementAndGet();
        }

        @Override
        public void flush() {
            // Nothing is kept back.
        }
    }
}
