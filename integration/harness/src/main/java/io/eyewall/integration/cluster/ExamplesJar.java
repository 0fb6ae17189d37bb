package io.eyewall.integration.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Finds the jar of the example topologies, which runs on both installations. */
public final class ExamplesJar {

    /** The class whose main method submits any of them by name. */
    public static final String MAIN_CLASS = "io.eyewall.examples.Main";

    private ExamplesJar() {
    }

    /**
     * The jar in Eyewall's installation.
     *
     * @throws ClusterException if it is not there
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
        throw new ClusterException("no jar of the example topologies in " + directory + ": build it with mvn package");
    }
}
