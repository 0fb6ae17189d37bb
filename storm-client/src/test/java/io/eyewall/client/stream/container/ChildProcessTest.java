package io.eyewall.client.stream.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.stream.slot.ProcessFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that ends at once, in virtual time except for that. */
class ChildProcessTest {

    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    @TempDir
    private Path directory;

    @Test
    void shouldBelieveNoFileOfAProcessThatHasEnded() throws Exception {
        ChildProcess process = new ChildProcess("short", List.of("true"), directory, "secret", () -> 1,
            new ChildProcess.Patience(60 * SECOND_NS, 60 * SECOND_NS));
        process.keepRunning(0);
        Awaitility.await().atMost(60, TimeUnit.SECONDS).until(process::hasEnded);
        Path startable = directory.resolve(ProcessFile.STARTABLE);
        ProcessFile.write(startable, Set.of(4));

        process.keepRunning(SECOND_NS / 10);

        assertEquals(Set.of(), ProcessFile.readTasks(startable));
        assertTrue(process.hasEnded(), "the next one starts a second later");
    }
}
