package io.eyewall.examples.configuration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExampleConfigurationTest {

    @Test
    void shouldUseDefaultsWhenNothingIsConfigured() {
        ExampleConfiguration configuration = new ExampleConfiguration(Map.of());

        for (ExampleKey key : ExampleKeys.all()) {
            if (key.isNumber()) {
                assertEquals(key.defaultValue(), configuration.number(key), key.name());
            } else {
                assertEquals(key.defaultValue(), configuration.text(key).orElse(""), key.name());
            }
        }
    }

    @Test
    void shouldRefuseARateBesideAFileOfRates() {
        Map<String, Object> both = Map.of("eyewall.rate.per.sec", 5, "eyewall.rate.file", "/rates");

        assertEquals("eyewall.rate.per.sec and eyewall.rate.file are both set: set one of them",
            assertThrows(ConfigurationException.class, () -> new ExampleConfiguration(both)).getMessage());
    }

    @Test
    void shouldReadANumberFromANumberOrAText() {
        assertEquals(500, new ExampleConfiguration(Map.of("eyewall.rate.per.sec", 500)).number(ExampleKeys.RATE_PER_SEC));
        assertEquals(500, new ExampleConfiguration(Map.of("eyewall.rate.per.sec", " 500 ")).number(ExampleKeys.RATE_PER_SEC));
        assertEquals(-7, new ExampleConfiguration(Map.of("eyewall.seed", -7L)).number(ExampleKeys.SEED));
    }

    @ParameterizedTest
    @CsvSource({
        "eyewall.rate.per.sec, fast",
        "eyewall.rate.per.sec, 1.5",
        "eyewall.rate.per.sec, -1",
        "eyewall.work.ms, 60001",
        "eyewall.redis.port, 0",
        "eyewall.parallelism.filter, 10001",
    })
    void shouldNameKeyValueAndRangeWhenTheValueIsNotAllowed(String name, String value) {
        ExampleKey key = ExampleKeys.all().stream().filter(each -> name.startsWith(each.name())).findFirst().orElseThrow();

        String message = assertThrows(ConfigurationException.class, () -> new ExampleConfiguration(Map.of(name, value))).getMessage();

        assertEquals(String.format("%s is '%s', but must be a whole number from %d to %d", name, value, key.min(), key.max()), message);
    }

    @ParameterizedTest
    @CsvSource({"eyewall.measure.dir", "eyewall.results.dir", "eyewall.input", "eyewall.rate.file"})
    void shouldRefuseAPathWhenItIsNotAbsolute(String name) {
        String message = assertThrows(ConfigurationException.class, () -> new ExampleConfiguration(Map.of(name, "out"))).getMessage();

        assertTrue(message.startsWith(name + " is 'out', but must be an absolute path"), message);
    }

    @Test
    void shouldReturnTheOverrideOfOneComponent() {
        ExampleConfiguration configuration = new ExampleConfiguration(
            Map.of("eyewall.work.ms", 3, "eyewall.work.ms.join-1", 5, "eyewall.tasks.output", 2));

        assertEquals(3, configuration.number(ExampleKeys.WORK_MS));
        assertEquals(OptionalLong.of(5), configuration.override(ExampleKeys.WORK_MS, "join-1"));
        assertEquals(OptionalLong.empty(), configuration.override(ExampleKeys.WORK_MS, "output"));
        assertEquals(Map.of("join-1", "eyewall.work.ms.join-1", "output", "eyewall.tasks.output"), configuration.overriddenComponents());
    }
}
