package io.eyewall.integration.system;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A directory with a small file system of its own, in memory, which can be full. Needs root. */
final class SmallDisk implements BeforeAllCallback, AfterAllCallback {

    private static final int SIZE_MB = 700;
    private static final byte[] BLOCK = new byte[1 << 16];

    private final Path directory;

    SmallDisk(Path directory) {
        this.directory = directory;
    }

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        Files.createDirectories(directory);
        run("umount", "--lazy", directory.toString()); // What an earlier JVM has left.
        Assumptions.assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=" + SIZE_MB + "m", "eyewall-test", directory.toString()),
            "no file system can be mounted: root is needed");
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        run("umount", "--lazy", directory.toString());
    }

    Path directory() {
        return directory;
    }

    /** Writes until nothing more has room. */
    void fill() {
        try (OutputStream out = Files.newOutputStream(filler())) {
            while (true) {
                out.write(BLOCK);
            }
        } catch (IOException full) {
            System.out.println("The disk is full: " + full.getMessage() + ".");
        }
    }

    void free() {
        try {
            Files.deleteIfExists(filler());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path filler() {
        return directory.resolve("filler");
    }

    private static boolean run(String... command) throws IOException {
        Process process = new ProcessBuilder(List.of(command)).redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        try {
            return process.waitFor(1, TimeUnit.MINUTES) && process.exitValue() == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted during " + List.of(command), e);
        }
    }
}
