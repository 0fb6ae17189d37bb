package io.eyewall.client.security;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.apache.storm.validation.ConfigValidation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecurityConfigurationTest {

    @Test
    void shouldBeSafeByDefault() {
        SecurityConfiguration defaults = new SecurityConfiguration();

        assertFalse(defaults.areSecretsServed());
        assertFalse(defaults.isLauncherTrusted());
        assertTrue(defaults.isHostVerified());
        assertTrue(defaults.isWorkerVerified());
        assertEquals(List.of(), defaults.stateClasses());
        assertEquals(List.of(), defaults.redactedKeys());
        assertEquals(256 * 1024 * 1024, defaults.maxMessageBytes());
    }

    @Test
    void shouldBringUpstreamsBehaviourBack() {
        SecurityConfiguration upstreams = new SecurityConfiguration(Map.of("nimbus.serve.secrets", true,
            "supervisor.worker.launcher.trusted", true, "topology.state.classes", List.of("*"), "storm.redacted.keys", List.of("pin")));

        assertTrue(upstreams.areSecretsServed());
        assertTrue(upstreams.isLauncherTrusted());
        assertEquals(List.of("*"), upstreams.stateClasses());
        assertEquals(List.of("pin"), upstreams.redactedKeys());
    }

    @ParameterizedTest
    @ValueSource(strings = {"nimbus.serve.secrets", "supervisor.worker.launcher.trusted", "topology.state.classes", "storm.redacted.keys",
        "storm.messaging.netty.max.message.bytes", "storm.thrift.tls.verify.host", "storm.messaging.netty.tls.verify.host"})
    void shouldNameTheKeyWhoseValueIsWrong(String key) {
        String message = assertThrows(IllegalArgumentException.class,
            () -> ConfigValidation.validateFields(Map.of(key, "perhaps"), List.of(SecurityConfiguration.class))).getMessage();
        assertTrue(message.startsWith(key + " is 'perhaps', but must be "), message);
        assertDoesNotThrow(() -> ConfigValidation.validateFields(Map.of("topology.state.classes", List.of("a.B")),
            List.of(SecurityConfiguration.class)));
    }
}
