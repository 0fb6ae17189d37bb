package io.eyewall.client.stream.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.fuzz.LogLines;
import io.eyewall.client.stream.slot.ProcessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.logging.log4j.Level;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Small processes, in virtual time. */
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

        try (LogLines warnings = new LogLines(Level.WARN)) {
            process.keepRunning(SECOND_NS / 10);
            warnings.assertLogged("The process short has ended with exit code 0. ", "Its log says why: short.log, beside");
        }

        assertEquals(Set.of(), ProcessFile.readTasks(startable));
        assertTrue(process.hasEnded(), "the next one starts a second later");
    }

    @Test
    void shouldKnowThatAProcessHasLeftWhileItIsStillClosing() throws Exception {
        Path left = directory.resolve(ProcessFile.LEFT);
        ProcessFile.write(left, ""); // Of an earlier process.
        ChildProcess process = new ChildProcess("closing", List.of("sleep", "600"), directory, "secret", () -> 1,
            new ChildProcess.Patience(60 * SECOND_NS, 60 * SECOND_NS));
        try {
            process.keepRunning(0);
            assertFalse(process.hasLeft());

            ProcessFile.write(left, "");
            assertTrue(process.hasLeft());
            assertFalse(process.hasEnded());
        } finally {
            process.awaitEnd(0);
        }
        Files.delete(left);
        assertTrue(process.hasLeft());
    }

    @Test
    void shouldSayThatAProcessWasKilledInPlaceOfPointingAtItsLog() throws Exception {
        ChildProcess process = new ChildProcess("killed", List.of("sh", "-c", "kill -9 $$"), directory, "secret", () -> 1,
            new ChildProcess.Patience(60 * SECOND_NS, 60 * SECOND_NS));
        process.keepRunning(0);
        Awaitility.await().atMost(60, TimeUnit.SECONDS).until(process::hasEnded);

        try (LogLines warnings = new LogLines(Level.WARN)) {
            process.keepRunning(SECOND_NS / 10);
            warnings.assertLogged("The process killed has ended with exit code 137. It was killed, ",
                "see dmesg, and the end of killed.log,");
        }
    }

    @Test
    void shouldTryAgainLaterIfTheProcessCannotBeStarted() throws Exception {
        Path program = directory.resolve("program");
        ChildProcess process = new ChildProcess("missing", List.of(program.toString()), directory, "secret", () -> 1,
            new ChildProcess.Patience(60 * SECOND_NS, 60 * SECOND_NS));
        process.keepRunning(0);
        assertTrue(process.hasEnded());
        Files.writeString(program, "#!/bin/sh\necho started > started\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));

        process.keepRunning(SECOND_NS / 10);
        assertTrue(Files.notExists(directory.resolve("started")), "not before a second is over");
        process.keepRunning(SECOND_NS);

        Awaitility.await().atMost(60, TimeUnit.SECONDS).until(() -> Files.exists(directory.resolve("started")));
    }

    @Test
    void shouldKillAProcessWhoseHeartbeatsStop() throws Exception {
        AtomicLong beats = new AtomicLong();
        ChildProcess process = new ChildProcess("hanging", List.of("sleep", "600"), directory, "secret", beats::get,
            new ChildProcess.Patience(120 * SECOND_NS, 30 * SECOND_NS));
        process.keepRunning(0);
        process.keepRunning(100 * SECOND_NS);
        assertFalse(process.hasEnded(), "it may take so long to start");
        beats.set(1);
        process.keepRunning(110 * SECOND_NS);
        process.keepRunning(140 * SECOND_NS);
        assertFalse(process.hasEnded());

        try (LogLines warnings = new LogLines(Level.WARN)) {
            process.keepRunning(141 * SECOND_NS);

            Awaitility.await().atMost(60, TimeUnit.SECONDS).until(process::hasEnded);
            process.keepRunning(142 * SECOND_NS);
            warnings.assertLogged("The process hanging has sent no heartbeat for 31 s, and is killed.", "");
            warnings.assertLogged("The process hanging has ended with exit code 137. This container has killed it.", "hanging.log,");
        } finally {
            process.awaitEnd(0);
        }
    }

    @Test
    void shouldWaitLongerEachTimeForAProcessThatNeverGetsToWork() throws Exception {
        ChildProcess process = new ChildProcess("slow", List.of("sleep", "600"), directory, "secret", () -> 1,
            new ChildProcess.Patience(120 * SECOND_NS, 30 * SECOND_NS));
        try (LogLines warnings = new LogLines(Level.WARN)) {
            long nowNs = 0;
            for (int pauseMs : new int[] {1_000, 2_000}) {
                process.keepRunning(nowNs);
                process.keepRunning(nowNs + 121 * SECOND_NS);
                Awaitility.await().atMost(60, TimeUnit.SECONDS).until(process::hasEnded);
                process.keepRunning(nowNs + 122 * SECOND_NS);
                warnings.assertLogged("The process slow has ended with exit code 137. ", "Starting it again in " + pauseMs + " ms.");
                nowNs += 122 * SECOND_NS + TimeUnit.MILLISECONDS.toNanos(pauseMs);
            }
        } finally {
            process.awaitEnd(0);
        }
    }

    @Test
    void shouldCountTheSilenceOfAProcessThatIsNeverHeard() throws Exception {
        ChildProcess process = missing();
        assertFalse(process.isSilentFor(20 * SECOND_NS, 100 * SECOND_NS), "its time to start has not come so far");

        for (int second = 100; second <= 120; second++) {
            process.keepRunning(second * SECOND_NS);
        }

        assertFalse(process.isSilentFor(20 * SECOND_NS, 120 * SECOND_NS));
        assertTrue(process.isSilentFor(20 * SECOND_NS, 121 * SECOND_NS), "since the first attempt");
    }

    @Test
    void shouldCountTheSilenceSinceTheLastHeartbeat() throws Exception {
        AtomicLong beats = new AtomicLong();
        ChildProcess process = sleeping(beats);
        try {
            process.keepRunning(0);
            beats.set(1);
            process.keepRunning(10 * SECOND_NS);
            assertFalse(process.isSilentFor(20 * SECOND_NS, 30 * SECOND_NS));
            process.keepRunning(31 * SECOND_NS);
            assertTrue(process.isSilentFor(20 * SECOND_NS, 31 * SECOND_NS));

            beats.set(2);
            process.keepRunning(32 * SECOND_NS);

            assertFalse(process.isSilentFor(20 * SECOND_NS, 32 * SECOND_NS));
        } finally {
            process.awaitEnd(0);
        }
    }

    @Test
    void shouldNotCountTheTimeForWhichOthersAreStarted() throws Exception {
        ChildProcess process = missing();
        process.keepRunning(100 * SECOND_NS);
        process.waitForTurn(200 * SECOND_NS);
        process.waitForTurn(300 * SECOND_NS);
        assertFalse(process.isSilentFor(20 * SECOND_NS, 320 * SECOND_NS));

        process.keepRunning(310 * SECOND_NS);

        assertTrue(process.isSilentFor(20 * SECOND_NS, 321 * SECOND_NS), "since its turn has come");
    }

    @Test
    void shouldNoticeHeartbeatsWhileNothingIsStarted() throws Exception {
        AtomicLong beats = new AtomicLong();
        ChildProcess process = sleeping(beats);
        try {
            process.keepRunning(0);
            for (int second = 10; second <= 200; second += 10) {
                beats.incrementAndGet();
                process.notice(second * SECOND_NS);
            }

            assertFalse(process.isSilentFor(20 * SECOND_NS, 200 * SECOND_NS));
            assertTrue(process.isSilentFor(20 * SECOND_NS, 221 * SECOND_NS));
        } finally {
            process.awaitEnd(0);
        }
    }

    /** A process whose program does not exist. */
    private ChildProcess missing() {
        return new ChildProcess("missing", List.of(directory.resolve("program").toString()), directory, "secret", () -> 1,
            new ChildProcess.Patience(60 * SECOND_NS, 60 * SECOND_NS));
    }

    private ChildProcess sleeping(AtomicLong beats) {
        return new ChildProcess("sleeping", List.of("sleep", "600"), directory, "secret", beats::get,
            new ChildProcess.Patience(120 * SECOND_NS, 30 * SECOND_NS));
    }
}
