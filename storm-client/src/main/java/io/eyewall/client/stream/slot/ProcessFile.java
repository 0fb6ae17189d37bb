package io.eyewall.client.stream.slot;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A small file in which a process of a container reports something to the container, or the container to its stream manager. It is replaced
 * as a whole.
 */
public final class ProcessFile {

    /** The port of the loopback address at which an instance serves its figures. */
    public static final String FIGURES_PORT = "figures-port";
    /** The instances that cause back-pressure and for how long, as the stream manager has measured it. */
    public static final String HELD = "held";
    /** The tasks that this container may start, since no other container has them. If the file is missing, it may start none. */
    public static final String STARTABLE = "startable";
    /**
     * The tasks for which the container has a process or is about to start one. The container writes this file and then reads
     * {@link #STARTABLE} again; the stream manager withdraws tasks there and then reads this file. So at least one sees the other's change.
     */
    public static final String RUNNING = "running";
    /**
     * Exists while the stream manager has no tuples left and none can arrive. It is deleted before the container may start an
     * instance.
     */
    public static final String FINISHED = "finished";

    /** Exists once an instance that leaves has executed and sent all that it had. It is deleted when the instance is started again. */
    public static final String LEFT = "left";

    /** A directory. The time of the newest file in it is the process's last heartbeat. Instances write theirs as workers do. */
    public static final String HEARTBEATS = "heartbeats";

    private ProcessFile() {
    }

    /** Writes a file with a text. */
    public static void write(Path file, String text) throws IOException {
        write(file, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes a file. */
    public static void write(Path file, byte[] content) throws IOException {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        Files.write(next, content);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Writes a file with tasks. */
    public static void write(Path file, Set<Integer> tasks) throws IOException {
        write(file, tasks.stream().map(String::valueOf).collect(Collectors.joining("\n")));
    }

    /** Reads a file with tasks; none if there is no file. */
    public static Set<Integer> readTasks(Path file) throws IOException {
        return read(file).stream().flatMap(String::lines).map(Integer::valueOf).collect(Collectors.toSet());
    }

    /** Reads a file; empty if there is none. */
    public static Optional<String> read(Path file) throws IOException {
        try {
            return Optional.of(Files.readString(file));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }
}
