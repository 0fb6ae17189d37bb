package io.eyewall.integration.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class PortsTest {

    private static final int BLOCK = 500;

    @Test
    void shouldNeverHandOutTheSamePortTwice() {
        List<Integer> ports = Ports.free(50);

        assertEquals(50, new HashSet<>(ports).size());
    }

    @Test
    void shouldKeepOtherProcessesFromTheBlocksThatItHandsOut() {
        List<Integer> ports = Ports.free(BLOCK + 1);

        Set<Integer> claims = ports.stream().map(port -> port - port % BLOCK + BLOCK - 1).collect(Collectors.toSet());
        assertTrue(claims.stream().noneMatch(ports::contains), () -> claims + " are handed out");
        claims.forEach(claim -> assertTrue(Ports.listens(claim), () -> "nobody claims " + claim));
    }
}
