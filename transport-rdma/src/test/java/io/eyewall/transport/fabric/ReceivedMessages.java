package io.eyewall.transport.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.time.NanoClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.storm.messaging.IConnectionCallback;
import org.apache.storm.messaging.TaskMessage;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Records the messages that arrive for each task. */
class ReceivedMessages implements IConnectionCallback {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Map<Integer, List<byte[]>> byTask = new ConcurrentHashMap<>();

    /** A wait with a late deadline and frequent checks. */
    static ConditionFactory patiently() {
        return Awaitility.await().atMost(PATIENCE).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(10));
    }

    @Override
    public void recv(List<TaskMessage> batch) {
        for (TaskMessage message : batch) {
            byTask.computeIfAbsent(message.task(), task -> new CopyOnWriteArrayList<>()).add(message.message());
        }
        synchronized (byTask) {
            byTask.notifyAll();
        }
    }

    List<byte[]> of(int task) {
        return byTask.getOrDefault(task, List.of());
    }

    /** Waits until a task has this many messages, and checks that it has no more. Returns at once: tests wait thousands of times. */
    List<byte[]> await(int task, int count) {
        long deadlineNs = NanoClock.SYSTEM.nanoTime() + PATIENCE.toNanos();
        synchronized (byTask) {
            while (of(task).size() < count) {
                long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - NanoClock.SYSTEM.nanoTime());
                assertTrue(leftMs > 0, () -> "task " + task + " has only " + of(task).size() + " messages of " + count);
                try {
                    byTask.wait(leftMs);
                } catch (InterruptedException e) {
                    throw new AssertionError("Interrupted while waiting for messages.", e);
                }
            }
        }
        assertEquals(count, of(task).size(), "messages for task " + task);
        return of(task);
    }
}
