package io.eyewall.client.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.apache.storm.Config;
import org.junit.jupiter.api.Test;

class KeyNamesTest {

    @Test
    void shouldWriteTheKeyWhenTheMessageNamesItsConstant() {
        assertEquals("Field topology.workers must be an Integer", spellOut("Field TOPOLOGY_WORKERS must be an Integer"));
    }

    @Test
    void shouldLeaveOtherWordsAloneWhenTheyOnlyLookLikeConstants() {
        assertEquals("JSON and NO_SUCH_KEY of 3", spellOut("JSON and NO_SUCH_KEY of 3"));
    }

    private static String spellOut(String message) {
        return KeyNames.spellOut(message, List.of(Config.class));
    }
}
