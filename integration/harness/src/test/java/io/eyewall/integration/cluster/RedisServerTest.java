package io.eyewall.integration.cluster;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedisServerTest {

    @Test
    void shouldListenUntilItIsClosed(@TempDir Path directory) {
        Optional<String> cause = RedisServer.unavailabilityCause();
        assumeTrue(cause.isEmpty(), () -> cause.orElseThrow());
        RedisServer server = RedisServer.start(directory);
        assertTrue(Ports.listens(server.port()));
        server.close();
        assertFalse(Ports.listens(server.port()));
    }
}
