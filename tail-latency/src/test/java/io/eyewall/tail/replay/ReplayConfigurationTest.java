package io.eyewall.tail.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.eyewall.client.settings.Setting;
import java.util.HashMap;
import java.util.Map;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.utils.Utils;
import org.apache.storm.validation.ConfigValidation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplayConfigurationTest {

    @Test
    void shouldBeOffWhenNothingIsSet() {
        assertFalse(new ReplayConfiguration().isOn());
    }

    @Test
    void shouldFindItsOwnDefaultsValid() {
        for (Setting<?> setting : new ReplayConfiguration().settings()) {
            ConfigValidation.validateFields(conf(setting.key(), setting.defaultValue()));
        }
    }

    @ParameterizedTest
    @CsvSource({"topology.adaptive.timeout.period.secs,-1,a whole number of seconds from 1 to 3600",
        "topology.adaptive.timeout.percent,101,a whole number of per cent from 1 to 100",
        "topology.adaptive.timeout.replays,0,a whole number of instances from 1 to 10"})
    void shouldRefuseWhatIsOutOfRangeInOneLine(String key, int value, String range) {
        assertEquals(key + " is '" + value + "', but must be " + range + ".",
            assertThrows(IllegalArgumentException.class, () -> ConfigValidation.validateFields(conf(key, value))).getMessage());
    }

    @Test
    void shouldRefuseAMaximumBelowTheMinimumWhenATopologyIsSubmitted() {
        assertEquals("topology.adaptive.timeout.max.ms is '9', but must not be less than topology.adaptive.timeout.min.ms, which is 10.",
            refusal(Map.of(ReplayConfiguration.MIN_MS, 10, ReplayConfiguration.MAX_MS, 9)));
        assertEquals("topology.adaptive.timeout.max.ms is '30000' by default, but must not be less than topology.adaptive.timeout.min.ms,"
            + " which is 40000.", refusal(Map.of(ReplayConfiguration.MIN_MS, 40_000)));
    }

    private static String refusal(Map<String, Object> conf) {
        return assertThrows(InvalidTopologyException.class,
            () -> new AdaptiveReplayFeature().submitting(conf, new StormTopology(), () -> null, new HashMap<>())).get_msg();
    }

    private static Map<String, Object> conf(String key, Object value) {
        Map<String, Object> conf = Utils.readDefaultConfig();
        conf.put(key, value);
        return conf;
    }
}
