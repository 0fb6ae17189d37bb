package io.eyewall.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.eyewall.examples.configuration.ExampleKey;
import io.eyewall.examples.configuration.ExampleKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The tables of the handbook's page on the examples are what the code declares.
 */
class ExamplesPageTest {

    private static final Path PAGE = Path.of("..", "docs", "reference", "examples.md");

    @Test
    void shouldListEveryKeyAsDeclared() throws IOException {
        assertEquals(ExampleKeys.all().stream().map(ExamplesPageTest::row).toList(), rows("| `eyewall."));
    }

    @Test
    void shouldListEveryTopologyWithItsPicture() throws IOException {
        List<String> topologies = ExampleTopologies.all().stream().map(topology ->
            String.format("| `%s` | %s | `%s` |", topology.name(), topology.picture(), topology.getClass().getSimpleName())).toList();

        assertEquals(topologies, rows("| `").stream().filter(row -> !row.startsWith("| `eyewall.")).toList());
    }

    private static String row(ExampleKey key) {
        String value = key.defaultValue().toString();
        String range = !key.isNumber() ? "text" : key.min() == Long.MIN_VALUE ? "any" : key.min() + " to "
            + (key.max() == Long.MAX_VALUE ? "any" : Long.toString(key.max()));
        return String.format("| `%s` | %s | %s | %s | %s |", key.name(), value.isEmpty() ? "unset" : value, range,
            key.perComponent() ? "yes" : "no", key.doc());
    }

    private static List<String> rows(String start) throws IOException {
        return Files.readAllLines(PAGE).stream().filter(line -> line.startsWith(start)).toList();
    }
}
