package io.eyewall.tail.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.settings.Setting;
import java.util.Map;
import org.apache.storm.utils.Utils;
import org.apache.storm.validation.ConfigValidation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

class LatencyRecordingConfigurationTest {

    @Test
    void shouldSampleOneInAThousandWhenNothingIsSet() {
        LatencyRecordingConfiguration configuration = new LatencyRecordingConfiguration(Map.of());
        assertEquals(new Sampling(1_000), configuration.sampling());
        assertEquals(600_000_000_000L, configuration.rangeNs());
        assertEquals(2, configuration.precisionDigits());
        assertEquals(10, configuration.intervalSecs());
        assertEquals(10_000, configuration.endpointPortOffset());
        assertEquals("dueNs", configuration.dueField());
    }

    @Test
    void shouldFindItsOwnDefaultsValid() {
        for (Setting<?> setting : new LatencyRecordingConfiguration().settings()) {
            ConfigValidation.validateFields(conf(setting.key(), setting.defaultValue()));
        }
    }

    @ParameterizedTest
    @CsvSource({"off,0", "all,1", "sampled:1/1,1", "sampled:1/100,100", "sampled:1/999999999,999999999"})
    void shouldReadEveryFormOfSampling(String text, int every) {
        assertEquals(every, Sampling.parse(text).every());
        assertEquals(every == 0, Sampling.parse(text).isOff());
        ConfigValidation.validateFields(conf(LatencyRecordingConfiguration.RECORDING, text));
    }

    @Test
    void shouldReadAPlainOffFromAFile() {
        Map<String, Object> conf = new Yaml().load(LatencyRecordingConfiguration.RECORDING + ": off");
        assertTrue(new LatencyRecordingConfiguration(conf).sampling().isOff());
    }

    @ParameterizedTest
    @ValueSource(strings = {"on", "ALL", "sampled", "sampled:1/0", "sampled:1/-3", "sampled:2/10", "sampled:1/1000000000", "0.1", ""})
    void shouldRefuseAnotherSamplingInOneLine(String text) {
        assertRefused(LatencyRecordingConfiguration.RECORDING, text,
            "off, all, or sampled:1/N with N from 1 to 999999999");
    }

    @ParameterizedTest
    @CsvSource({
        "topology.latency.range.secs,0,a whole number of seconds from 1 to 86400",
        "topology.latency.range.secs,86401,a whole number of seconds from 1 to 86400",
        "topology.latency.precision.digits,0,a whole number of significant decimal digits from 1 to 5",
        "topology.latency.precision.digits,6,a whole number of significant decimal digits from 1 to 5",
        "topology.latency.interval.secs,0,a whole number of seconds from 1 to 3600",
        "topology.latency.interval.secs,3601,a whole number of seconds from 1 to 3600",
        "topology.latency.endpoint.port.offset,-1,a whole number of ports from 0 to 60000",
        "topology.latency.endpoint.port.offset,60001,a whole number of ports from 0 to 60000"})
    void shouldRefuseANumberOutOfRangeInOneLine(String key, int value, String range) {
        assertRefused(key, value, range);
        assertRefused(key, value + 0.5, range);
        assertRefused(key, String.valueOf(value), range);
    }

    @Test
    void shouldRefuseADueFieldWithoutAName() {
        assertRefused(LatencyRecordingConfiguration.DUE_FIELD, " ", "a text that is not empty");
    }

    private static void assertRefused(String key, Object value, String range) {
        IllegalArgumentException error =
            assertThrows(IllegalArgumentException.class, () -> ConfigValidation.validateFields(conf(key, value)));
        assertEquals(key + " is '" + value + "', but must be " + range + ".", error.getMessage());
        assertFalse(error.getMessage().contains("\n"));
        assertThrows(IllegalArgumentException.class, () -> new LatencyRecordingConfiguration(Map.of(key, value)));
    }

    /** A topology's configuration with one key set. */
    private static Map<String, Object> conf(String key, Object value) {
        Map<String, Object> conf = Utils.readDefaultConfig();
        conf.put(key, value);
        return conf;
    }
}
