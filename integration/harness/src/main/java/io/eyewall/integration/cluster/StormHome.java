package io.eyewall.integration.cluster;

import java.io.File;
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

    /** Takes an installation for granted only if its directories are there; throws {@link ClusterException} otherwise. */
    public StormHome {
        root = root.toAbsolutePath().normalize();
        for (String part : List.of("lib", "lib-worker", "conf", "log4j2")) {
            if (!Files.isDirectory(root.resolve(part))) {
                throw new ClusterException("No Storm installation at " + root + ": it has no directory " + part
                    + "/. Build it with mvn package, or name another directory.");
            }
        }
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
