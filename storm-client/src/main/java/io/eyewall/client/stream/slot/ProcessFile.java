package io.eyewall.client.stream.slot;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/** A small file in which a process of a container reports something to the container. It is replaced as a whole. */
public final class ProcessFile {

    /** The port of the loopback address at which an instance serves its figures. */
    public static final String FIGURES_PORT = "figures-port";
    /** Whom a stream manager holds to be the cause of back-pressure. */
    public static final String HELD = "held";
    /** The ids of the instances that are in other containers, and must not be started in this one. Without it none must be. */
    public static final String ELSEWHERE = "elsewhere";

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

    /** Reads a file; empty if there is none. */
    public static Optional<String> read(Path file) throws IOException {
        try {
            return Optional.of(Files.readString(file));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }
}
