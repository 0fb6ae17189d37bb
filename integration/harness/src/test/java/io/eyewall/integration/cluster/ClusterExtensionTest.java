package io.eyewall.integration.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Has JUnit run classes whose cluster has logs but no processes. */
class ClusterExtensionTest {

    @TempDir
    private static Path directory;

    @BeforeEach
    void writeLogs() throws IOException {
        for (String part : List.of("lib", "lib-worker", "conf", "log4j2", "logs/nimbus")) {
            Files.createDirectories(directory.resolve(part));
        }
        Files.writeString(directory.resolve("logs/nimbus/nimbus.log"), "2026-11-21 main [INFO] fine\n2026-11-21 main [ERROR] broken\n");
    }

    @Test
    void shouldNameTheLogsWhenATestFails() {
        Outcome outcome = run(FailingTest.class);
        assertEquals("that failed", outcome.failure());
        assertTrue(outcome.printed.startsWith("fails() failed. Logs of its cluster are in " + directory.resolve("logs")), outcome.printed);
        assertTrue(outcome.printed.contains("[ERROR] broken"), outcome.printed);
    }

    @Test
    void shouldNameTheLogsWhenWhatAllTestsNeedFails() {
        Outcome outcome = run(FailingPreparation.class);
        assertEquals("no topology", outcome.failure());
        assertTrue(outcome.printed.contains("FailingPreparation failed. Logs of its cluster are in "), outcome.printed);
        assertTrue(outcome.printed.contains("[ERROR] broken"), outcome.printed);
    }

    @Test
    void shouldHaveNoClusterOutsideOfTests() {
        assertThrows(IllegalStateException.class, extension()::cluster);
    }

    @Test
    void shouldForgetItsClusterWhenItsTestsRunOnceMore() throws IOException {
        Path state = directory.resolve("cluster");
        Path leftover = Files.createDirectories(state.resolve("zookeeper"));
        ClusterExtension extension =
            new ClusterExtension(() -> ClusterSpecification.of(new StormHome(directory), state), ProcessCluster::new);

        extension.beforeAll(null);
        extension.afterAll(null);
        assertTrue(Files.exists(leftover), "what others put there before the first cluster");
        extension.beforeAll(null);
        extension.afterAll(null);
        assertFalse(Files.exists(leftover));
    }

    private static Outcome run(Class<?> testClass) {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream before = System.err;
        System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            LauncherFactory.create().execute(LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClass(testClass)).build(), listener);
        } finally {
            System.setErr(before);
        }
        return new Outcome(listener.getSummary(), printed.toString(StandardCharsets.UTF_8));
    }

    private static ClusterExtension extension() {
        return new ClusterExtension(() -> ClusterSpecification.of(new StormHome(directory), directory), ProcessCluster::new);
    }

    private record Outcome(TestExecutionSummary summary, String printed) {
        String failure() {
            assertEquals(1, summary.getFailures().size());
            return summary.getFailures().get(0).getException().getMessage();
        }
    }

    static final class FailingTest {
        @RegisterExtension
        static final ClusterExtension CLUSTER = extension();

        @Test
        void fails() {
            fail("that failed");
        }
    }

    static final class FailingPreparation {
        @RegisterExtension
        static final ClusterExtension CLUSTER = extension();

        @BeforeAll
        static void prepare() {
            fail("no topology");
        }

        @Test
        void isNotReached() {
            CLUSTER.cluster();
        }
    }
}
