package io.eyewall.client.settings.tail;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.settings.Setting;
import java.util.Map;
import org.apache.storm.shade.org.yaml.snakeyaml.Yaml;
import org.apache.storm.utils.Utils;
import org.apache.storm.validation.ConfigValidation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BalancingConfigurationTest {

    @Test
    void shouldBeOffWithThePeriodAndAgingOfTheThesisWhenNothingIsSet() {
        BalancingConfiguration configuration = new BalancingConfiguration();
        assertFalse(configuration.isOn());
        assertEquals(5, configuration.periodSecs());
        assertEquals(0.5, configuration.aging());
        assertEquals(2, configuration.moveFactor());
        assertEquals(300_000, configuration.movePeriodMs());
    }

    @Test
    void shouldFindItsOwnDefaultsValid() {
        for (Setting<?> setting : new BalancingConfiguration().settings()) {
            ConfigValidation.validateFields(conf(setting.key(), setting.defaultValue()));
        }
    }

    @Test
    void shouldReadAPlainOnFromAFile() {
        Map<String, Object> conf = new Yaml().load(BalancingConfiguration.BALANCING + ": on");
        assertTrue(new BalancingConfiguration(conf).isOn());
    }

    @ParameterizedTest
    @ValueSource(ints = {-5, 0, 3_601})
    void shouldRefuseAPeriodOutOfRangeInOneLine(int secs) {
        assertRefused(BalancingConfiguration.PERIOD_SECS, secs, "a whole number of seconds from 1 to 3600");
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.5, 0, 1.01, Double.NaN})
    void shouldRefuseAnAgingOutOfRangeInOneLine(double aging) {
        assertRefused(BalancingConfiguration.AGING, aging, "a number above 0 and up to 1");
    }

    @ParameterizedTest
    @ValueSource(doubles = {-2, 1.19, 1_001, Double.NaN})
    void shouldRefuseAFactorOutOfRangeInOneLine(double factor) {
        assertRefused(BalancingConfiguration.MOVE_FACTOR, factor, "a number from 1.2 to 1000");
    }

    @ParameterizedTest
    @ValueSource(ints = {-300, 9, 86_401})
    void shouldRefuseAPeriodBetweenMovesOutOfRangeInOneLine(int secs) {
        assertRefused(BalancingConfiguration.MOVE_PERIOD_SECS, secs, "a whole number of seconds from 10 to 86400");
    }

    @Test
    void shouldRefuseAnotherWordThanAFlag() {
        assertRefused(BalancingConfiguration.BALANCING, "sometimes", "true or false");
    }

    private static void assertRefused(String key, Object value, String range) {
        IllegalArgumentException error =
            assertThrows(IllegalArgumentException.class, () -> ConfigValidation.validateFields(conf(key, value)));
        assertEquals(key + " is '" + value + "', but must be " + range + ".", error.getMessage());
        assertThrows(IllegalArgumentException.class, () -> new BalancingConfiguration(Map.of(key, value)));
    }

    /** A topology's configuration with one key set. */
    private static Map<String, Object> conf(String key, Object value) {
        Map<String, Object> conf = Utils.readDefaultConfig();
        conf.put(key, value);
        return conf;
    }
}
