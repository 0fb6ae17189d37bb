package io.eyewall.client.seam;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.storm.Config;
import org.apache.storm.utils.ObjectReader;

/**
 * The file by which a worker reports to its Supervisor that it can change its executors while it runs. It lists the executors that the
 * worker has: those that it runs, that leave it, and that it waits for. Its time is when the worker has last reached ZooKeeper. It is there
 * as long as the worker can change, which is until it has handed over its last executor and its last tuple.
 *
 * <p>One thread of the worker writes it, one of the Supervisor reads it.
 */
public final class MovableMark {

    private static final String NAME = "eyewall-movable";
    private static final long DEFAULT_SESSION_MS = 20_000;

    private final Path file;

    /** The mark in that directory of a worker. */
    public MovableMark(String workerRoot) {
        file = new File(workerRoot, NAME).toPath();
    }

    /**
     * How long a mark counts, in milliseconds: the session timeout of ZooKeeper. A worker that has not reached ZooKeeper for longer has
     * lost its session, and other workers may have begun to run its tasks.
     */
    public static long freshForMs(Map<String, Object> conf) {
        return ObjectReader.getLong(conf.get(Config.STORM_ZOOKEEPER_SESSION_TIMEOUT), DEFAULT_SESSION_MS);
    }

    /**
     * The worker has reached ZooKeeper, and has these executors, each given by its first and last task.
     *
     * @throws UncheckedIOException if the file cannot be written
     */
    public void set(Collection<List<Long>> executors) {
        try {
            Files.writeString(file, content(executors), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write " + file + ", by which the Supervisor knows what the worker does", e);
        }
    }

    /**
     * The worker cannot change its executors any more.
     *
     * @throws UncheckedIOException if the file cannot be deleted
     */
    public void clear() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot delete " + file + ", by which the Supervisor knows what the worker does", e);
        }
    }

    /**
     * What the worker has reported; empty if there is no mark.
     *
     * @throws UncheckedIOException if the file cannot be read
     */
    public Optional<Reading> read() {
        try {
            String content = Files.readString(file, StandardCharsets.US_ASCII);
            return Optional.of(new Reading(content, Files.getLastModifiedTime(file).toMillis()));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + file + ", by which a worker reports what it does", e);
        }
    }

    private static String content(Collection<List<Long>> executors) {
        TreeSet<String> lines = new TreeSet<>();
        executors.forEach(executor -> lines.add(executor.get(0) + "-" + executor.get(1)));
        return String.join("\n", new ArrayList<>(lines));
    }

    /**
     * A mark that was read.
     *
     * @param content the executors, a line each
     * @param timeMs when the worker had last reached ZooKeeper, in milliseconds since 1970
     */
    public record Reading(String content, long timeMs) {

        /** Whether these are the executors that the worker has. */
        public boolean isFor(Collection<List<Long>> executors) {
            return content.equals(content(executors));
        }

        /** Whether the worker still has its session in ZooKeeper, as far as its mark says. */
        public boolean isFresh(long nowMs, long freshForMs) {
            return nowMs - timeMs <= freshForMs;
        }

        private static String content(Collection<List<Long>> executors) {
            return MovableMark.content(executors);
        }
    }
}
