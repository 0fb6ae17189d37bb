package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.eyewall.client.stream.StreamConfiguration;
import io.eyewall.integration.cluster.WorkerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The same failures while the topology runs in containers with stream managers, and an instance that cannot start. */
@Tag("system")
@Tag("long")
class StreamManagerFailuresSystemTest extends FailuresSystemTest {

    private static final String BOLT = "second";

    @Override
    String name() {
        return "stream-manager-failures";
    }

    @Override
    Map<String, Object> settings() {
        return Map.of(StreamConfiguration.MODE, "stream-manager", "topology.component.resources.onheap.memory.mb", 128.0);
    }

    /** Nimbus gives an executor half a minute to start. Without its directory a process cannot be started. */
    @Test
    void shouldRunAnExecutorElsewhereWhoseInstanceCannotStart() throws IOException {
        Map.Entry<Long, String> victim = bolts().entrySet().iterator().next();
        WorkerProcess container = container(victim.getKey());
        Path directory = Files.readSymbolicLink(Path.of("/proc/" + victim.getKey() + "/cwd"));

        Files.move(directory, directory.resolveSibling(victim.getValue() + ".moved"));
        ProcessHandle.of(victim.getKey()).ifPresent(ProcessHandle::destroyForcibly);

        processes.await(victim.getValue() + " runs elsewhere", () -> bolts().entrySet().stream()
            .anyMatch(bolt -> bolt.getValue().equals(victim.getValue()) && container(bolt.getKey()).pid() != container.pid()));
        awaitRecovery();
        assertEquals(2, bolts().size(), () -> "each executor runs once: " + bolts());
    }

    /** The processes of the bolt's instances, by pid. */
    private Map<Long, String> bolts() {
        Map<Long, String> found = new TreeMap<>();
        processes.workers(TOPOLOGY).forEach(container -> instances(container).forEach((pid, name) -> {
            if (name.startsWith(BOLT + "-")) {
                found.put(pid, name);
            }
        }));
        return found;
    }

    private WorkerProcess container(long instance) {
        return processes.workers(TOPOLOGY).stream().filter(container -> instances(container).containsKey(instance)).findFirst()
            .orElseThrow();
    }

    private static Map<Long, String> instances(WorkerProcess container) {
        return ContainerChildren.of(container, ContainerChildren.INSTANCES);
    }
}
