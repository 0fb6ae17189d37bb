package io.eyewall.integration.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Finds the jar of the example topologies, which runs on both installations. */
public final class ExamplesJar {

    /** Submits any of them by name. */
    public static final String MAIN_CLASS = "io.eyewall.examples.Main";

    private ExamplesJar() {
    }

    /**
     * The jar in Eyewall's installation.
     *
     * @throws BenchException if there is none
     */
    public static Path in(Path eyewallHome) throws IOException {
        Path directory = eyewallHome.resolve("examples");
        if (Files.isDirectory(directory)) {
            try (Stream<Path> files = Files.list(directory)) {
                List<Path> jars = files.filter(file -> file.getFileName().toString().matches(".*examples.*\\.jar")).sorted().toList();
                if (!jars.isEmpty()) {
                    return jars.get(0);
                }
            }
        }
        throw new BenchException("no jar of the example topologies in " + directory + ": build it with mvn package");
    }
}
