package io.eyewall.integration.cluster;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * An installation of Apache Flink with the jobs of the benchmark, as {@code integration/peers} makes it.
 *
 * @param root absolute path of the installation, the parent of {@code lib/}
 */
public record FlinkHome(Path root) {

    private static final String RUNTIME_JAR = "flink-runtime-";
    private static final String JOBS_JAR = "integration-peers-";

    /** Names an installation; throws {@link ClusterException} if the jars of Flink or of the jobs are missing. */
    public FlinkHome {
        root = root.toAbsolutePath().normalize();
        version(root, RUNTIME_JAR);
        version(root, JOBS_JAR);
    }

    /** Flink's version, from the name of a jar. */
    public String version() {
        return version(root, RUNTIME_JAR);
    }

    /** The class path of every process. */
    public String classPath() {
        return root.resolve("lib") + "/*";
    }

    private static String version(Path root, String jar) {
        Path lib = root.resolve("lib");
        if (Files.isDirectory(lib)) {
            try (DirectoryStream<Path> jars = Files.newDirectoryStream(lib, jar + "*.jar")) {
                for (Path found : jars) {
                    return found.getFileName().toString().replace(jar, "").replace(".jar", "");
                }
            } catch (IOException e) {
                throw new ClusterException("Cannot list " + lib, e);
            }
        }
        throw new ClusterException("No Flink with the benchmark's jobs at " + root + ": there is no " + jar + "*.jar in its lib/."
            + " In a checkout, mvn -f integration/peers package makes one.");
    }
}
