package io.eyewall.integration.system;

import io.eyewall.client.stream.StreamConfiguration;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/** Topologies in containers with stream managers grow and shrink. */
@Tag("system")
@Tag("long")
@Tag("alone")
class StreamManagerScaleSystemTest extends ScaleSystemTest {

    @Override
    String name() {
        return "stream-manager-scale";
    }

    @Override
    Map<String, Object> settings() {
        return Map.of(StreamConfiguration.MODE, "stream-manager");
    }
}
