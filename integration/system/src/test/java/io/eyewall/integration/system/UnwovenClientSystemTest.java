package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two storm-clients on one class path would be found out only when Storm starts: the build must refuse upstream's. One build, which goes on
 * after a failure, validates a module for each case.
 */
@Tag("system")
class UnwovenClientSystemTest {

    private static final Path DIRECTORY = Installations.workDirectory("unwoven-client");
    private static final String CLIENT = "storm-client";
    private static final String SERVER = "storm-server";

    /** What the build printed. */
    private static String output;

    @BeforeAll
    static void validate() throws IOException, InterruptedException {
        StringBuilder modules = new StringBuilder();
        for (String scope : List.of("compile", "provided", "runtime", "test")) {
            modules.append(writeModule(CLIENT, scope));
        }
        for (String scope : List.of("compile", "runtime", "test")) {
            modules.append(writeModule(SERVER, scope));
        }
        Files.writeString(DIRECTORY.resolve("pom.xml"), """
            <project>
              <modelVersion>4.0.0</modelVersion>
              <groupId>io.eyewall</groupId>
              <artifactId>unwoven-client</artifactId>
              <version>1</version>
              <packaging>pom</packaging>
              <modules>%s</modules>
            </project>
            """.formatted(modules));
        Process maven = new ProcessBuilder("mvn", "-B", "-o", "--fail-at-end", "validate").directory(DIRECTORY.toFile())
            .redirectErrorStream(true).start();
        maven.getOutputStream().close();
        output = new String(maven.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        maven.waitFor();
    }

    @ParameterizedTest
    @ValueSource(strings = {"compile", "provided", "runtime", "test"})
    void shouldFailTheBuildWhenUpstreamsClientIsOnAClassPath(String scope) {
        assertFails(module(CLIENT, scope), "Upstream's unwoven storm-client is on a class path");
    }

    @ParameterizedTest
    @ValueSource(strings = {"compile", "runtime"})
    void shouldFailTheBuildWhenUpstreamsServerIsOnAClassPath(String scope) {
        assertFails(module(SERVER, scope), "Upstream's unwoven storm-server is on a class path");
    }

    @Test
    void shouldPassTheBuildWhenUpstreamsDaemonsAreOnTheClassPathWithoutTheirClient() {
        assertTrue(hasOutcome(module(SERVER, "test"), "SUCCESS"), output);
    }

    private static void assertFails(String module, String why) {
        assertTrue(hasOutcome(module, "FAILURE"), output);
        String errors = Stream.of(output.split("Failed to execute goal ", -1)).filter(text -> text.contains(" on project " + module + ":"))
            .collect(Collectors.joining());
        assertTrue(errors.contains(why), output);
    }

    /** Whether the build's summary names the module with that outcome. */
    private static boolean hasOutcome(String module, String outcome) {
        return output.lines().anyMatch(line -> line.startsWith("[INFO] " + module + " ") && line.contains(". " + outcome + " ["));
    }

    private static String module(String artifact, String scope) {
        return "with-" + artifact + "-" + scope;
    }

    /** It inherits from the root and has one dependency. Returns the line that makes it part of the build. */
    private static String writeModule(String artifact, String scope) throws IOException {
        Path directory = Files.createDirectories(DIRECTORY.resolve(module(artifact, scope)));
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
            """.formatted(directory.relativize(Installations.sourceTree().resolve("pom.xml")), module(artifact, scope), artifact, scope));
        return "<module>" + module(artifact, scope) + "</module>";
    }
}
