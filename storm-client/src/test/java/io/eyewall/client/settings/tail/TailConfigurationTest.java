package io.eyewall.client.settings.tail;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.apache.storm.utils.Utils;
import org.apache.storm.validation.ConfigValidation;
import org.junit.jupiter.api.Test;

class TailConfigurationTest {

    @Test
    void shouldBeManualWhenNothingIsSet() {
        assertFalse(new TailConfiguration().isAutomatic());
        assertTrue(new TailConfiguration(Map.of(TailConfiguration.TAIL_LATENCY, "auto")).isAutomatic());
    }

    @Test
    void shouldTakeOrdersOnlyWithSlo() {
        assertTrue(new TailConfiguration(Map.of(TailConfiguration.TAIL_LATENCY, "slo")).takesOrders());
        assertFalse(new TailConfiguration(Map.of(TailConfiguration.TAIL_LATENCY, "slo")).isAutomatic());
        assertFalse(new TailConfiguration(Map.of(TailConfiguration.TAIL_LATENCY, "auto")).takesOrders());
        assertFalse(new TailConfiguration().takesOrders());
    }

    @Test
    void shouldRefuseAnotherWordInOneLine() {
        Map<String, Object> conf = Utils.readDefaultConfig();
        conf.put(TailConfiguration.TAIL_LATENCY, "always");

        assertEquals("topology.tail.latency is 'always', but must be manual or auto or slo.",
            assertThrows(IllegalArgumentException.class, () -> ConfigValidation.validateFields(conf)).getMessage());
    }
}
