package io.eyewall.integration.system;

import io.eyewall.integration.cluster.StormHome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.storm.shade.org.apache.commons.io.FileUtils;

/** Where the build has put what the tests run; the build passes it in system properties. */
final class Installations {

    private Installations() {
    }

    static StormHome eyewall() {
        return new StormHome(path("eyewall.home"));
    }

    static StormHome upstream() {
        return new StormHome(path("upstream.home"));
    }

    /** The topologies that are compiled against upstream only. */
    static Path dropInJar() {
        return path("dropin.jar");
    }

    /** The jars of a ZooKeeper server that does not ask who may know that a node exists. */
    static Path zooKeeperJars() {
        return path("zookeeper.jars");
    }

    /** The example topologies, as the distribution has them. */
    static Path examplesJar() throws IOException {
        try (Stream<Path> files = Files.list(path("eyewall.home").resolve("examples"))) {
            return files.filter(file -> file.toString().endsWith(".jar")).findFirst().orElseThrow();
        }
    }

    /** Eyewall's own part of the daemons, for upstream's installation, which has no DRPC daemon. */
    static Path coreJar() {
        return path("eyewall.core.jar");
    }

    /** The packed distribution. */
    static Path archive() {
        return path("eyewall.archive");
    }

    /** The root of the source tree. */
    static Path sourceTree() {
        return path("eyewall.root");
    }

    /** A directory for the state of the test of that name, without what an earlier run left there; kept after the test. */
    static Path workDirectory(String name) {
        Path directory = path("work.directory").resolve(name);
        try {
            FileUtils.deleteDirectory(directory.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot empty " + directory, e);
        }
        return directory;
    }

    private static Path path(String property) {
        String value = System.getProperty(property);
        if (value == null) {
            throw new IllegalStateException("The system property " + property + " is not set: run these tests with mvn verify.");
        }
        return Path.of(value).normalize();
    }
}
