package io.eyewall.integration.micro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eyewall.client.acking.CancelledRootsStress;
import io.eyewall.client.acking.LedgerStress;
import io.eyewall.client.deadline.DeadlineQueueStress;
import io.eyewall.client.engine.FrameLaneStress;
import io.eyewall.client.engine.WakingQueueStress;
import io.eyewall.client.pool.PooledExecutorStress;
import io.eyewall.client.ring.RingStress;
import io.eyewall.client.substitute.CachedThreadLocalStress;
import io.eyewall.tail.shared.SharedRingStress;
import io.eyewall.tail.shared.SharedTuplesStress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jcstress.annotations.JCStressTest;

/**
 * Runs every jcstress test for a moment. Each has two actors at most, since jcstress leaves out what has more of them than the machine has
 * processors.
 */
class StressTest {

    private static final List<Class<?>> TESTS = List.of(WakingQueueStress.class, FrameLaneStress.class, PooledExecutorStress.class,
        DeadlineQueueStress.class, CancelledRootsStress.class, CachedThreadLocalStress.class, LedgerStress.class, RingStress.class,
        SharedRingStress.class, SharedTuplesStress.class);
    private static final int ACTORS = 2;
    private static final long DEADLINE_SECS = 900;

    @TempDir
    private Path directory;

    @Test
    void shouldSeeNothingThatIsForbidden() throws IOException, InterruptedException {
        assumeTrue(Runtime.getRuntime().availableProcessors() >= ACTORS, "jcstress needs two processors");
        Path log = directory.resolve("log.txt");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process stress = new ProcessBuilder(java, "-Xmx256m", "-cp", classPath(), "org.openjdk.jcstress.Main",
            "-iters", "1", "-time", "100", "-f", "1", "-fsm", "1", "-sc", "false", "-spinStyle", "THREAD_YIELD", "-af", "NONE",
            "-pth", "false", "-hs", "64", "-jvmArgs", "-Xmx256m -XX:+UseSerialGC", "-v",
            "-r", directory.resolve("report").toString())
            .directory(directory.toFile()).redirectErrorStream(true).redirectOutput(log.toFile()).start();
        try {
            assertTrue(stress.waitFor(DEADLINE_SECS, TimeUnit.SECONDS), () -> "still running: " + text(log));
        } finally {
            stress.destroyForcibly().onExit().join();
        }

        String text = text(log);
        assertEquals(0, stress.exitValue(), text);
        assertFalse(text.contains("would not run"), text);
        for (Class<?> tests : TESTS) {
            for (Class<?> test : tests.getClasses()) {
                assertTrue(!test.isAnnotationPresent(JCStressTest.class) || text.contains(test.getName().replace('$', '.')),
                    () -> test + " did not run: " + text);
            }
        }
    }

    /** Surefire's, whose own is one jar that names all others. */
    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    private static String text(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
