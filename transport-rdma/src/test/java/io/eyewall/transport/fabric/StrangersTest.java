package io.eyewall.transport.fabric;

import static io.eyewall.transport.fabric.ReceivedMessages.patiently;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.fuzz.Fuzz;
import io.eyewall.client.fuzz.LogLines;
import io.eyewall.transport.fabric.binding.MessagePeer;
import io.eyewall.transport.fabric.link.frame.Hello;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.storm.messaging.ConnectionWithStatus;
import org.apache.storm.messaging.ConnectionWithStatus.Status;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.IContext;
import org.apache.storm.messaging.TaskMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A peer that does not belong to a topology cannot send tuples to it, and does not disturb workers that belong to it. */
@RequiresLibfabric
@ParameterizedClass
@EnumSource(value = Transport.class, names = {"FABRIC_MSG", "FABRIC_RDM"})
class StrangersTest {

    private static final String TOPOLOGY = "strangers-1";
    private static final Map<String, Object> SECRET = Map.of(FabricConfiguration.SECRET, "open sesame");
    private static final int STRANGERS = 20;
    private static final long MAX_BYTES_KEPT = 24L << 20;
    private static final int MAX_LINES = 30;

    private final Transport transport;
    private final ReceivedMessages received = new ReceivedMessages();
    private final IContext context;
    private IConnection server;
    private ConnectionWithStatus friend;

    StrangersTest(Transport transport) {
        this.transport = transport;
        this.context = transport.context(SECRET);
    }

    @BeforeEach
    void connectAFriend() {
        server = context.bind(TOPOLOGY, 0, received, null);
        friend = connect(context, TOPOLOGY);
        patiently().until(() -> friend.status() == Status.Ready);
    }

    @AfterEach
    void close() {
        friend.close();
        server.close();
        context.term();
    }

    @Test
    void shouldRefuseAPeerWithAWrongSecret() {
        assertRefused(Map.of(FabricConfiguration.SECRET, "open wheat"), TOPOLOGY);
    }

    @Test
    void shouldRefuseAPeerWithoutASecret() {
        assertRefused(Map.of(), TOPOLOGY);
    }

    @Test
    void shouldRefuseTheWorkersOfAnotherTopology() {
        assertRefused(SECRET, "strangers-2");
    }

    @Test
    void shouldSurviveGarbage() throws IOException {
        ByteBuffer hello = ByteBuffer.allocate(Integer.BYTES + Hello.MAX_BYTES);
        Hello said = new Hello(new byte[Hello.PROOF_BYTES], 1 << 16, 10, 1, new byte[16]);
        said.encode(hello.putInt(said.encodedBytes()));
        Fuzz fuzz = new Fuzz(3, List.of(Arrays.copyOf(hello.array(), hello.position())));
        int connections = Fuzz.INPUTS / Fuzz.INPUTS_PER_CONNECTION;
        try (LogLines lines = new LogLines()) {
            long before = Fuzz.usedBytes();
            for (int i = 1; i <= connections; i++) {
                try (Socket stranger = new Socket(InetAddress.getLoopbackAddress(), server.getPort())) {
                    fuzz.sendOver(stranger);
                }
                if (i % STRANGERS == 0) {
                    assertFriendIsHeard(i / STRANGERS);
                }
            }
            patiently().untilAsserted(() -> assertTrue(Fuzz.usedBytes() - before < MAX_BYTES_KEPT, "memory stays in use"));
            lines.assertAtMost(MAX_LINES);
        }
    }

    @Test
    void shouldSurviveAFirstMessageThatIsNotAHello() throws IOException {
        for (int i = 0; i < STRANGERS; i++) {
            byte[] message = new byte[100 + i];
            new Random(i).nextBytes(message);
            if (transport == Transport.FABRIC_MSG) {
                try (MessagePeer stranger = MessagePeer.connecting(server.getPort())) {
                    stranger.awaitConnected();
                    stranger.send(message);
                    stranger.awaitShutdown();
                }
            } else {
                try (Socket stranger = new Socket(InetAddress.getLoopbackAddress(), server.getPort())) {
                    stranger.getOutputStream().write(ByteBuffer.allocate(4 + message.length).putInt(message.length).put(message).array());
                    assertEquals(-1, stranger.getInputStream().read(), "the server closes the connection");
                }
            }
            assertFriendIsHeard(i + 1);
        }
    }

    private void assertRefused(Map<String, Object> settings, String topology) {
        IContext strangers = transport.context(settings);
        try {
            ConnectionWithStatus stranger = connect(strangers, topology);
            // A worker that connects after the stranger is ready while the stranger still is not.
            for (int i = 1; i <= 3; i++) {
                ConnectionWithStatus later = connect(context, TOPOLOGY);
                patiently().until(() -> later.status() == Status.Ready);
                assertEquals(Status.Connecting, stranger.status());
                stranger.send(List.of(new TaskMessage(2, new byte[1])).iterator());
                later.close();
                assertFriendIsHeard(i);
            }
            stranger.close();
            assertEquals(List.of(), received.of(2));
        } finally {
            strangers.term();
        }
    }

    private ConnectionWithStatus connect(IContext from, String topology) {
        return (ConnectionWithStatus) from.connect(topology, "127.0.0.1", server.getPort(), new AtomicBoolean[0]);
    }

    private void assertFriendIsHeard(int times) {
        friend.send(List.of(new TaskMessage(1, new byte[1])).iterator());
        received.await(1, times);
    }
}
