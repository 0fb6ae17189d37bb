package io.eyewall.integration.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eyewall.integration.cluster.WorkerProcess;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WorkerSlowdownTest {

    private static final Path CPU_GROUPS = Path.of("/sys/fs/cgroup/cpu");

    private Process fast;
    private Process slow;
    private List<WorkerProcess> workers;

    @BeforeEach
    void start() throws IOException {
        fast = new ProcessBuilder("sleep", "600").start();
        slow = new ProcessBuilder("sleep", "600").start();
        workers = List.of(worker(slow, 6701), worker(fast, 6700));
    }

    @AfterEach
    void end() {
        fast.destroyForcibly();
        slow.destroyForcibly();
    }

    @Test
    void shouldLetAProcessComputeOnTheSlowWorkersCoreUntilItIsClosed() throws IOException {
        assumeTrue(Runtime.getRuntime().availableProcessors() >= 2, "needs two cores");

        Closeable slowdown = WorkerSlowdown.COMPETITOR.impose(workers);

        assertEquals("0", status(fast.pid(), "Cpus_allowed_list"));
        assertEquals("1", status(slow.pid(), "Cpus_allowed_list"));
        ProcessHandle competitor = Awaitility.await().atMost(30, TimeUnit.SECONDS).until(() -> competitors().findFirst(), found ->
            found.isPresent() && "1".equals(status(found.get().pid(), "Cpus_allowed_list"))).orElseThrow();
        slowdown.close();
        Awaitility.await().atMost(30, TimeUnit.SECONDS).until(() -> !competitor.isAlive());
    }

    @Test
    void shouldRefuseToCompeteWithMoreWorkersThanThereAreCores() {
        List<WorkerProcess> many = IntStream.rangeClosed(0, Runtime.getRuntime().availableProcessors())
            .mapToObj(port -> worker(fast, port)).toList();

        String message = assertThrows(BenchException.class, () -> WorkerSlowdown.COMPETITOR.impose(many)).getMessage();

        assertTrue(message.startsWith("a competing process needs a core for each of the "), message);
    }

    @Test
    void shouldLimitTheSlowWorkerUntilItIsClosed() throws IOException {
        assumeTrue(Files.isWritable(CPU_GROUPS.resolve("cgroup.procs")), "needs root and cgroup v1's CPU controller");

        Closeable slowdown = WorkerSlowdown.SLOW_HOST.impose(workers);

        Path group = CPU_GROUPS.resolve("eyewall-bench-" + ProcessHandle.current().pid());
        assertEquals(List.of(String.valueOf(slow.pid())), Files.readAllLines(group.resolve("cgroup.procs")));
        assertEquals("4500", Files.readString(group.resolve("cpu.cfs_quota_us")).strip());
        slowdown.close();
        assertFalse(Files.exists(group));
        assertTrue(slow.isAlive());
    }

    private static Stream<ProcessHandle> competitors() {
        return ProcessHandle.current().children().filter(child -> {
            try {
                return Files.readString(Path.of("/proc", String.valueOf(child.pid()), "cmdline")).contains("while [ -d /proc/");
            } catch (IOException e) {
                // It ended.
                return false;
            }
        });
    }

    private static String status(long pid, String name) {
        try (Stream<String> lines = Files.lines(Path.of("/proc", String.valueOf(pid), "status"))) {
            return lines.filter(line -> line.startsWith(name + ":")).findFirst().orElseThrow().substring(name.length() + 1).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static WorkerProcess worker(Process process, int port) {
        return new WorkerProcess(process.pid(), "topology", "supervisor", port, "worker");
    }
}
