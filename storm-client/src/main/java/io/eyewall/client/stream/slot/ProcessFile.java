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
    /** Whom a stream manager holds to be the cause of back-pressure. */
    public static final String HELD = "held";
    /** The tasks that may be started in this container, since no other one does. Without it none may be. */
    public static final String STARTABLE = "startable";
    /**
     * The tasks for which the container has a process, or is about to start one. It writes that first, and then reads again
     * which may be started; the stream manager writes what may no longer be, and then reads this. So one of them sees what the other does.
     */
    public static final String RUNNING = "running";
    /**
     * Is there while nothing is left in the stream manager, and nothing comes any more. It is deleted before the container may start an
     * instance.
     */
    public static final String FINISHED = "finished";

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
