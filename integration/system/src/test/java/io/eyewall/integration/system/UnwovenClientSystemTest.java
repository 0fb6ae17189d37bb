package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two storm-clients on one class path would be found out only when Storm starts: the build must refuse upstream's. */
@Tag("system")
class UnwovenClientSystemTest {

    @ParameterizedTest
    @ValueSource(strings = {"compile", "provided", "runtime", "test"})
    void shouldFailTheBuildWhenUpstreamsClientIsOnAClassPath(String scope) throws Exception {
        Outcome outcome = validate("unwoven-client-" + scope, "storm-client", scope);
        assertTrue(outcome.exitCode != 0, outcome.output);
        assertTrue(outcome.output.contains("Upstream's unwoven storm-client is on a class path"), outcome.output);
    }

    @ParameterizedTest
    @ValueSource(strings = {"compile", "runtime"})
    void shouldFailTheBuildWhenUpstreamsServerIsOnAClassPath(String scope) throws Exception {
        Outcome outcome = validate("unwoven-server-" + scope, "storm-server", scope);
        assertTrue(outcome.exitCode != 0, outcome.output);
        assertTrue(outcome.output.contains("Upstream's unwoven storm-server is on a class path"), outcome.output);
    }

    @Test
    void shouldPassTheBuildWhenUpstreamsDaemonsAreOnTheClassPathWithoutTheirClient() throws Exception {
        Outcome outcome = validate("daemons-without-client", "storm-server", "test");
        assertEquals(0, outcome.exitCode, outcome.output);
    }

    /** Validates a module which inherits from the root and has one dependency. */
    private static Outcome validate(String name, String artifact, String scope) throws IOException, InterruptedException {
        Path directory = Installations.workDirectory(name);
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("pom.xml"), """
            <project>
              <modelVersion>4.0.0</modelVersion>
              <parent>
                <groupId>io.eyewall</groupId>
                <artifactId>eyewall</artifactId>
                <version>${revision}</version>
                <relativePath>%s</relativePath>
              </parent>
              <artifactId>%s</artifactId>
              <dependencies>
                <dependency>
                  <groupId>org.apache.storm</groupId>
                  <artifactId>%s</artifactId>
                  <scope>%s</scope>
                </dependency>
              </dependencies>
            </project>
            """.formatted(directory.relativize(Installations.sourceTree().resolve("pom.xml")), name, artifact, scope));
        Process maven = new ProcessBuilder("mvn", "-B", "-o", "-q", "validate").directory(directory.toFile())
            .redirectErrorStream(true).start();
        maven.getOutputStream().close();
        String output = new String(maven.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(maven.waitFor(), output);
    }

    private record Outcome(int exitCode, String output) {
    }
}
