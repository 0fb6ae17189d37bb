package io.eyewall.core.engine;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.eyewall.client.stream.StreamConfiguration;
import io.eyewall.core.QuickCluster;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.LocalCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Local mode runs a topology that asks for stream managers in one process. */
class LocalStreamManagerTest {

    private static final Duration DEADLINE = Duration.ofMinutes(1);

    @AfterEach
    void letGo() {
        HeldTopology.letGo();
    }

    @Test
    void shouldRunAllExecutorsInThisProcess() throws Exception {
        try (LocalCluster cluster = QuickCluster.of(1)) {
            Map<String, Object> configuration = new HashMap<>(HeldTopology.configuration());
            configuration.put(StreamConfiguration.MODE, "stream-manager");
            cluster.submitTopology("held", configuration, HeldTopology.ofBolts(1));
            HeldTopology.letGo();

            await().atMost(DEADLINE).until(() -> HeldTopology.EXECUTED.get() > HeldTopology.ROOM);
            assertEquals(List.of(), ProcessHandle.current().descendants().toList());
        }
    }
}
