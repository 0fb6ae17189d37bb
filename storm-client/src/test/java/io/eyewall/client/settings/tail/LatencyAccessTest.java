package io.eyewall.client.settings.tail;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

class LatencyAccessTest {

    @Test
    void shouldBePossibleUnlessRecordingOrTheEndpointIsOff() {
        assertTrue(LatencyAccess.of(Map.of()).isPossible());
        assertEquals(10_000, LatencyAccess.of(Map.of()).endpointPortOffset());
        assertTrue(LatencyAccess.of(Map.of("topology.latency.recording", "all")).isPossible());
        assertFalse(LatencyAccess.of(Map.of("topology.latency.recording", "off")).isPossible());
        assertFalse(LatencyAccess.of(Map.of("topology.latency.recording", false)).isPossible());
        assertFalse(LatencyAccess.of(Map.of("topology.latency.endpoint.port.offset", 0)).isPossible());
    }

    @Test
    void shouldRefuseABadOffset() {
        assertThrows(IllegalArgumentException.class, () -> LatencyAccess.of(Map.of("topology.latency.endpoint.port.offset", -1)));
    }
}
