package io.eyewall.client.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConfigValuesTest {

    @Test
    void shouldWriteValuesAsUpstreamDoesWhenTheyAreListsNumbersOrMissing() {
        Map<String, Object> configuration = Map.of("seeds", List.of("a", "b"), "port", 6627, "options", "-Xmx1g -Da=\"b c\"");

        assertEquals(Map.of("seeds", "a b", "port", "6627", "options", "-Xmx1g -Da=\"b c\"", "none", "null"),
            ConfigValues.values(configuration, "seeds", "port", "options", "none"));
    }
}
