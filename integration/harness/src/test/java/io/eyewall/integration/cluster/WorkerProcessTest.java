package io.eyewall.integration.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerProcessTest {

    private static final List<String> WORKER = List.of(
        "java", "-server", "org.apache.storm.daemon.worker.Worker", "words-1-1700000000", "supervisor-id", "6628", "6700", "worker-id");

    @Test
    void shouldReadTheIdentitiesFromTheCommandLineOfAWorker() {
        assertEquals(
            Optional.of(new WorkerProcess(7, "words-1-1700000000", "supervisor-id", 6700, "worker-id")), WorkerProcess.parse(7, WORKER));
    }

    @Test
    void shouldNotTakeTheCopyingParentForTheWorkerWhenItsCommandLineHoldsTheWorkers() {
        List<String> parent = new ArrayList<>(List.of("java", "org.apache.storm.LogWriter"));
        parent.addAll(WORKER);
        assertEquals(Optional.empty(), WorkerProcess.parse(7, parent));
    }

    @Test
    void shouldNotTakeAnotherProgramForAWorker() {
        assertEquals(Optional.empty(), WorkerProcess.parse(7, List.of("java", "org.apache.storm.daemon.nimbus.Nimbus")));
    }

    @Test
    void shouldFindOnlyTheWorkersWhoseArtifactsAreBelowTheDirectory(@TempDir Path directory) throws Exception {
        Process ours = pretendWorker(directory.resolve("ours"));
        Process another = pretendWorker(directory.resolve("another"));
        try {
            assertEquals(Set.of(ours.pid()), WorkerProcess.pidsBelow(directory.resolve("ours")));
        } finally {
            ours.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
            another.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        }
    }

    @Test
    void shouldReportTheInstallationThatAWorkerRunsFrom(@TempDir Path directory) throws Exception {
        StormHome home = home(directory.resolve("home"));
        StormHome other = home(directory.resolve("other"));
        Process process = new ProcessBuilder("sh", "-c", "read never", "-Dstorm.home=" + home.root()).start();
        WorkerProcess worker = new WorkerProcess(process.pid(), "words-1-1700000000", "supervisor-id", 6700, "worker-id");
        assertTrue(worker.runsFrom(home));
        assertFalse(worker.runsFrom(other));
        worker.stop();
        assertTrue(process.waitFor(10, TimeUnit.SECONDS));
        assertFalse(worker.runsFrom(home));
    }

    private static StormHome home(Path root) throws IOException {
        for (String part : List.of("lib", "lib-worker", "conf", "log4j2")) {
            Files.createDirectories(root.resolve(part));
        }
        return new StormHome(root);
    }

    /** A shell that waits for input which never comes, with what makes a worker on its command line. */
    private static Process pretendWorker(Path directory) throws Exception {
        List<String> command = new ArrayList<>(List.of("sh", "-c", "read never", "-Dworkers.artifacts=" + directory + "/logs"));
        command.addAll(WORKER);
        return new ProcessBuilder(command).start();
    }
}
