package io.eyewall.transport.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.storm.messaging.IConnectionCallback;
import org.apache.storm.messaging.TaskMessage;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Records the messages that arrive for each task. */
class ReceivedMessages implements IConnectionCallback {

    private final Map<Integer, List<byte[]>> byTask = new ConcurrentHashMap<>();

    /** A wait with a late deadline and frequent checks. */
    static ConditionFactory patiently() {
        return Awaitility.await().atMost(Duration.ofSeconds(90)).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(10));
    }

    @Override
    public void recv(List<TaskMessage> batch) {
        for (TaskMessage message : batch) {
            byTask.computeIfAbsent(message.task(), task -> new CopyOnWriteArrayList<>()).add(message.message());
        }
    }

    List<byte[]> of(int task) {
        return byTask.getOrDefault(task, List.of());
    }

    /** Waits until a task has this many messages, and checks that it has no more. */
    List<byte[]> await(int task, int count) {
        patiently().until(() -> of(task).size() >= count);
        assertEquals(count, of(task).size(), "messages for task " + task);
        return of(task);
    }
}
