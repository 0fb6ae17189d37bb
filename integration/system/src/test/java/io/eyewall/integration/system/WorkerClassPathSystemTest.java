package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.eyewall.integration.cluster.StormHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A worker's class path comes before what a topology brings: what is on it, no topology can have in another version. */
class WorkerClassPathSystemTest {

    @Test
    void shouldHoldNoLibraryThatUpstreamsDoesNot() throws IOException {
        Set<String> expected = artifacts(Installations.upstream());
        expected.add("tail-latency");

        assertEquals(expected, artifacts(Installations.eyewall()));
    }

    @Test
    void shouldHoldTheLibrariesOfFeaturesUnderNamesOfTheirOwn() throws IOException {
        for (Path jar : jars(Installations.eyewall())) {
            if (jar.getFileName().toString().startsWith("tail-latency")) {
                try (JarFile content = new JarFile(jar.toFile())) {
                    assertEquals(List.of(), content.stream().map(entry -> entry.getName())
                        .filter(name -> name.endsWith(".class") && !name.startsWith("io/eyewall/tail/")).toList(), jar.toString());
                }
            }
        }
    }

    private static List<Path> jars(StormHome home) throws IOException {
        try (Stream<Path> files = Files.list(home.root().resolve("lib-worker"))) {
            return files.toList();
        }
    }

    /** Names without versions. */
    private static Set<String> artifacts(StormHome home) throws IOException {
        return jars(home).stream().map(jar -> jar.getFileName().toString().replaceFirst("-\\d.*\\.jar$", ""))
            .collect(Collectors.toCollection(TreeSet::new));
    }
}
