package io.eyewall.integration.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterSpecificationTest {

    @TempDir
    private Path directory;

    @Test
    void shouldNameTheMissingPartWhenTheHomeIsNone() {
        ClusterException refused = assertThrows(ClusterException.class, () -> new StormHome(directory));
        assertTrue(refused.getMessage().contains("no directory lib/"), refused.getMessage());
    }

    @Test
    void shouldRefuseAClusterWithoutSupervisors() throws Exception {
        for (String part : List.of("lib", "lib-worker", "conf", "log4j2")) {
            Files.createDirectory(directory.resolve(part));
        }
        ClusterSpecification specification = ClusterSpecification.of(new StormHome(directory), directory);
        assertThrows(IllegalArgumentException.class, () -> specification.withSupervisors(0, 1));
    }

    @Test
    void shouldRefuseASecondNimbusOnTheHostOfTheFirst() throws Exception {
        for (String part : List.of("lib", "lib-worker", "conf", "log4j2")) {
            Files.createDirectory(directory.resolve(part));
        }
        ClusterSpecification specification = ClusterSpecification.of(new StormHome(directory), directory);
        assertThrows(IllegalArgumentException.class, specification::withStandbyNimbus);
        assertTrue(specification.withSeparateHosts(Hosts.APART).withStandbyNimbus().standby());
    }

    @Test
    void shouldLetLaterSettingsWinOverEarlierOnes() throws Exception {
        for (String part : List.of("lib", "lib-worker", "conf", "log4j2")) {
            Files.createDirectory(directory.resolve(part));
        }
        ClusterSpecification specification = ClusterSpecification.of(new StormHome(directory), directory)
            .withSettings(Map.of("a", 1, "b", 1)).withSettings(Map.of("b", 2));
        assertEquals(Map.of("a", 1, "b", 2), specification.settings());
    }

    @Test
    void shouldEncodeEveryOptionOfASubmissionSoThatCommasAndEqualSignsSurvive() {
        String encoded = Submission.of(Path.of("x.jar"), "Main").with("list", "[1,2]").encodedOptions();
        assertEquals(List.of("list=[1,2]"), List.of(encoded.split(",", -1)).stream()
            .map(option -> URLDecoder.decode(option, StandardCharsets.UTF_8)).toList());
    }
}
