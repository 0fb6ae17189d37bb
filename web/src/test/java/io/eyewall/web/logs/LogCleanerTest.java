package io.eyewall.web.logs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogCleanerTest {

    @TempDir
    private Path directory;

    @Test
    void shouldRemoveWholeDirectoriesOfWorkersThatEndedAndFollowNoLink() throws IOException {
        Path outside = Files.writeString(Files.createDirectory(directory.resolve("outside")).resolve("kept.txt"), "kept");
        Path ended = worker("ended-1-1/6700", "w-1");
        Files.createDirectories(ended.resolve("heapdump"));
        Files.writeString(ended.resolve("heapdump/java.hprof"), "dump");
        Files.createSymbolicLink(ended.resolve("link"), outside.getParent());
        Path running = worker("running-2-2/6701", "w-2");
        Files.createDirectories(directory.resolve("local/workers/w-2"));

        cleaner(Map.of(), Duration.ofDays(8)).clean();

        assertFalse(Files.exists(directory.resolve("workers/ended-1-1")));
        assertTrue(Files.exists(outside));
        assertTrue(Files.exists(running.resolve("worker.log")));
    }

    @Test
    void shouldRemoveNothingBeforeItsTime() throws IOException {
        Path ended = worker("ended-1-1/6700", "w-1");
        cleaner(Map.of(), Duration.ofDays(6)).clean();
        assertTrue(Files.exists(ended.resolve("worker.log")));
        cleaner(Map.of("logviewer.cleanup.age.mins", 60), Duration.ofHours(2)).clean();
        assertFalse(Files.exists(ended));
    }

    @Test
    void shouldRemoveOldFilesWhenThereIsTooMuch() throws IOException {
        Path running = worker("running-2-2/6701", "w-2");
        Files.createDirectories(directory.resolve("local/workers/w-2"));
        Files.write(running.resolve("worker.log.1.gz"), new byte[1 << 20]);
        cleaner(Map.of("logviewer.max.per.worker.logs.size.mb", 1), Duration.ZERO).clean();
        assertFalse(Files.exists(running.resolve("worker.log.1.gz")));
        assertTrue(Files.exists(running.resolve("worker.log")));
    }

    @Test
    void shouldCleanUpAtTheIntervalThatIsSet() throws IOException {
        Path ended = worker("ended-1-1/6700", "w-1");
        Map<String, Object> interval = Map.of("logviewer.cleanup.interval.secs", 1);
        try (LogCleaner never = cleaner(Map.of(), Duration.ofDays(8)); LogCleaner often = cleaner(interval, Duration.ofDays(8))) {
            never.start();
            often.start();
            Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> !Files.exists(ended));
        }
    }

    @Test
    void shouldKeepTheLogsOfWorkersWhoseSupervisorHasAnotherLocalDirectory() throws IOException {
        Path unknown = worker("running-2-2/6701", "w-2");
        Files.delete(directory.resolve("local/workers"));
        cleaner(Map.of(), Duration.ofDays(8)).clean();
        assertTrue(Files.exists(unknown.resolve("worker.log")));

        Path alive = worker("running-3-3/6701", "w-3");
        Files.writeString(alive.resolve("worker.pid"), ProcessHandle.current().pid() + "\n");
        Files.createDirectories(directory.resolve("local/workers/of-another"));
        cleaner(Map.of(), Duration.ofDays(8)).clean();
        assertTrue(Files.exists(alive.resolve("worker.log")));
        assertFalse(Files.exists(unknown));
    }

    @Test
    void shouldCleanUpTheRestWhenAWorkerCannotBeLookedAt() throws IOException {
        Path odd = worker("a-1-1/6700", "\"\\0\"");
        Path ended = worker("ended-2-2/6700", "w-1");
        cleaner(Map.of(), Duration.ofDays(8)).clean();
        assertTrue(Files.exists(odd));
        assertFalse(Files.exists(ended));
    }

    @Test
    void shouldNameTheKeyThatIsWrong() {
        assertEquals("logviewer.cleanup.age.mins is 0. Use a number above 0.", assertThrows(IllegalArgumentException.class,
            () -> cleaner(Map.of("logviewer.cleanup.age.mins", 0), Duration.ZERO)).getMessage());
    }

    /** Some time after everything was written. */
    private LogCleaner cleaner(Map<String, Object> settings, Duration later) {
        Map<String, Object> conf = new HashMap<>(Map.of("storm.local.dir", directory.resolve("local").toString(),
            "logviewer.cleanup.age.mins", 10_080, "logviewer.max.sum.worker.logs.size.mb", 4_096,
            "logviewer.max.per.worker.logs.size.mb", 2_048));
        conf.putAll(settings);
        return new LogCleaner(conf, new LogFiles(directory.resolve("workers"), directory), InstantSource.fixed(Instant.now().plus(later)));
    }

    private Path worker(String name, String id) throws IOException {
        Files.createDirectories(directory.resolve("local/workers"));
        Path path = directory.resolve("workers").resolve(name);
        RunningLogviewer.write(path.resolve("worker.log"), "line\n");
        RunningLogviewer.write(path.resolve("worker.yaml"), "worker-id: " + id + "\n");
        return path;
    }
}
