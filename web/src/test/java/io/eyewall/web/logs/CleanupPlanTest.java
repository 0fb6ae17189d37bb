package io.eyewall.web.logs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class CleanupPlanTest {

    private static final long NOW_MS = 1_000;
    private static final CleanupPlan.Limits LIMITS = new CleanupPlan.Limits(100, 50, 80);

    @Test
    void shouldRemoveTheDirectoriesOfWorkersThatEndedLongAgo() {
        assertEquals(new CleanupPlan(List.of(Path.of("old")), List.of()), CleanupPlan.of(List.of(
            directory("old", false, 899, file("old/worker.log", 1, 899)),
            directory("young", false, 900, file("young/worker.log", 1, 900)),
            directory("running", true, 1, file("running/worker.log", 1, 1))), LIMITS, NOW_MS));
    }

    @Test
    void shouldRemoveTheOldestFilesOfAWorkerThatHasTooMuch() {
        assertEquals(files("w/worker.log.2.gz", "w/worker.log.1.gz"), CleanupPlan.of(List.of(directory("w", true, NOW_MS,
            file("w/worker.log", 40, 950), file("w/worker.log.1.gz", 10, 940), file("w/worker.log.2.gz", 10, 930),
            file("w/worker.yaml", 10, 1))), LIMITS, NOW_MS));
    }

    @Test
    void shouldRemoveTheOldestFilesOfAllWorkers() {
        assertEquals(files("a/worker.log.1.gz", "b/worker.log.1.gz"), CleanupPlan.of(List.of(
            directory("a", true, NOW_MS, file("a/worker.log", 30, 1), file("a/worker.log.1.gz", 10, 930)),
            directory("b", true, NOW_MS, file("b/worker.log", 30, 1), file("b/worker.log.1.gz", 10, 940)),
            directory("c", true, NOW_MS, file("c/worker.log", 5, 1), file("c/worker.log.1.gz", 10, 950))), LIMITS, NOW_MS));
    }

    @Test
    void shouldKeepWhatARunningWorkerWrites() {
        List<String> written = List.of("worker.log", "worker.log.out", "worker.log.err", "worker.log.metrics", "gc.log", "gc.log.0.current",
            "latency.hlog", "worker.pid", "worker.yaml", "events.log");
        CleanupPlan.OldFile[] files = written.stream().map(name -> file("w/" + name, 100, 1)).toArray(CleanupPlan.OldFile[]::new);
        assertEquals(files(), CleanupPlan.of(List.of(directory("w", true, NOW_MS, files)), LIMITS, NOW_MS));
        assertEquals(written.size() - 1, CleanupPlan.of(List.of(directory("w", false, NOW_MS, files)), LIMITS, NOW_MS).files().size());
    }

    private static CleanupPlan files(String... names) {
        return new CleanupPlan(List.of(), Arrays.stream(names).map(Path::of).toList());
    }

    private static CleanupPlan.OldDirectory directory(String path, boolean running, long modifiedMs, CleanupPlan.OldFile... files) {
        return new CleanupPlan.OldDirectory(Path.of(path), running, modifiedMs, List.of(files));
    }

    private static CleanupPlan.OldFile file(String path, long bytes, long modifiedMs) {
        return new CleanupPlan.OldFile(Path.of(path), bytes, modifiedMs);
    }
}
