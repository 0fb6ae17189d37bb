package io.eyewall.integration.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.storm.shade.org.yaml.snakeyaml.Yaml;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterLayoutTest {

    private static final int SUBMISSIONS = 300;

    @TempDir
    private Path folder;
    private StormHome home;
    private ClusterLayout layout;

    @BeforeEach
    void layOut() throws Exception {
        home = home("home");
        layout = new ClusterLayout(ClusterSpecification.of(home, folder.resolve("cluster")), null);
    }

    @Test
    void shouldGiveProgramsThatSubmitAtTheSameTimeAWholeConfiguration() throws Exception {
        Submission submission = new Submission(Path.of("a.jar"), "Main", List.of(), Map.of());
        layout.submitCommand(home, submission);
        CompletableFuture<Void> submitting = CompletableFuture.runAsync(() -> {
            for (int i = 0; i < SUBMISSIONS; i++) {
                layout.submitCommand(home, submission);
            }
        });
        while (!submitting.isDone()) {
            assertEquals(layout.settings(), new Yaml().load(Files.readString(folder.resolve("cluster").resolve("client.yaml"))));
        }
        submitting.join();
        try (Stream<Path> files = Files.list(folder.resolve("cluster"))) {
            assertEquals(List.of("client.yaml"), files.map(file -> file.getFileName().toString()).toList());
        }
    }

    @Test
    void shouldUseTheClassesOfAnotherInstallationAndTheSameConfigurationWhenACommandComesFromThere() throws Exception {
        StormHome other = home("other");
        layout.supervisor(1);
        List<String> here = layout.hostCommand(home, "kill", "org.apache.storm.command.KillWorkers", 1, List.of("-h"));
        List<String> there = layout.hostCommand(other, "kill", "org.apache.storm.command.KillWorkers", 1, List.of("-h"));
        String configuration = "-Dstorm.conf.file=" + folder.resolve("cluster").resolve("supervisor-1.yaml");
        assertTrue(here.contains(configuration) && here.contains("-Dstorm.home=" + home.root()), here.toString());
        assertTrue(there.contains(configuration) && there.contains("-Dstorm.home=" + other.root()), there.toString());
        assertTrue(there.contains(other.daemonClassPath()), there.toString());
        assertEquals(List.of("org.apache.storm.command.KillWorkers", "-h"), there.subList(there.size() - 2, there.size()));
    }

    @Test
    void shouldHaveEveryProcessLogInWithTheFileOfTheSettingsAndAUserWithAnother() throws Exception {
        String login = "java.security.auth.login.config";
        ClusterLayout secure = new ClusterLayout(ClusterSpecification.of(home, folder.resolve("secure"))
            .withJavaOptions(List.of("-Dcolour=blue")).withSettings(Map.of(login, "daemons.jaas")), null);
        Submission submission = new Submission(Path.of("a.jar"), "Main", List.of(), Map.of());

        for (List<String> command : List.of(secure.submitCommand(home, submission),
            secure.clientCommand(home, "list", "Main", List.of()))) {
            assertTrue(command.containsAll(List.of("-Dcolour=blue", "-D" + login + "=daemons.jaas")), command.toString());
        }
        List<String> alices = secure.submitCommand(home, submission, "alice", Map.of(login, "alice.jaas"));
        assertTrue(alices.containsAll(List.of("-Dcolour=blue", "-D" + login + "=alice.jaas")), alices.toString());
        assertTrue(Files.readString(folder.resolve("secure").resolve("alice.yaml")).contains("alice.jaas"));
    }

    private StormHome home(String name) throws IOException {
        Path root = folder.resolve(name);
        for (String part : List.of("lib", "lib-worker", "conf", "log4j2")) {
            Files.createDirectories(root.resolve(part));
        }
        return new StormHome(root);
    }
}
