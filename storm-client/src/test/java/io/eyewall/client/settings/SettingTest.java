package io.eyewall.client.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingTest {

    private static final Setting<Long> PERIOD = Setting.integer("period.secs", 10, 1, 60, "seconds", "How often.");

    @Test
    void shouldAnswerTheDefaultWhenTheKeyIsNotSet() {
        assertEquals(10, PERIOD.of(Map.of()));
    }

    @Test
    void shouldAnswerWhatIsSet() {
        assertEquals(60, PERIOD.of(Map.of("period.secs", 60)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "61", "1.5", "ten"})
    void shouldNameKeyValueAndRangeWhenTheValueIsOutOfRange(String written) {
        Object value = written.matches("[\\d.]+") ? Double.valueOf(written) : written;
        IllegalArgumentException error = assertThrows(IllegalArgumentException.class, () -> PERIOD.of(Map.of("period.secs", value)));
        assertEquals("period.secs is '" + value + "', but must be a whole number of seconds from 1 to 60.", error.getMessage());
    }

    @Test
    void shouldRefuseABlankText() {
        Setting<String> name = Setting.text("name", "x", "A name.");
        assertEquals("name is ' ', but must be a text that is not empty.",
            assertThrows(IllegalArgumentException.class, () -> name.parse(" ")).getMessage());
    }
}
