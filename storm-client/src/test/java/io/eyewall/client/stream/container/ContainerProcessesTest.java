package io.eyewall.client.stream.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.stream.plan.Instance;
import io.eyewall.client.stream.slot.ParentContainer;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When an instance may be started. */
class ContainerProcessesTest {

    private static final Instance INSTANCE = new Instance(4, "count", List.of(List.of(4L, 5L)));

    @Test
    void shouldStartAnInstanceThatRunsNowhere() {
        assertTrue(ContainerProcesses.mayStart(INSTANCE, Set.of(4, 5), Set.of()));
        assertTrue(ContainerProcesses.mayStart(INSTANCE, Set.of(3, 4, 5), Set.of(3, 6)));
    }

    @Test
    void shouldNotStartAnInstanceThatTheStreamManagerDoesNotName() {
        assertFalse(ContainerProcesses.mayStart(INSTANCE, Set.of(), Set.of()));
        assertFalse(ContainerProcesses.mayStart(INSTANCE, Set.of(3, 44, 5), Set.of()));
        assertFalse(ContainerProcesses.mayStart(INSTANCE, Set.of(4), Set.of()), "another container may have the other task");
    }

    @Test
    void shouldStartAFewAtATime(@TempDir Path directory) throws Exception {
        AtomicIntegerArray beats = new AtomicIntegerArray(5);
        long secondNs = TimeUnit.SECONDS.toNanos(1);
        long minuteNs = TimeUnit.MINUTES.toNanos(1);
        List<ChildProcess> processes = IntStream.range(0, beats.length()).mapToObj(i -> new ChildProcess("process-" + i,
            List.of("sleep", "600"), directory, "secret", () -> beats.get(i), new ChildProcess.Patience(secondNs, minuteNs))).toList();
        try {
            ContainerProcesses.keepRunning(processes, 2, 0);
            assertEquals(List.of(0, 1), running(processes));
            ContainerProcesses.keepRunning(processes, 2, 1);
            assertEquals(List.of(0, 1), running(processes), "neither has sent a heartbeat");

            beats.incrementAndGet(1);
            ContainerProcesses.keepRunning(processes, 2, 2); // Sees the heartbeat.
            ContainerProcesses.keepRunning(processes, 2, 3);
            assertEquals(List.of(0, 1, 2), running(processes));

            ContainerProcesses.keepRunning(processes, 2, secondNs + 1); // Kills the first one, which has never sent any.
            processes.get(0).awaitEnd(minuteNs);
            processes.get(3).leave(ParentContainer.Leave.NOW, secondNs + 1);
            ContainerProcesses.keepRunning(processes, 2, secondNs + 2);
            assertEquals(List.of(1, 2, 4), running(processes), "the others get its place");
        } finally {
            for (ChildProcess process : processes) {
                process.awaitEnd(0);
            }
        }
    }

    private static List<Integer> running(List<ChildProcess> processes) {
        return IntStream.range(0, processes.size()).filter(i -> !processes.get(i).hasEnded()).boxed().toList();
    }

    @Test
    void shouldNotStartAnInstanceWithATaskOfOneThatLeaves() {
        assertFalse(ContainerProcesses.mayStart(INSTANCE, Set.of(4, 5), Set.of(5, 6)));
    }
}
