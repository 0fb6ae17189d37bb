package io.eyewall.integration.upstreamtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;

class RefusedExitsTest {

    @Test
    void shouldThrowWhenUpstreamEndsItsProcess() {
        Exception refusal = assertThrows(IllegalStateException.class, () -> Utils.exitProcess(20, "Error when processing an event"));

        assertEquals("A test is not to end its JVM with status 20: Error when processing an event", refusal.getMessage());
    }
}
