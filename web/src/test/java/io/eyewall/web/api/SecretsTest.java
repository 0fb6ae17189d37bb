package io.eyewall.web.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SecretsTest {

    @Test
    void shouldHideValuesByTheirKeys() {
        assertEquals(Map.of("ui.https.keystore.password", "*****", "aws.access.key", "*****",
            "storm.zookeeper.topology.auth.payload", "*****", "api_token", "*****", "topology.workers", 3),
            Secrets.mask("{\"ui.https.keystore.password\":\"x\",\"aws.access.key\":\"x\",\"storm.zookeeper.topology.auth.payload\":\"x\","
                + "\"api_token\":5,\"topology.workers\":3}"));
    }

    @Test
    void shouldHideWhatIsWithinOtherValues() {
        assertEquals(Map.of("ui.childopts", "-Dmy.password=***** -Xmx1g", "urls", List.of("jdbc://bert:*****@db/x"),
            "nested", Map.of("secret", "*****")),
            Secrets.mask("{\"ui.childopts\":\"-Dmy.password=x -Xmx1g\",\"urls\":[\"jdbc://bert:x@db/x\"],\"nested\":{\"secret\":\"x\"}}"));
    }

    @Test
    void shouldShowWhatIsNoSecret() {
        assertEquals(Map.of("some.password", "", "secret.on", true, "topology.max.task.parallelism", "secretary"),
            Secrets.mask("{\"some.password\":\"\",\"secret.on\":true,\"topology.max.task.parallelism\":\"secretary\"}"));
        assertEquals(Map.of(), Secrets.mask("nothing"));
    }
}
