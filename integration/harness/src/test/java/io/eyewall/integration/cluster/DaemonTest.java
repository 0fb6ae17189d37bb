package io.eyewall.integration.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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
    void shouldLetTheProcessFinishWhenAskedToEnd() {
        List<String> command = List.of("sh", "-c", "trap 'echo finished; exit 0' TERM; echo started; while :; do sleep 0.1; done");
        daemon = new Daemon("sleeper", command, directory.resolve("state"), directory.resolve("logs"));
        daemon.start();
        awaitOutput("started\n");
        daemon.stop();
        assertFalse(daemon.isAlive());
        awaitOutput("started\nfinished\n");
    }

    @Test
    void shouldStartFromTheLastInstallationThatItWasGiven() throws Exception {
        daemon = storms(home("one"));
        daemon.start();
        awaitOutput("one\n");
        daemon.stop();
        daemon.startFrom(home("other"));
        awaitOutput("one\nother\n");
        daemon.stop();
        daemon.start();
        awaitOutput("one\nother\nother\n");
    }

    @Test
    void shouldRefuseAnotherInstallationWhenItRuns() throws Exception {
        StormHome home = home("one");
        daemon = storms(home);
        daemon.start();
        assertThrows(IllegalStateException.class, () -> daemon.startFrom(home));
    }

    @Test
    void shouldRefuseAnotherInstallationWhenItsCommandIsNotStorms() throws Exception {
        StormHome home = home("one");
        assertThrows(IllegalStateException.class, () -> daemon.startFrom(home));
    }

    @Test
    void shouldDoNothingWhenKilledBeforeTheFirstStart() {
        daemon.kill();
        assertFalse(daemon.isAlive());
    }

    private Daemon storms(StormHome first) {
        return new Daemon("sleeper", first, home -> List.of("sh", "-c", "echo " + home.root().getFileName() + "; exec sleep 1000"),
            directory.resolve("state"), directory.resolve("logs"), Map.of());
    }

    private StormHome home(String name) throws IOException {
        for (String part : List.of("lib", "lib-worker", "conf", "log4j2")) {
            Files.createDirectories(directory.resolve(name).resolve(part));
        }
        return new StormHome(directory.resolve(name));
    }

    private void awaitOutput(String expected) {
        Awaitility.await().atMost(Duration.ofSeconds(30))
            .untilAsserted(() -> assertEquals(expected, ClusterLogs.read(directory.resolve("logs").resolve("sleeper.out"))));
    }
}
