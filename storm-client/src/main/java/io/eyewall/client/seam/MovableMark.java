package io.eyewall.client.seam;

import io.eyewall.client.time.NanoClock;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.storm.Config;
import org.apache.storm.utils.ObjectReader;

/**
 * The file by which a worker reports to its Supervisor that it can change its executors while it runs. It lists the executors that the
 * worker has: those that it runs, that leave it, and that it waits for. It also holds the time at which the worker last reached ZooKeeper.
 * The file exists as long as the worker can change: until it has handed over its last executor and its last tuple.
 *
 * <p>Beside it lies a file of the Supervisor: the time at which it last found other executors assigned than the worker has. A worker that
 * does not reach ZooKeeper may be assigned the same executors again, after other workers have begun to run them.
 *
 * <p>The time is a reading of the host's monotonic clock, {@link System#nanoTime}, which all processes of a host share. The file's time of
 * modification would not do. It follows the wall clock, and when that is set, a mark would count for too long or not at all.
 *
 * <p>One thread of the worker writes the mark. One of the Supervisor reads it, and writes and reads the other file.
 */
public final class MovableMark {

    private static final String NAME = "eyewall-movable";
    private static final String NEXT_NAME = NAME + ".next";
    private static final String REASSIGNED_NAME = "eyewall-reassigned";
    private static final String TIME = "reached ZooKeeper at ns ";
    private static final long DEFAULT_SESSION_MS = 20_000;

    private final Path file;
    private final Path nextFile;
    private final Path reassignedFile;

    /** The mark in that directory of a worker. */
    public MovableMark(String workerRoot) {
        file = new File(workerRoot, NAME).toPath();
        nextFile = new File(workerRoot, NEXT_NAME).toPath();
        reassignedFile = new File(workerRoot, REASSIGNED_NAME).toPath();
    }

    /**
     * How long a mark counts, in milliseconds: the session timeout of ZooKeeper. A worker that has not reached ZooKeeper for longer has
     * lost its session, and other workers may have begun to run its tasks.
     */
    public static long freshForMs(Map<String, Object> conf) {
        return ObjectReader.getLong(conf.get(Config.STORM_ZOOKEEPER_SESSION_TIMEOUT), DEFAULT_SESSION_MS);
    }

    /**
     * Writes that the worker has just reached ZooKeeper and has these executors, each given by its first and last task.
     *
     * @param nowNs the time of the host's monotonic clock, in nanoseconds
     * @throws UncheckedIOException if the file cannot be written
     */
    public void set(Collection<List<Long>> executors, long nowNs) {
        try {
            Files.writeString(nextFile, TIME + nowNs + "\n" + lines(executors), StandardCharsets.US_ASCII);
            Files.move(nextFile, file, StandardCopyOption.ATOMIC_MOVE); // The Supervisor never reads half of it.
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write " + file + ", by which the Supervisor knows what the worker does", e);
        }
    }

    /**
     * Deletes the mark, since the worker can no longer change its executors.
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
     * The Supervisor has found other executors assigned than the worker has.
     *
     * @param nowNs the time of the host's monotonic clock, in nanoseconds
     * @throws UncheckedIOException if that cannot be stored
     */
    public void setReassigned(long nowNs) {
        try {
            Files.writeString(reassignedFile, String.valueOf(nowNs), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write " + reassignedFile + ", by which the Supervisor knows when the worker's executors"
                + " were assigned elsewhere", e);
        }
    }

    /**
     * The worker's report; empty if there is no mark, or if the mark has another format or is from before the host was started.
     *
     * @param clock is read after the file: a worker that writes the mark meanwhile must not seem to have written it in the future
     * @throws UncheckedIOException if the file cannot be read
     */
    public Optional<Reading> read(NanoClock clock) {
        try {
            String content = Files.readString(file, StandardCharsets.US_ASCII);
            return parse(content, clock.nanoTime());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + file + ", by which a worker reports what it does", e);
        }
    }

    private Optional<Reading> parse(String content, long nowNs) throws IOException {
        int end = content.indexOf('\n');
        if (!content.startsWith(TIME) || end < 0) {
            return Optional.empty();
        }
        try {
            long setNs = Long.parseLong(content.substring(TIME.length(), end));
            long ageNs = nowNs - setNs;
            return ageNs < 0 ? Optional.empty() : Optional.of(
                new Reading(content.substring(end + 1), TimeUnit.NANOSECONDS.toMillis(ageNs), isReassignedSince(setNs, nowNs)));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private boolean isReassignedSince(long setNs, long nowNs) throws IOException {
        if (!Files.exists(reassignedFile)) {
            return false;
        }
        try {
            long reassignedNs = Long.parseLong(Files.readString(reassignedFile, StandardCharsets.US_ASCII));
            return reassignedNs >= setNs && reassignedNs <= nowNs; // A later time is from before the host was started.
        } catch (NumberFormatException e) {
            return false; // The Supervisor ended while it wrote it.
        }
    }

    private static String lines(Collection<List<Long>> executors) {
        TreeSet<String> lines = new TreeSet<>();
        executors.forEach(executor -> lines.add(executor.get(0) + "-" + executor.get(1)));
        return String.join("\n", lines);
    }

    /**
     * A mark that was read.
     *
     * @param executors the executors, a line each
     * @param ageMs how long ago the worker had last reached ZooKeeper, in milliseconds
     * @param reassigned whether the Supervisor has found other executors assigned since then
     */
    public record Reading(String executors, long ageMs, boolean reassigned) {

        /** Whether these are the executors that the worker has. */
        public boolean isFor(Collection<List<Long>> others) {
            return executors.equals(lines(others));
        }

        /** Whether the worker still has its session in ZooKeeper, as far as its mark says. */
        public boolean isFresh(long freshForMs) {
            return ageMs <= freshForMs;
        }
    }
}
