package io.eyewall.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {

    private final List<String> names = new ArrayList<>();
    private final Map<String, Object> configuration = new HashMap<>();

    @Test
    void shouldDistinguishNamesFromConfiguration() {
        Main.parse(new String[] {"-c", "topology.workers=2", "wc", "-c", "topology.debug=true", "-c", "eyewall.input=/a=b", "-c", "x="},
            names, configuration);

        assertEquals(List.of("wc"), names);
        assertEquals(Map.of("topology.workers", 2L, "topology.debug", true, "eyewall.input", "/a=b", "x", ""), configuration);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-c", "-c key", "-c =value"})
    void shouldRefuseAnOptionWithoutKeyAndValue(String arguments) {
        assertThrows(IllegalArgumentException.class, () -> Main.parse(arguments.split(" ", -1), names, configuration));
    }
}
