package io.eyewall.client.stream.manager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.fuzz.Fuzz;
import io.eyewall.client.fuzz.LogLines;
import io.eyewall.client.stream.wire.Hello;
import io.eyewall.client.stream.wire.InstanceStatus;
import io.eyewall.client.stream.wire.Moves;
import io.eyewall.client.stream.wire.StreamWire;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.logging.log4j.Level;
import org.apache.storm.Config;
import org.apache.storm.messaging.ConnectionWithStatus;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.apache.storm.messaging.netty.Context;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;
import org.apache.storm.shade.io.netty.buffer.ByteBufAllocator;
import org.apache.storm.shade.io.netty.buffer.ByteBufUtil;
import org.apache.storm.shade.io.netty.buffer.Unpooled;
import org.apache.storm.shade.io.netty.buffer.UnpooledByteBufAllocator;
import org.apache.storm.utils.Utils;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever comes over the two ways into a stream manager, it goes on, keeps nothing, and passes the next good message on. */
class StreamManagerFuzzTest {

    private static final ByteBufAllocator BUFFERS = new UnpooledByteBufAllocator(false, true);
    private static final String SECRET = ServedContainer.SECRET;
    private static final int SPOUT = ServedContainer.SPOUT;
    private static final int BOLT = 2;
    private static final int REMOTE = ServedContainer.REMOTE;
    private static final int FRAME_TASK = -700;
    private static final long MAX_BYTES_KEPT = 24L << 20;
    /** Of a logger, at every doubling of a count, for each of a few kinds. */
    private static final int MAX_LINES = 150;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final InstanceStatus STATUS = new InstanceStatus(Set.of(REMOTE), Moves.NONE, Set.of(REMOTE), Set.of(REMOTE),
        Map.of(REMOTE, 0.5));

    private final LogLines warnings = new LogLines(Level.WARN);
    private final Map<String, Object> conf = Utils.readDefaultConfig();
    private final Context transport = new Unconnected();
    private ServedContainer container;

    @BeforeEach
    void listen(@TempDir Path directory) throws Exception {
        conf.put(Config.TOPOLOGY_NAME, "topology");
        conf.put(Config.TOPOLOGY_WORKERS, 2);
        transport.prepare(conf, new StormMetricRegistry());
        container = new ServedContainer(directory, transport, new Backlog());
    }

    @AfterEach
    void close() throws Exception {
        warnings.close();
        container.close();
    }

    @Test
    void shouldTakeAnythingFromAnInstance() throws Exception {
        ByteBuf hello = StreamWire.message(BUFFERS, new Hello(SPOUT, Set.of(SPOUT), SECRET));
        Fuzz strange = new Fuzz(5, List.of(bytes(hello.duplicate())));
        Fuzz known = new Fuzz(6, List.of(bytes(tuples(BOLT)), bytes(tuples(REMOTE)), bytes(StreamWire.message(BUFFERS, STATUS))));
        Random random = new Random(5);
        send(strange, known, random, Fuzz.INPUTS / 4);
        long before = Fuzz.usedBytes();
        send(strange, known, random, Fuzz.INPUTS - Fuzz.INPUTS / 4);

        assertLittleIsKept(before);
        warnings.assertAtMost(MAX_LINES);
        try (SocketChannel bolt = connect(BOLT); SocketChannel spout = connect(SPOUT)) {
            awaitPassed(() -> write(spout, bytes(tuples(BOLT))), bolt);
        }
    }

    @Test
    void shouldTakeAnythingFromAnotherContainer() throws Exception {
        IConnection receiver = transport.bind("topology", 0, container.server::deliver,
            () -> new BackPressureStatus("worker", new ArrayList<>(), new ArrayList<>()));
        byte[] report = Containers.bytes("topology", ServedContainer.OTHER, "127.0.0.1", STATUS);
        container.server.deliver(List.of(new TaskMessage(StreamWire.STATUS_TASK, report)));
        Awaitility.await().atMost(PATIENCE).until(() -> container.loop().submit(() -> container.router.place(REMOTE).isPresent()).get());
        byte[] frame = StreamWire.forContainer(tuples(BOLT)).message();
        Fuzz fuzz = new Fuzz(7, List.of(storms(BOLT, frame), storms(REMOTE, frame), storms(StreamWire.STATUS_TASK, report),
            storms(BOLT, new byte[0]), storms(BOLT, new byte[1]), storms(StreamWire.STATUS_TASK, new byte[0])));
        try (SocketChannel bolt = connect(BOLT)) {
            Thread reader = new Thread(() -> drain(bolt), "reader");
            reader.start();
            fuzz.send(receiver.getPort(), Fuzz.INPUTS / 4);
            long before = Fuzz.usedBytes();
            fuzz.send(receiver.getPort(), Fuzz.INPUTS - Fuzz.INPUTS / 4);
            assertLittleIsKept(before);
            warnings.assertAtMost(MAX_LINES);
            assertTrue(reader.isAlive(), "the instance is still connected");
        }

        AtomicBoolean[] flags = {new AtomicBoolean(), new AtomicBoolean(), new AtomicBoolean(), new AtomicBoolean()};
        Context other = new Context();
        other.prepare(conf, new StormMetricRegistry());
        IConnection client = other.connect("topology", "127.0.0.1", receiver.getPort(), flags);
        Awaitility.await().atMost(PATIENCE).until(() -> ((ConnectionWithStatus) client).status() == ConnectionWithStatus.Status.Ready);
        try (SocketChannel bolt = connect(BOLT)) {
            awaitPassed(() -> client.send(List.of(new TaskMessage(BOLT, frame)).iterator()), bolt);
        }
        client.close();
        other.term();
        receiver.close();
    }

    private void send(Fuzz strange, Fuzz known, Random random, int inputs) throws IOException {
        for (int sent = 0; sent < inputs; sent += Fuzz.INPUTS_PER_CONNECTION) {
            boolean isKnown = random.nextInt(4) > 0;
            try (SocketChannel instance = isKnown ? connect(SPOUT) : connect()) {
                for (int i = 0; i < Fuzz.INPUTS_PER_CONNECTION; i++) {
                    write(instance, (isKnown ? known : strange).next());
                }
            } catch (IOException closed) {
                // By the stream manager, as is its right.
            }
        }
    }

    private static void assertLittleIsKept(long before) {
        Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofSeconds(1))
            .untilAsserted(() -> assertTrue(Fuzz.usedBytes() - before < MAX_BYTES_KEPT, "memory stays in use"));
    }

    /** Sends until it has come: the instance may not be connected yet. */
    private static void awaitPassed(Action send, SocketChannel bolt) throws Exception {
        byte[] expected = bytes(tuples(BOLT));
        bolt.configureBlocking(false);
        ByteBuf received = Unpooled.buffer();
        ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
        Awaitility.await().atMost(PATIENCE).until(() -> {
            send.run();
            while (bolt.read(buffer) > 0) {
                received.writeBytes(buffer.flip());
                buffer.clear();
            }
            return ByteBufUtil.indexOf(Unpooled.wrappedBuffer(expected), received) >= 0;
        });
        received.skipBytes(ByteBufUtil.indexOf(Unpooled.wrappedBuffer(expected), received));
        assertArrayEquals(expected, bytes(received.readSlice(expected.length)));
    }

    private static void drain(SocketChannel channel) {
        ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
        try {
            while (channel.read(buffer) >= 0) {
                buffer.clear();
            }
        } catch (IOException e) {
            return; // The test has closed it.
        }
    }

    private SocketChannel connect(int instance) throws IOException {
        SocketChannel channel = connect();
        write(channel, bytes(StreamWire.message(BUFFERS, new Hello(instance, Set.of(instance), SECRET))));
        return channel;
    }

    private SocketChannel connect() throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.connect(UnixDomainSocketAddress.of(container.socket));
        return channel;
    }

    private static void write(SocketChannel channel, byte[] bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    private static ByteBuf tuples(int instance) {
        return StreamWire.message(BUFFERS, instance, new TaskMessage(FRAME_TASK, "a frame of tuples".getBytes(StandardCharsets.UTF_8)));
    }

    private static byte[] storms(int task, byte[] body) {
        return ByteBuffer.allocate(Short.BYTES + Integer.BYTES + body.length).putShort((short) task).putInt(body.length).put(body).array();
    }

    private static byte[] bytes(ByteBuf buffer) {
        return ByteBufUtil.getBytes(buffer);
    }

    /** A report may name any host. No test connects to it. */
    private static final class Unconnected extends Context {
        @Override
        public IConnection connect(String topologyId, String host, int port, AtomicBoolean[] remoteBackPressure) {
            return new CollectingConnection();
        }
    }

    /** What a test does again and again. */
    private interface Action {
        void run() throws IOException;
    }
}
