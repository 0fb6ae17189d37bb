package io.eyewall.integration.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An installation of Storm, Eyewall's or upstream's: both have the same layout.
 *
 * @param root absolute path of the installation, the parent of {@code lib/}, {@code lib-worker/}, {@code conf/} and {@code log4j2/}
 */
public record StormHome(Path root) {

    private static final String CLIENT_JAR = "storm-client-";

    /** Names an installation; throws {@link ClusterException} if one of its directories is missing. */
    public StormHome {
        root = root.toAbsolutePath().normalize();
        for (String part : List.of("lib", "lib-worker", "conf", "log4j2")) {
            if (!Files.isDirectory(root.resolve(part))) {
                throw new ClusterException("No Storm installation at " + root + ": it has no directory " + part
                    + "/. Build it with mvn package, or name another directory.");
            }
        }
    }

    /** The version that the name of its {@code storm-client} jar has: {@code 2.8.3}, or Eyewall's own. */
    public String version() throws IOException {
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(root.resolve("lib-worker"), CLIENT_JAR + "*.jar")) {
            for (Path jar : jars) {
                return jar.getFileName().toString().replace(CLIENT_JAR, "").replace(".jar", "");
            }
        }
        throw new ClusterException("No " + CLIENT_JAR + "*.jar in " + root.resolve("lib-worker")
            + ". Build the installation with mvn package, or name another directory.");
    }

    /** The class path of daemons, with {@code more} in front. */
    public String daemonClassPath(Path... more) {
        return join(Stream.concat(Stream.of(more).map(Path::toString),
            Stream.of(jars("lib"), jars("extlib"), jars("extlib-daemon"), root.resolve("conf").toString())));
    }

    /** The class path of a program that submits a topology, with {@code jar} at its end, as {@code storm jar} has it. */
    public String clientClassPath(Path jar) {
        return join(Stream.of(jars("lib-worker"), jars("extlib"), root.resolve("conf").toString(), jar.toString()));
    }

    private String jars(String directory) {
        return root.resolve(directory) + File.separator + "*";
    }

    private static String join(Stream<String> parts) {
        return parts.collect(Collectors.joining(File.pathSeparator));
    }
}
