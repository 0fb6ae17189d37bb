package io.eyewall.integration.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DaemonTest {

    @TempDir
    private Path directory;
    private Daemon daemon;

    @BeforeEach
    void create() {
        List<String> command = List.of("sh", "-c", "echo started; exec sleep 1000");
        daemon = new Daemon("sleeper", command, directory.resolve("state"), directory.resolve("logs"));
    }

    @AfterEach
    void kill() {
        daemon.kill();
    }

    @Test
    void shouldRunAgainAsAnotherProcessWhenStartedAfterBeingKilled() {
        daemon.start();
        long first = daemon.pid();
        daemon.kill();
        assertFalse(ProcessTable.isAlive(first));
        daemon.start();
        assertTrue(daemon.isAlive());
        assertNotEquals(first, daemon.pid());
    }

    @Test
    void shouldKeepWhatBothRunsPrint() {
        daemon.start();
        awaitOutput("started\n");
        daemon.kill();
        daemon.start();
        awaitOutput("started\nstarted\n");
    }

    @Test
    void shouldRefuseToStartWhenItRuns() {
        daemon.start();
        assertThrows(IllegalStateException.class, daemon::start);
    }

    @Test
    void shouldDoNothingWhenKilledBeforeTheFirstStart() {
        daemon.kill();
        assertFalse(daemon.isAlive());
    }

    private void awaitOutput(String expected) {
        Awaitility.await().atMost(Duration.ofSeconds(30))
            .untilAsserted(() -> assertEquals(expected, ClusterLogs.read(directory.resolve("logs").resolve("sleeper.out"))));
    }
}
