package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.eyewall.integration.cluster.StormHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A worker's class path comes before what a topology brings: what is on it, no topology can have in another version. */
class WorkerClassPathSystemTest {

    /** The features' jars, and where each has its classes. */
    private static final Map<String, String> FEATURES =
        Map.of("tail-latency", "io/eyewall/tail/", "transport-rdma", "io/eyewall/transport/");

    @Test
    void shouldHoldNoLibraryThatUpstreamsDoesNot() throws IOException {
        Set<String> expected = artifacts(Installations.upstream());
        expected.addAll(FEATURES.keySet());

        assertEquals(expected, artifacts(Installations.eyewall()));
    }

    @Test
    void shouldHoldTheLibrariesOfFeaturesUnderNamesOfTheirOwn() throws IOException {
        for (Path jar : jars(Installations.eyewall())) {
            String own = FEATURES.get(artifact(jar));
            if (own != null) {
                try (JarFile content = new JarFile(jar.toFile())) {
                    assertEquals(List.of(), content.stream().map(entry -> entry.getName())
                        .filter(name -> name.endsWith(".class") && !name.startsWith(own)).toList(), jar.toString());
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
        return jars(home).stream().map(WorkerClassPathSystemTest::artifact).collect(Collectors.toCollection(TreeSet::new));
    }

    private static String artifact(Path jar) {
        return jar.getFileName().toString().replaceFirst("-\\d.*\\.jar$", "");
    }
}
