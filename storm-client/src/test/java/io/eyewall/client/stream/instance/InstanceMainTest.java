package io.eyewall.client.stream.instance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.CapturedLog;
import io.eyewall.client.engine.EngineConfiguration;
import io.eyewall.client.engine.WakeOnArrivalFeature;
import java.util.List;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.Test;

class InstanceMainTest {

    @Test
    void shouldWarnWithTheCauseWhenRingsAreAskedForAndCannotBeUsed() {
        try (CapturedLog warnings = new CapturedLog(Level.WARN, WakeOnArrivalFeature.class)) {
            assertFalse(InstanceMain.sharesMemory(Map.of()));
            assertTrue(InstanceMain.sharesMemory(Map.of(EngineConfiguration.SHARED_MEMORY, EngineConfiguration.AUTO)));
            assertEquals(List.of(), warnings.lines());

            assertFalse(InstanceMain.sharesMemory(
                Map.of(EngineConfiguration.SHARED_MEMORY, EngineConfiguration.AUTO, EngineConfiguration.FRAMES, false)));

            assertEquals(List.of("No frames go through shared memory, since topology.transfer.frames is false."
                + " topology.transfer.shared.memory has no effect on this worker: remove that cause, or set the key to off."),
                warnings.lines());
        }
    }
}
