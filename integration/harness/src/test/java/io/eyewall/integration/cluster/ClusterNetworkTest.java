package io.eyewall.integration.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClusterNetworkTest {

    @BeforeEach
    void needNamespaces() {
        Optional<String> cause = ClusterNetwork.unavailabilityCause();
        assumeTrue(cause.isEmpty(), () -> cause.orElseThrow());
    }

    @Test
    void shouldReachThisMachineFromAHostUnlessItIsDisconnected() throws Exception {
        try (ClusterNetwork network = ClusterNetwork.withHosts(2, Hosts.APART); ServerSocket server = new ServerSocket()) {
            server.bind(new InetSocketAddress(network.address(0), 0));
            assertEquals(0, connect(network, 2, server.getLocalPort()));
            network.setConnected(2, false);
            assertNotEquals(0, connect(network, 2, server.getLocalPort()));
            assertEquals(0, connect(network, 1, server.getLocalPort()));
            network.setConnected(2, true);
            assertEquals(0, connect(network, 2, server.getLocalPort()));
        }
    }

    @Test
    void shouldGiveTwoNetworksDifferentAddresses() {
        try (ClusterNetwork one = ClusterNetwork.withHosts(1, Hosts.APART);
                ClusterNetwork other = ClusterNetwork.withHosts(1, Hosts.APART)) {
            assertNotEquals(one.address(1), other.address(1));
        }
    }

    @Test
    void shouldReachAnotherPortWhenConnectionsAreRedirected() throws Exception {
        Optional<String> cause = ClusterNetwork.redirectionUnavailabilityCause();
        assumeTrue(cause.isEmpty(), () -> cause.orElseThrow());
        try (ClusterNetwork network = ClusterNetwork.withHosts(2, Hosts.APART); ServerSocket server = new ServerSocket()) {
            server.bind(new InetSocketAddress(network.address(0), 0));
            assertNotEquals(0, connect(network, 1, network.address(2), 6700));
            network.redirect(1, 2, 6700, server.getLocalPort());
            assertEquals(0, connect(network, 1, network.address(2), 6700));
            assertNotEquals(0, connect(network, 1, network.address(2), 6701));
        }
    }

    @Test
    void shouldGiveEveryHostAMonotonicClockOfItsOwn() throws Exception {
        Optional<String> cause = ClusterNetwork.unavailabilityCause();
        assumeTrue(cause.isEmpty(), () -> cause.orElseThrow());
        assumeTrue(Files.exists(Path.of("/proc/self/ns/time")), "this kernel has no time namespaces");
        try (ClusterNetwork network = ClusterNetwork.withHosts(2, Hosts.APART)) {
            for (int host = 1; host <= 2; host++) {
                List<String> command = new ArrayList<>(network.commandPrefix(host));
                command.addAll(List.of("cat", "/proc/self/timens_offsets"));
                Process process = new ProcessBuilder(command).start();
                String offsets = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                assertTrue(offsets.matches("(?s)monotonic +" + host * 1000 + " .*"), offsets);
            }
        }
    }

    @Test
    void shouldLimitWhatRunsOnAHost() throws Exception {
        Optional<String> cause = CpuLimit.unavailabilityCause();
        assumeTrue(cause.isEmpty(), () -> cause.orElseThrow());
        try (ClusterNetwork network = ClusterNetwork.withHosts(2, new Hosts(false, 0.5))) {
            List<String> command = new ArrayList<>(network.commandPrefix(2));
            command.addAll(List.of("cat", "/proc/self/cgroup", "/proc/self/timens_offsets"));
            String output = new String(new ProcessBuilder(command).start().getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(output.matches("(?s).*cpu.*:/ewb-\\d+-\\d+-2\n.*"), output);
            assertFalse(output.matches("(?s).*monotonic +[1-9].*"), output);
        }
    }

    private static int connect(ClusterNetwork network, int host, int port) throws Exception {
        return connect(network, host, network.address(0), port);
    }

    private static int connect(ClusterNetwork network, int host, String address, int port) throws Exception {
        List<String> command = new ArrayList<>(network.commandPrefix(host));
        command.addAll(List.of("timeout", "5", "bash", "-c", "exec 3<>/dev/tcp/" + address + "/" + port));
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }
}
