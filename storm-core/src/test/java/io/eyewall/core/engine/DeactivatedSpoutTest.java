package io.eyewall.core.engine;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.eyewall.core.QuickCluster;
import java.time.Duration;
import org.apache.storm.LocalCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A spout is deactivated while a bolt that stands still has filled the queue before it. */
class DeactivatedSpoutTest {

    private static final Duration DEADLINE = Duration.ofMinutes(1);

    @AfterEach
    void letGo() {
        HeldTopology.letGo();
    }

    @Test
    void shouldSendWhatItHadEmittedWhenThereIsRoomAgain() throws Exception {
        try (LocalCluster cluster = QuickCluster.of(1)) {
            cluster.submitTopology("held", HeldTopology.configuration(), HeldTopology.ofBolts(1));
            await().atMost(DEADLINE).until(() -> HeldTopology.EMITTED.get() > HeldTopology.ROOM + 1);
            cluster.deactivate("held");
            HeldTopology.awaitDeactivation();
            HeldTopology.letGo();
            await().atMost(DEADLINE).untilAsserted(() -> assertEquals(HeldTopology.EMITTED.get(), HeldTopology.EXECUTED.get()));
        }
    }
}
