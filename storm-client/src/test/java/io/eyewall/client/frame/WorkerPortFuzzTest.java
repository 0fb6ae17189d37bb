package io.eyewall.client.frame;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.fuzz.Fuzz;
import io.eyewall.client.fuzz.LogLines;
import io.eyewall.client.ring.RingPlace;
import io.eyewall.client.ring.SharedRing;
import io.eyewall.client.seam.Receivers;
import io.eyewall.client.substitute.LoggedDrops;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.SocketFactory;
import org.apache.storm.Config;
import org.apache.storm.messaging.ConnectionWithStatus;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.apache.storm.messaging.netty.Context;
import org.apache.storm.messaging.netty.ControlMessage;
import org.apache.storm.messaging.netty.SaslMessageToken;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.serialization.KryoTupleSerializer;
import org.apache.storm.serialization.KryoValuesSerializer;
import org.apache.storm.tuple.MessageId;
import org.apache.storm.tuple.TupleImpl;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a stranger sends to the port of a worker ends nothing, stays nowhere and does not fill the log. */
class WorkerPortFuzzTest {

    private static final FrameTopology TOPOLOGY = new FrameTopology(Map.of());
    private static final String NAME = "topology";
    private static final String SECRET = "name:secret";
    private static final int TASK = 1;
    private static final int STATUS = -600;
    private static final int STRANGERS = 100;
    private static final int RING_BYTES = 4_096;
    private static final int GOOD = 424_242;
    private static final long MAX_BYTES_KEPT = 24L << 20;
    /** At every doubling of a count, for each of a few kinds. */
    private static final int MAX_LINES = 150;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Map<String, Object> conf = new HashMap<>(TOPOLOGY.conf);
    private final AtomicInteger good = new AtomicInteger();
    /** The tuples that came before those from this test's own client. */
    private final AtomicInteger decoded = new AtomicInteger();
    private final AtomicInteger tuplesReceived = new AtomicInteger();

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldTakeAnythingFromAStranger(boolean authentication) throws Exception {
        assertTakesAnything(authentication, SocketFactory.getDefault());
        assertEquals(authentication, decoded.get() == 0, "with authentication nothing of a stranger is decoded");
    }

    @Test
    void shouldTakeAnythingFromAWorkerThatKnowsTheSecret() throws Exception {
        assertTakesAnything(true, new AuthenticatedSockets(NAME, SECRET));
        assertTrue(decoded.get() > 0, "the inputs reach the tuples");
    }

    private void assertTakesAnything(boolean authentication, SocketFactory sockets) throws Exception {
        Context context = context(authentication);
        RingPlace place = RingPlace.create(RingPlace.SHARED_MEMORY);
        SharedRing ring = SharedRing.create(place.ring(), RING_BYTES);
        try (LogLines lines = new LogLines()) {
            int port = port(context);
            Fuzz fuzz = new Fuzz(7, messages(place.name()));
            fuzz.send(sockets, port, Fuzz.INPUTS / 4);
            long before = Fuzz.usedBytes();
            fuzz.send(sockets, port, Fuzz.INPUTS - Fuzz.INPUTS / 4);
            Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofSeconds(1))
                .untilAsserted(() -> assertTrue(Fuzz.usedBytes() - before < MAX_BYTES_KEPT, "memory stays in use"));
            lines.assertAtMost(MAX_LINES);
            lines.assertLogged("The connection from /127.0.0.1:", "is closed, number 1 by now for such a reason: ");
            decoded.set(tuplesReceived.get());
            assertGood(context, port);
            assertFalse(ring.isAttached(), "nobody rings at its doorbell");
        } finally {
            ring.close();
            place.remove();
            context.term();
        }
    }

    @Test
    void shouldLogFewOfThoseWhoDoNotKnowTheSecret() throws Exception {
        Context context = context(true);
        byte[] asks = ByteBuffer.allocate(Short.BYTES).putShort((short) code(ControlMessage.SASL_TOKEN_MESSAGE_REQUEST)).array();
        try (LogLines lines = new LogLines()) {
            int port = port(context);
            for (int i = 0; i < STRANGERS; i++) {
                try (Socket stranger = new Socket(InetAddress.getLoopbackAddress(), port)) {
                    stranger.setSoTimeout((int) PATIENCE.toMillis());
                    stranger.getOutputStream().write(asks);
                    assertTrue(stranger.getInputStream().read() >= 0, "the worker asks for an answer");
                    stranger.getOutputStream().write(message(SaslMessageToken.IDENTIFIER, new byte[50]));
                    stranger.getInputStream().transferTo(OutputStream.nullOutputStream());
                }
            }
            lines.assertAtMost(STRANGERS / 2);
            assertGood(context, port);
        } finally {
            context.term();
        }
    }

    private Context context(boolean authentication) {
        conf.put(Config.STORM_MESSAGING_NETTY_AUTHENTICATION, authentication);
        conf.put(Config.TOPOLOGY_NAME, NAME);
        conf.put(Config.STORM_ZOOKEEPER_TOPOLOGY_AUTH_PAYLOAD, SECRET);
        Context context = new Context();
        context.prepare(conf, new StormMetricRegistry());
        return context;
    }

    private int port(Context context) {
        FramedMessages received = new FramedMessages(conf, TOPOLOGY.context, tuples -> tuples.forEach(tuple -> {
            tuplesReceived.incrementAndGet();
            if (tuple.getTuple().getValue(0).equals(GOOD)) {
                good.incrementAndGet();
            }
        }), () -> null, FrameWires.NONE, false, new LoggedDrops());
        Receivers.Request announcing = FramedMessages.announcing(new Receivers.Request(null, NAME, 0, received, WorkerPortFuzzTest::status),
            true);
        return context.bind(NAME, 0, received, announcing.newConnectionResponse()).getPort();
    }

    private void assertGood(Context context, int port) {
        AtomicBoolean[] flags = {new AtomicBoolean(), new AtomicBoolean()};
        IConnection client = context.connect(NAME, "127.0.0.1", port, flags);
        Awaitility.await().atMost(PATIENCE).until(() -> ((ConnectionWithStatus) client).status() == ConnectionWithStatus.Status.Ready);
        good.set(0);
        client.send(List.of(new TaskMessage(TASK, upstreams(tuple(GOOD)))).iterator());
        Awaitility.await().atMost(PATIENCE).until(() -> good.get() > 0);
        client.close();
    }

    /** {@code ring} is the name of a ring that nobody writes. */
    private static List<byte[]> messages(String ring) {
        List<byte[]> messages = new ArrayList<>();
        messages.add(message(TASK, upstreams(tuple("word", 7L, new ArrayList<>(List.of(1, 2))))));
        messages.add(message(TASK, new byte[0]));
        messages.add(message(FrameMessage.TASK, TOPOLOGY.frame(TASK, tuple("word"), tuple(8))));
        messages.add(message(RingSender.OFFER_TASK, ring.getBytes(StandardCharsets.US_ASCII)));
        messages.add(message(RingSender.SWITCH_TASK, new byte[0]));
        messages.add(message(STATUS, new KryoValuesSerializer(TOPOLOGY.conf).serializeObject(status())));
        messages.add(message(SaslMessageToken.IDENTIFIER, new byte[50]));
        for (ControlMessage control : ControlMessage.values()) {
            messages.add(ByteBuffer.allocate(Short.BYTES).putShort((short) code(control)).array());
        }
        return messages;
    }

    static int code(ControlMessage control) {
        for (int code = Short.MIN_VALUE; code < 0; code++) {
            if (ControlMessage.mkMessage((short) code) == control) {
                return code;
            }
        }
        throw new AssertionError(control);
    }

    static byte[] message(int code, byte[] body) {
        return ByteBuffer.allocate(Short.BYTES + Integer.BYTES + body.length).putShort((short) code).putInt(body.length).put(body).array();
    }

    private static byte[] upstreams(TupleImpl tuple) {
        return new KryoTupleSerializer(TOPOLOGY.conf, TOPOLOGY.context).serialize(tuple);
    }

    private static TupleImpl tuple(Object... values) {
        return TOPOLOGY.tuple(MessageId.makeUnanchored(), values);
    }

    private static BackPressureStatus status() {
        return new BackPressureStatus("worker", new ArrayList<>(), new ArrayList<>());
    }
}
