package io.eyewall.integration.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlinkLayoutTest {

    private static final Path TEXT = Path.of("/text");

    @TempDir
    private Path directory;

    @Test
    void shouldNameTheVersionThatItsJarsHave() throws IOException {
        assertEquals("2.3.0", home().version());
    }

    @Test
    void shouldSayHowToMakeAMissingInstallation() throws IOException {
        Path empty = directory.resolve("empty");
        String message = assertThrows(ClusterException.class, () -> new FlinkHome(empty)).getMessage();
        assertEquals("No Flink with the benchmark's jobs at " + empty + ": there is no flink-runtime-*.jar in its lib/. In a checkout,"
            + " mvn -f integration/peers package makes one.", message);
        Files.createFile(Files.createDirectories(empty.resolve("lib")).resolve("flink-runtime-2.3.0.jar"));
        String withoutJobs = assertThrows(ClusterException.class, () -> new FlinkHome(empty)).getMessage();
        assertTrue(withoutJobs.contains("there is no integration-peers-*.jar"), withoutJobs);
    }

    @Test
    void shouldProcessExactlyOnceWithACheckpointEverySecond() throws IOException {
        var configuration = layout("chain", 1, 0).configuration();
        assertEquals("EXACTLY_ONCE", configuration.get("execution.checkpointing.mode"));
        assertEquals("1 s", configuration.get("execution.checkpointing.interval"));
        assertEquals("true", configuration.get("pipeline.object-reuse"));
        assertEquals("none", configuration.get("restart-strategy.type"));
        assertEquals("11", configuration.get("jobmanager.rpc.port"));
        assertEquals("12", configuration.get("rest.port"));
    }

    @Test
    void shouldFlushEachRecordOnlyWithARate() throws IOException {
        assertFalse(layout("chain", 2, 0).configuration().containsKey("execution.buffer-timeout.interval"));
        assertEquals("0 ms", layout("chain", 2, 1000).configuration().get("execution.buffer-timeout.interval"));
    }

    @Test
    void shouldLeaveNoTaskManagerWithoutASlotOfTheJob() throws IOException {
        assertEquals(List.of("2", "1", "4", "2"), List.of(slots("chain", 1), slots("const-null", 2), slots("word-count", 1),
            slots("word-count", 2)));
    }

    @Test
    void shouldGiveATaskManagerTheHeapOfAWorker() throws IOException {
        FlinkLayout layout = layout("word-count", 2, 1000);
        List<String> taskManager = layout.taskManager(2);
        assertTrue(taskManager.contains("-Xmx768m"), taskManager.toString());
        assertTrue(taskManager.stream().noneMatch(option -> option.startsWith("-XX:")), "the collector of a worker is the JVM's choice");
        assertEquals(List.of("org.apache.flink.runtime.taskexecutor.TaskManagerRunner", "--configDir", directory.toString(), "-D",
            "taskmanager.resource-id=taskmanager-2"), taskManager.subList(taskManager.size() - 5, taskManager.size()));
    }

    @Test
    void shouldHandTheJobToTheJobManager() throws IOException {
        List<String> jobManager = layout("word-count", 2, 1000).jobManager();
        assertEquals(List.of("--job-classname", FlinkJob.MAIN_CLASS, "word-count", "1000", "16", directory.resolve("m").toString(),
            "/text"), jobManager.subList(jobManager.size() - 7, jobManager.size()));
        assertEquals(directory.resolve("flink") + "/lib/*", jobManager.get(jobManager.indexOf("-cp") + 1));
    }

    private String slots(String workload, int taskManagers) throws IOException {
        return layout(workload, taskManagers, 0).configuration().get("taskmanager.numberOfTaskSlots");
    }

    private FlinkLayout layout(String workload, int taskManagers, long ratePerSec) throws IOException {
        FlinkJob job = new FlinkJob(workload, taskManagers, ratePerSec, 16, directory.resolve("m"), TEXT);
        return new FlinkLayout(home(), directory, job, 11, 12);
    }

    private FlinkHome home() throws IOException {
        Path lib = Files.createDirectories(directory.resolve("flink").resolve("lib"));
        Files.write(lib.resolve("flink-runtime-2.3.0.jar"), new byte[0]);
        Files.write(lib.resolve("integration-peers-0.1.0.jar"), new byte[0]);
        return new FlinkHome(directory.resolve("flink"));
    }
}
