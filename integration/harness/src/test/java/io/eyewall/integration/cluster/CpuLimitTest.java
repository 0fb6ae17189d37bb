package io.eyewall.integration.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CpuLimitTest {

    private final String name = "eyewall-test-" + ProcessHandle.current().pid();

    @BeforeEach
    void needGroups() {
        Optional<String> cause = CpuLimit.unavailabilityCause();
        assumeTrue(cause.isEmpty(), () -> cause.orElseThrow());
    }

    @Test
    void shouldHoldWhatIsAddedAndWhatIsStartedInItUntilItIsClosed() throws Exception {
        Process added = new ProcessBuilder("sleep", "60").start();
        Process started = null;
        try {
            try (CpuLimit limit = CpuLimit.of(name, 0.3)) {
                limit.add(added.pid());
                List<String> command = new ArrayList<>(limit.commandPrefix());
                command.addAll(List.of("sleep", "60"));
                Process inIt = new ProcessBuilder(command).start();
                started = inIt;
                Awaitility.await().until(() -> groupOf(inIt).endsWith("/" + name));
                assertTrue(groupOf(added).endsWith("/" + name), groupOf(added));
                assertEquals("3000", Files.readString(Path.of("/sys/fs/cgroup/cpu", name, "cpu.cfs_quota_us")).strip());
            }
            assertFalse(groupOf(added).contains(name), groupOf(added));
            assertFalse(groupOf(started).contains(name), groupOf(started));
            assertTrue(added.isAlive() && started.isAlive());
            assertTrue(Files.notExists(Path.of("/sys/fs/cgroup/cpu", name)));
        } finally {
            added.destroyForcibly();
            if (started != null) {
                started.destroyForcibly();
            }
        }
    }

    @Test
    void shouldRefuseWhatTheKernelCannotLimit() {
        assertEquals("A CPU limit is at least 0.1 cores, not 0.05.",
            assertThrows(IllegalArgumentException.class, () -> CpuLimit.of(name, 0.05)).getMessage());
        try (CpuLimit first = CpuLimit.of(name, 1)) {
            String message = assertThrows(ClusterException.class, () -> CpuLimit.of(name, 1)).getMessage();
            assertTrue(message.startsWith("Cannot make /sys/fs/cgroup/cpu/" + name), message);
            assertThrows(ClusterException.class, () -> first.add(0x7fffffffL));
        }
    }

    private static String groupOf(Process process) throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "cgroup")).stream()
            .filter(line -> line.matches("\\d+:(cpu|.*,cpu|cpu,.*|.*,cpu,.*):.*")).findFirst().orElseThrow();
    }
}
