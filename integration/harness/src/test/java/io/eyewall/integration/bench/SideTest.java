package io.eyewall.integration.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SideTest {

    @TempDir
    private Path directory;

    @Test
    void shouldReadInstallationAndTopologyConfiguration() throws IOException {
        Side side = read("eyewall.home: upstream\ntopology.transfer.buffer.size: 5\ntopology.list: [a, 1]\n");

        assertEquals(new Side('A', "tuned", Side.Installation.UPSTREAM,
            Map.of("topology.transfer.buffer.size", 5, "topology.list", List.of("a", 1))), side);
    }

    @Test
    void shouldRunOnEyewallWhenTheFileSaysNothing() throws IOException {
        assertEquals(new Side('A', "tuned", Side.Installation.EYEWALL, Map.of()), read("# as it is\n"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "eyewall.home: storm | eyewall.home is storm: write upstream or eyewall",
        "just words | expected lines of the form key: value",
        "a: [1, 2 | not YAML: while parsing a flow sequence"})
    void shouldNameTheFileAndWhatIsWrongWithIt(String content, String what) {
        String message = assertThrows(IllegalArgumentException.class, () -> read(content + "\n")).getMessage();

        assertTrue(message.startsWith(directory.resolve("tuned.yaml") + ": " + what), message);
        assertEquals(1, message.lines().count());
    }

    @Test
    void shouldSayThatItIsADirectory() {
        String message = assertThrows(IllegalArgumentException.class, () -> Side.read('A', directory)).getMessage();

        assertEquals(directory + ": expected a file, this is a directory", message);
    }

    private Side read(String content) throws IOException {
        return Side.read('A', Files.writeString(directory.resolve("tuned.yaml"), content));
    }
}
