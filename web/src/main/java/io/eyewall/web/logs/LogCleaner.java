package io.eyewall.web.logs;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.TimeUnit;
import org.apache.storm.DaemonConfig;
import org.apache.storm.utils.ConfigUtils;
import org.apache.storm.utils.ObjectReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes old logs of workers every {@code logviewer.cleanup.interval.secs}, on a thread of its own; never if that is not set, as in
 * upstream. A worker counts as running while its Supervisor keeps its directory in {@code storm.local.dir} or its process runs; all do
 * where that directory is none of a Supervisor's, since then nobody knows. Links are removed, never followed. What cannot be looked at or
 * removed does not keep the rest.
 */
final class LogCleaner implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LogCleaner.class);
    private static final long BYTES_PER_MB = 1L << 20;
    private static final String WORKER_ID = "worker-id";
    /** Where a worker writes the number of its process. */
    private static final String PROCESS = "worker.pid";
    private static final int MAX_PROCESS_BYTES = 18;

    private final Map<String, Object> conf;
    private final LogFiles files;
    private final InstantSource clock;
    private final CleanupPlan.Limits limits;
    private final Timer thread = new Timer("log cleaner", true);

    LogCleaner(Map<String, Object> conf, LogFiles files, InstantSource clock) {
        this.conf = conf;
        this.files = files;
        this.clock = clock;
        long all = megabytes(DaemonConfig.LOGVIEWER_MAX_SUM_WORKER_LOGS_SIZE_MB);
        // As in upstream, one worker may not have more than half of it.
        limits = new CleanupPlan.Limits(TimeUnit.MINUTES.toMillis(number(DaemonConfig.LOGVIEWER_CLEANUP_AGE_MINS)),
            Math.min(megabytes(DaemonConfig.LOGVIEWER_MAX_PER_WORKER_LOGS_SIZE_MB), all / 2), all);
    }

    /** Begins to clean up. */
    void start() {
        if (conf.get(DaemonConfig.LOGVIEWER_CLEANUP_INTERVAL_SECS) == null) {
            LOG.info("Old logs stay, since {} is not set", DaemonConfig.LOGVIEWER_CLEANUP_INTERVAL_SECS);
            return;
        }
        int intervalSecs = number(DaemonConfig.LOGVIEWER_CLEANUP_INTERVAL_SECS);
        thread.schedule(new TimerTask() {
            @Override
            public void run() {
                try {
                    clean();
                } catch (IOException | RuntimeException e) {
                    LOG.error("Old logs could not be removed; tried again in {} s", intervalSecs, e);
                }
            }
        }, 0, TimeUnit.SECONDS.toMillis(intervalSecs));
    }

    @Override
    public void close() {
        thread.cancel();
    }

    /** Cleans up once; returns what it wanted to remove. */
    CleanupPlan clean() throws IOException {
        boolean known = knowsWorkers();
        List<CleanupPlan.OldDirectory> directories = new ArrayList<>();
        for (WorkerDirectory directory : files.directories()) {
            try {
                directories.add(look(directory, known));
            } catch (IOException | RuntimeException e) {
                LOG.warn("The old logs in {} stay, since they cannot be looked at", directory.path(), e);
            }
        }
        CleanupPlan plan = CleanupPlan.of(directories, limits, clock.millis());
        plan.files().forEach(LogCleaner::remove);
        for (Path directory : plan.directories()) {
            remove(directory);
            removeIfEmpty(directory.getParent());
        }
        return plan;
    }

    private static void remove(Path path) {
        try {
            removeAll(path);
            LOG.info("Removed the old log {}", path);
        } catch (IOException | RuntimeException e) {
            LOG.warn("The old log {} cannot be removed", path, e);
        }
    }

    private static void removeIfEmpty(Path directory) {
        try {
            Files.deleteIfExists(directory);
        } catch (DirectoryNotEmptyException e) {
            LOG.debug("{} has logs of other workers", directory);
        } catch (IOException | RuntimeException e) {
            LOG.warn("{} cannot be removed", directory, e);
        }
    }

    /** Whether a Supervisor has kept its workers' directories in this {@code storm.local.dir}. */
    private boolean knowsWorkers() {
        Path root = Path.of(ConfigUtils.workerRoot(conf));
        boolean known = Files.isDirectory(root);
        if (!known) {
            LOG.warn("No log of a worker counts as old, since there is no {}. Let storm.local.dir be that of the host's Supervisor.", root);
        }
        return known;
    }

    private CleanupPlan.OldDirectory look(WorkerDirectory directory, boolean known) throws IOException {
        List<CleanupPlan.OldFile> found = new ArrayList<>();
        long[] newestMs = {Files.getLastModifiedTime(directory.path(), LinkOption.NOFOLLOW_LINKS).toMillis()};
        Files.walkFileTree(directory.path(), new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                long modifiedMs = attributes.lastModifiedTime().toMillis();
                newestMs[0] = Math.max(newestMs[0], modifiedMs);
                found.add(new CleanupPlan.OldFile(file, attributes.size(), modifiedMs));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException removedMeanwhile) {
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, IOException notReadWhole) {
                return FileVisitResult.CONTINUE;
            }
        });
        return new CleanupPlan.OldDirectory(directory.path(), !known || runs(directory), newestMs[0], found);
    }

    private boolean runs(WorkerDirectory directory) {
        Object id = LogAccess.describe(directory).get(WORKER_ID);
        return hasLiveProcess(directory) || (id != null && Files.exists(Path.of(ConfigUtils.workerRoot(conf, id.toString()))));
    }

    /** Another process may have the number by now: then its logs stay a while longer. */
    private static boolean hasLiveProcess(WorkerDirectory directory) {
        try (InputStream input = Files.newInputStream(directory.path().resolve(PROCESS), LinkOption.NOFOLLOW_LINKS)) {
            String id = new String(input.readNBytes(MAX_PROCESS_BYTES), StandardCharsets.UTF_8).strip();
            return id.matches("\\d+") && ProcessHandle.of(Long.parseLong(id)).isPresent();
        } catch (IOException e) {
            LOG.debug("No process is known to write to {}", directory.path(), e);
            return false;
        }
    }

    private static void removeAll(Path directory) throws IOException {
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, IOException failure) throws IOException {
                if (failure != null) {
                    throw failure;
                }
                Files.deleteIfExists(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private long megabytes(String key) {
        return number(key) * BYTES_PER_MB;
    }

    private int number(String key) {
        int number = ObjectReader.getInt(conf.get(key));
        if (number <= 0) {
            throw new IllegalArgumentException(key + " is " + number + ". Use a number above 0.");
        }
        return number;
    }
}
