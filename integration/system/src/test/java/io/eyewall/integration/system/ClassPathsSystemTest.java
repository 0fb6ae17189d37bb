package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.integration.cluster.StormHome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What is on which class path. A worker's comes before what a topology brings: what is on it, no topology can have in another version.
 * Those of daemons and of our tools have each of our classes once.
 */
class ClassPathsSystemTest {

    /** The features' jars, and where each has its classes. */
    private static final Map<String, String> FEATURES =
        Map.of("tail-latency", "io/eyewall/tail/", "transport-rdma", "io/eyewall/transport/");

    @Test
    void shouldGiveWorkersNoLibraryThatUpstreamsDoNotHave() throws IOException {
        Set<String> expected = artifacts(Installations.upstream());
        expected.addAll(FEATURES.keySet());

        assertEquals(expected, artifacts(Installations.eyewall()));
    }

    @Test
    void shouldGiveWorkersTheLibrariesOfFeaturesUnderNamesOfTheirOwn() throws IOException {
        for (Path jar : jars(Installations.eyewall(), "lib-worker")) {
            String own = FEATURES.get(artifact(jar));
            if (own != null) {
                try (JarFile content = new JarFile(jar.toFile())) {
                    assertEquals(List.of(), content.stream().map(entry -> entry.getName())
                        .filter(name -> name.endsWith(".class") && !name.startsWith(own)).toList(), jar.toString());
                }
            }
        }
    }

    @Test
    void shouldGiveDaemonsAndToolsEachOfOurClassesOnce() throws IOException {
        Map<String, List<Path>> jarsByClass = new TreeMap<>();
        for (String directory : List.of("lib", "lib-tools")) {
            for (Path jar : jars(Installations.eyewall(), directory)) {
                try (JarFile content = new JarFile(jar.toFile())) {
                    content.stream().map(JarEntry::getName).filter(name -> name.startsWith("io/eyewall/") && name.endsWith(".class"))
                        .forEach(name -> jarsByClass.computeIfAbsent(name, key -> new ArrayList<>()).add(jar.getFileName()));
                }
            }
        }
        assertFalse(jarsByClass.isEmpty());
        assertEquals(List.of(), jarsByClass.entrySet().stream().filter(entry -> entry.getValue().size() > 1).toList());
    }

    @Test
    void shouldSayInTheWovenJarThatClassesWereChanged() throws IOException {
        Path client = jars(Installations.eyewall(), "lib").stream().filter(jar -> artifact(jar).equals("storm-client")).findFirst()
            .orElseThrow();
        try (JarFile content = new JarFile(client.toFile())) {
            String notice = new String(content.getInputStream(content.getEntry("META-INF/NOTICE")).readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(notice.contains("a modified form of Apache Storm's storm-client"), notice);
            assertTrue(notice.contains("Copyright 2015 The Apache Software Foundation"), notice);
        }
    }

    private static List<Path> jars(StormHome home, String directory) throws IOException {
        try (Stream<Path> files = Files.list(home.root().resolve(directory))) {
            return files.toList();
        }
    }

    /** Names without versions. */
    private static Set<String> artifacts(StormHome home) throws IOException {
        return jars(home, "lib-worker").stream().map(ClassPathsSystemTest::artifact).collect(Collectors.toCollection(TreeSet::new));
    }

    private static String artifact(Path jar) {
        return jar.getFileName().toString().replaceFirst("-\\d.*\\.jar$", "");
    }
}
