package io.eyewall.transport.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.Inet6Address;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.storm.messaging.ConnectionWithStatus;
import org.apache.storm.messaging.ConnectionWithStatus.Status;
import org.apache.storm.messaging.IContext;
import org.apache.storm.messaging.TaskMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@RequiresLibfabric
class FabricTransportTest {

    private final Map<String, Object> conf = new HashMap<>();

    @Test
    void shouldTellWhichProviderIsMissing() {
        conf.put(FabricConfiguration.PROVIDER, "warp");
        String message = refusal();
        assertTrue(message.startsWith("No CONNECTED endpoint of provider 'warp'"), message);
        assertTrue(message.endsWith("see the output of fi_info for what there is"), message);
    }

    @Test
    void shouldTellThatTheInterfaceDoesNotExist() {
        conf.put(FabricConfiguration.INTERFACE, "no such thing");
        assertEquals("storm.messaging.fabric.interface is 'no such thing', but must be the name or the IP address of a network interface of"
            + " this host, or all", refusal());
    }

    @ParameterizedTest
    @ValueSource(strings = {"lo", "127.0.0.1", "localhost"})
    void shouldListenOnTheInterfaceGivenByNameOrAddress(String given) {
        conf.put(FabricConfiguration.INTERFACE, given);
        FabricTransport transport = new FabricTransport();
        transport.prepare(conf, null);
        assertTrue(transport.bind("topology-1", 0, messages -> { }, null).getPort() > 0);
        transport.term();
    }

    @ParameterizedTest
    @EnumSource(value = Transport.class, names = {"FABRIC_MSG", "FABRIC_RDM"})
    void shouldCarryMessagesOverIpv6(Transport transport) throws SocketException {
        assumeTrue(NetworkInterface.getByName("lo").inetAddresses().anyMatch(Inet6Address.class::isInstance), "no IPv6 here");
        IContext context = transport.context(Map.of(FabricConfiguration.INTERFACE, "::1"));
        ReceivedMessages received = new ReceivedMessages();
        int port = context.bind("topology-1", 0, received, null).getPort();
        ConnectionWithStatus client = (ConnectionWithStatus) context.connect("topology-1", "::1", port, new AtomicBoolean[0]);
        ReceivedMessages.patiently().until(() -> client.status() == Status.Ready);
        client.send(List.of(new TaskMessage(1, new byte[1])).iterator());
        received.await(1, 1);
        context.term();
    }

    @ParameterizedTest
    @CsvSource({"FABRIC_MSG, spin", "FABRIC_MSG, backoff", "FABRIC_RDM, spin", "FABRIC_RDM, backoff"})
    void shouldCarryMessagesHoweverItsThreadsIdle(Transport transport, String idle) {
        IContext context = transport.context(Map.of(FabricConfiguration.IDLE, idle));
        ReceivedMessages received = new ReceivedMessages();
        int port = context.bind("topology-1", 0, received, null).getPort();
        ConnectionWithStatus client = (ConnectionWithStatus) context.connect("topology-1", "127.0.0.1", port, new AtomicBoolean[0]);
        ReceivedMessages.patiently().until(() -> client.status() == Status.Ready);
        for (int i = 0; i < 1_000; i++) {
            client.send(List.of(new TaskMessage(1, new byte[i])).iterator());
        }
        List<byte[]> arrived = received.await(1, 1_000);
        for (int i = 0; i < 1_000; i++) {
            assertEquals(i, arrived.get(i).length);
        }
        context.term();
    }

    private String refusal() {
        return assertThrows(RuntimeException.class, () -> new FabricTransport().prepare(conf, null)).getMessage();
    }
}
