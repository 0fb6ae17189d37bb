package io.eyewall.integration.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
    private ClusterLayout layout;

    @BeforeEach
    void layOut() throws Exception {
        Path home = folder.resolve("home");
        for (String part : List.of("lib", "lib-worker", "conf", "log4j2")) {
            Files.createDirectories(home.resolve(part));
        }
        layout = new ClusterLayout(ClusterSpecification.of(new StormHome(home), folder.resolve("cluster")), null);
    }

    @Test
    void shouldGiveProgramsThatSubmitAtTheSameTimeAWholeConfiguration() throws Exception {
        Submission submission = new Submission(Path.of("a.jar"), "Main", List.of(), Map.of());
        layout.submitCommand(submission);
        CompletableFuture<Void> submitting = CompletableFuture.runAsync(() -> {
            for (int i = 0; i < SUBMISSIONS; i++) {
                layout.submitCommand(submission);
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
}
