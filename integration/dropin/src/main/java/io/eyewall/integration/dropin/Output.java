package io.eyewall.integration.dropin;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.storm.Config;
import org.apache.storm.task.TopologyContext;

/**
 * The file to which one task writes what it sees: {@code <directory>/<topology>/<component>-<task id>.txt}, with the directory of the
 * configuration key {@link #DIRECTORY}. Each line is appended with one write, so that no line is torn when the worker is killed. Methods
 * may be called from any thread of the worker.
 */
final class Output {

    /** Configuration key: absolute path of the directory for all output. */
    static final String DIRECTORY = "dropin.output";

    private final Path file;
    private final FileOutputStream stream;

    private Output(Path file) {
        this.file = file;
        try {
            Files.createDirectories(file.getParent());
            this.stream = new FileOutputStream(file.toFile(), true);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot append to " + file, e);
        }
    }

    /** The file of the context's task. */
    static Output of(Map<String, Object> configuration, TopologyContext context) {
        return of(configuration, context.getThisComponentId() + "-" + context.getThisTaskId());
    }

    /** A file of that name. */
    static Output of(Map<String, Object> configuration, String name) {
        return new Output(directory(configuration).resolve(name + ".txt"));
    }

    /** The directory of all files of the topology. */
    static Path directory(Map<String, Object> configuration) {
        Object directory = configuration.get(DIRECTORY);
        if (directory == null) {
            throw new IllegalArgumentException("Topologies of this jar need -c " + DIRECTORY + "=<absolute path of a directory>.");
        }
        return Path.of(directory.toString(), configuration.get(Config.TOPOLOGY_NAME).toString());
    }

    synchronized void line(String text) {
        try {
            stream.write((text + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot append to " + file, e);
        }
    }

    /** Passes each line that an earlier run of this task has written to {@code taker}. */
    void forEachEarlierLine(Consumer<String> taker) {
        try (Stream<String> lines = Files.lines(file)) {
            lines.forEach(taker);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + file, e);
        }
    }
}
