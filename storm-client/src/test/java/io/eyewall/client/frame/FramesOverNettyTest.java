package io.eyewall.client.frame;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.engine.NettyLoops;
import io.eyewall.client.fuzz.LogLines;
import io.eyewall.client.ring.RingPlace;
import io.eyewall.client.seam.ClientLoops;
import io.eyewall.client.seam.ConnectionCounters;
import io.eyewall.client.seam.Receivers;
import io.eyewall.client.seam.TupleLimit;
import io.eyewall.client.security.SecurityConfiguration;
import io.eyewall.client.substitute.LoggedDrops;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.logging.log4j.Level;
import org.apache.storm.Config;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.messaging.ConnectionWithStatus;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.IConnectionCallback;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.apache.storm.messaging.netty.Client;
import org.apache.storm.messaging.netty.Context;
import org.apache.storm.metric.api.IStatefulObject;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.serialization.KryoTupleDeserializer;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.MessageId;
import org.apache.storm.tuple.TupleImpl;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Frames over Storm's own connections: who gets them, and what becomes of bytes that are none. */
class FramesOverNettyTest {

    private static final FrameTopology TOPOLOGY = new FrameTopology(Map.of());
    private static final int TASK = 1;
    private static final int A_FRAME = 50;
    private static final int FRAME_BYTES = 1_024;
    /** The least that the limit of messages can be. */
    private static final int MESSAGE_BYTES = 1 << 20;
    private static final long DEADLINE_SECS = 30;
    private static final NodeInfo PLACE = new NodeInfo("node", Set.of(1L));
    private static final Map<Integer, NodeInfo> HOMES = Map.of(TASK, PLACE);

    private final Map<String, Object> conf = new HashMap<>(TOPOLOGY.conf);
    private final List<Context> contexts = new ArrayList<>();
    private final BlockingQueue<AddressedTuple> arrived = new LinkedBlockingQueue<>();
    /** What came to a worker of upstream's. */
    private final BlockingQueue<TaskMessage> messages = new LinkedBlockingQueue<>();
    private final List<Object> lanes = new ArrayList<>();
    private final LoggedDrops drops = new LoggedDrops();
    private final OutgoingFrames frames = new OutgoingFrames(() -> HOMES, FrameTopology.TASKS, new OutgoingFrames.Queue() {
        @Override
        public boolean tryPublish(Object lane) {
            return lanes.add(lane);
        }

        @Override
        public void hurry() {
            // The test sends.
        }
    }, new FramePool(FRAME_BYTES, 2), () -> TOPOLOGY.splitter(drops), Client.class::isInstance, message -> { });
    private final AtomicLong framesRead = new AtomicLong();
    private int next;
    /** Whether workers that are made take rings. */
    private boolean sharesMemory;

    @AfterEach
    void end() {
        contexts.parallelStream().forEach(Context::term); // Each waits for two seconds.
    }

    @Test
    void shouldSendFramesToAWorkerThatReadsThem() throws Exception {
        IConnection client = connect(eyewall(0));
        awaitFrames(client);
        send(client, 100);
        assertCount(100);
    }

    @Test
    void shouldSendUpstreamsMessagesToAWorkerThatDoesNotSayThatItReadsFrames() throws Exception {
        IConnection client = connect(upstream(0));
        send(client, 20);
        send(client, 20);
        KryoTupleDeserializer upstreams = new KryoTupleDeserializer(TOPOLOGY.conf, TOPOLOGY.context);
        for (int i = 0; i < 40; i++) {
            TaskMessage message = messages.poll(DEADLINE_SECS, TimeUnit.SECONDS);
            assertEquals(TASK, message.task());
            assertEquals(i, upstreams.deserialize(message.message()).getValue(0));
        }
    }

    @Test
    void shouldAskAnewWhenAConnectionLeadsToAnotherWorker() throws Exception {
        IConnection before = eyewall(0);
        IConnection client = connect(before);
        awaitFrames(client);
        replaceByUpstreams(before, client);
    }

    @Test
    void shouldSendFramesBehindSasl() throws Exception {
        authenticate();
        IConnection client = connect(eyewall(0));
        awaitFrames(client);
    }

    @Test
    void shouldGoOverToSharedMemoryInOrder() throws Exception {
        sharesMemory = true;
        IConnection server = eyewall(0);
        IConnection client = connect(server);
        awaitRing(client);
        assertCount(next);
        ConnectionCounters counters = (ConnectionCounters) client;
        Awaitility.await().atMost(Duration.ofSeconds(DEADLINE_SECS)).until(() -> counters.getPendingMessages().get() == 0);
        int sentBefore = counters.getMessagesSent().get();
        assertTrue(received(server) > 0);

        send(client, 1_000);
        assertCount(1_000);
        int sent = counters.getMessagesSent().get() - sentBefore;
        assertTrue(sent >= 1_000 / A_FRAME, () -> sent + " messages sent through the ring");
        assertEquals(sent, received(server));
        assertEquals(0, counters.getPendingMessages().get());
        assertEquals(0, counters.getMessagesLost().get());
        assertEquals(List.of(), places());
    }

    @Test
    void shouldGoOverToSharedMemoryBehindSasl() throws Exception {
        authenticate();
        sharesMemory = true;
        IConnection client = connect(eyewall(0));
        awaitRing(client);
        send(client, 10);
        assertCount(next);
    }

    @Test
    void shouldSendWhatIsLargerThanTheRingInOrder() throws Exception {
        sharesMemory = true;
        IConnection client = connect(eyewall(0));
        awaitRing(client);
        assertCount(next);
        byte[] large = new byte[8 * 1024 * 1024];
        new Random(7).nextBytes(large);
        assertEquals(OutgoingFrames.Offer.TAKEN, frames.offer(new AddressedTuple(TASK, tuple(large)), TOPOLOGY.writer()));
        sendLanes(client);
        send(client, 100);
        assertTimeoutPreemptively(Duration.ofSeconds(DEADLINE_SECS), () -> {
            while (!frames.catchUp()) {
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(50));
            }
        });
        assertArrayEquals(large, (byte[]) arrived.poll(DEADLINE_SECS, TimeUnit.SECONDS).getTuple().getValue(0));
        assertCount(100);
    }

    @Test
    void shouldCarryTheLongestTupleInAFullFrameAndRefuseALongerOne() throws Exception {
        conf.put(SecurityConfiguration.MAX_MESSAGE_BYTES, MESSAGE_BYTES);
        TupleLimit limit = FrameGate.tupleLimit(conf, FRAME_BYTES);
        FrameWriter writer = new FrameWriter(TOPOLOGY.conf, TOPOLOGY.context, null, limit);
        IConnection client = connect(eyewall(0));
        awaitFrames(client);
        int headBytes = TOPOLOGY.frame(TASK, tuple(new byte[MESSAGE_BYTES / 2])).length - MESSAGE_BYTES / 2 - FrameFormat.HEAD_BYTES;
        byte[] longest = new byte[limit.bytes() - headBytes];
        byte[] almost = new byte[FRAME_BYTES - FrameFormat.HEAD_BYTES - headBytes - 1];
        for (byte[] value : List.of(almost, longest)) {
            assertEquals(OutgoingFrames.Offer.TAKEN, frames.offer(new AddressedTuple(TASK, tuple(value)), writer));
        }
        sendLanes(client);
        assertEquals(almost.length, ((byte[]) arrived.poll(DEADLINE_SECS, TimeUnit.SECONDS).getTuple().getValue(0)).length);
        assertEquals(longest.length, ((byte[]) arrived.poll(DEADLINE_SECS, TimeUnit.SECONDS).getTuple().getValue(0)).length);

        AddressedTuple tooLong = new AddressedTuple(TASK, tuple(new byte[longest.length + 4]));
        String refused = assertThrows(IllegalArgumentException.class, () -> frames.offer(tooLong, writer)).getMessage();
        assertTrue(refused.contains("a connection between workers carries at most " + (MESSAGE_BYTES - FRAME_BYTES) + ". Emit it in parts")
            && refused.endsWith("or raise storm.messaging.netty.max.message.bytes."), refused);
        send(client, 100);
        assertCount(100);
    }

    @Test
    void shouldComeBackToTheNetworkWhenTheNextWorkerTakesNoRing() throws Exception {
        sharesMemory = true;
        IConnection before = eyewall(0);
        IConnection client = connect(before);
        awaitRing(client);
        replaceByUpstreams(before, client);
        assertFalse(frames.allRingsHaveSpace());
    }

    @Test
    void shouldTakeNoRingUnlessItHasSaidSo() throws Exception {
        IConnection client = connect(eyewall(0));
        awaitFrames(client);
        for (int i = 0; i < 100; i++) {
            send(client, 1);
        }
        assertCount(100);
        assertFalse(frames.allRingsHaveSpace());
    }

    @Test
    void shouldCountNoRequestOfItsOwnWhateverTheOtherWorkerAnnounces() throws Exception {
        frames.shareMemory();
        for (IConnection server : List.of(upstream(0), eyewall(0))) {
            IConnection client = connect(server);
            messages.clear();
            int tuples = 40;
            for (int i = 0; i < tuples; i++) {
                send(client, 1);
            }
            ConnectionCounters counters = (ConnectionCounters) client;
            Awaitility.await().atMost(Duration.ofSeconds(DEADLINE_SECS)).until(() -> counters.getPendingMessages().get() == 0
                && messages.size() + arrived.size() == tuples);
            assertEquals(tuples, counters.getMessagesSent().get());
            assertEquals(0, counters.getMessagesLost().get());
            messages.clear();
            arrived.clear();
        }
    }

    @Test
    void shouldReadNothingOfAWorkerThatIsNotAuthenticated() throws Exception {
        authenticate();
        IConnection server = eyewall(0);
        try (Socket stranger = new Socket(InetAddress.getLoopbackAddress(), server.getPort())) {
            writeUnlessClosed(stranger, TOPOLOGY.frame(TASK, tuple(7)));
            assertNull(arrived.poll(500, TimeUnit.MILLISECONDS));
        }
    }

    @Test
    void shouldCloseOnlyTheConnectionThatBringsNoFrames() throws Exception {
        IConnection server = eyewall(0);
        byte[] cutOff = TOPOLOGY.frame(TASK, tuple(7), tuple(8));
        try (LogLines lines = new LogLines(Level.ERROR)) {
            sendWrong(server, new byte[] {9, 9, 9}, Arrays.copyOf(cutOff, cutOff.length - 1));
            lines.assertLogged("The connection from /127.0.0.1:", "is closed, number 1 by now for such a reason: "
                + FrameException.class.getName() + ": it sent a frame of version 9, and this worker reads version 1. Find out what runs");
            lines.assertLogged("The connection from /127.0.0.1:", "is closed, number 2 by now for such a reason: "
                + FrameException.class.getName() + ": it sent a frame that is not as long as its head says. Find out what runs");
        }
        assertEquals(0, arrived.size());
        awaitFrames(connect(server));
    }

    /** Sends each as a frame on a connection of its own, until that is closed. */
    private static void sendWrong(IConnection server, byte[]... frames) throws IOException {
        for (byte[] wrong : frames) {
            try (Socket stranger = new Socket(InetAddress.getLoopbackAddress(), server.getPort())) {
                stranger.setSoTimeout((int) TimeUnit.SECONDS.toMillis(DEADLINE_SECS));
                write(stranger, wrong);
                stranger.getInputStream().readAllBytes();
            }
        }
    }

    @Test
    void shouldUnderstandItsOwnAnnouncementAndThatOfALaterVersionOnly() {
        BackPressureStatus status = status();
        assertEquals(false, FrameAgreement.isAnnouncedBy(status));
        assertTrue(FrameAgreement.isAnnouncedBy(FrameAgreement.announce(status, false)));
        status.workerId = "worker reads frames up to version 2";
        assertTrue(FrameAgreement.isAnnouncedBy(status));
        status.workerId = "worker reads frames up to version 0";
        assertEquals(false, FrameAgreement.isAnnouncedBy(status));
        status.workerId = null;
        assertEquals(false, FrameAgreement.isAnnouncedBy(status));
    }

    /** How many messages Storm's metrics say that a worker has received since they were last asked. */
    private static int received(IConnection server) {
        Map<?, ?> bySender = (Map<?, ?>) ((Map<?, ?>) ((IStatefulObject) server).getState()).get("enqueued");
        return bySender.values().stream().mapToInt(count -> ((Number) count).intValue()).sum();
    }

    /** Sends until a tuple has come in a frame: the first ones may be ahead of the announcement. */
    private void awaitFrames(IConnection client) {
        framesRead.set(0);
        assertTimeoutPreemptively(Duration.ofSeconds(DEADLINE_SECS), () -> {
            while (framesRead.get() == 0) {
                send(client, 1);
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
            while (arrived.stream().noneMatch(tuple -> tuple.getTuple().getValue(0).equals(next - 1))) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
        });
        arrived.clear();
    }

    /** Sends until the connection has gone over to its ring. */
    private void awaitRing(IConnection client) {
        assertTimeoutPreemptively(Duration.ofSeconds(DEADLINE_SECS), () -> {
            while (!frames.allRingsHaveSpace()) {
                send(client, 1);
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
        });
    }

    /** Ends the first worker, has one of upstream's take its port, and sends until a message has come there. */
    private void replaceByUpstreams(IConnection server, IConnection client) {
        int port = server.getPort();
        contexts.remove(0).term();
        upstream(port);
        assertTimeoutPreemptively(Duration.ofSeconds(DEADLINE_SECS), () -> {
            while (messages.isEmpty()) {
                send(client, 1);
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
        });
        assertEquals(TASK, messages.poll().task());
    }

    /** What this process has in shared memory under a name. */
    private static List<Path> places() throws IOException {
        try (Stream<Path> all = Files.list(RingPlace.SHARED_MEMORY)) {
            return all.filter(path -> path.toString().contains("-" + ProcessHandle.current().pid() + "-")).toList();
        }
    }

    private void assertCount(int tuples) throws InterruptedException {
        for (int i = next - tuples; i < next; i++) {
            assertEquals(i, arrived.poll(DEADLINE_SECS, TimeUnit.SECONDS).getTuple().getValue(0));
        }
    }

    private void send(IConnection client, int tuples) {
        for (int i = 0; i < tuples; i++) {
            assertEquals(OutgoingFrames.Offer.TAKEN, frames.offer(new AddressedTuple(TASK, tuple(next++)), TOPOLOGY.writer()));
            if (i % A_FRAME == A_FRAME - 1) {
                sendLanes(client);
            }
        }
        sendLanes(client);
    }

    private void sendLanes(IConnection client) {
        lanes.forEach(frames::take);
        lanes.clear();
        frames.send(HOMES, Map.of(PLACE, client), true);
    }

    private static TupleImpl tuple(Object value) {
        return new TupleImpl(TOPOLOGY.context, new ArrayList<>(List.of(value)), "words", 1, "default", MessageId.makeUnanchored());
    }

    /** A worker that reads frames. */
    private IConnection eyewall(int port) {
        FramedMessages callback = new FramedMessages(TOPOLOGY.conf, TOPOLOGY.context, arrived::addAll, () -> null, FrameWires.NONE,
            false, drops);
        IConnectionCallback counting = batch -> {
            framesRead.addAndGet(batch.stream().filter(message -> message.task() == FrameMessage.TASK).count());
            callback.recv(batch);
        };
        Receivers.Request announcing = FramedMessages.announcing(new Receivers.Request(null, "topology", port, callback,
            () -> status()), sharesMemory);
        return context().bind("topology", port, counting, announcing.newConnectionResponse());
    }

    private IConnection upstream(int port) {
        return context().bind("topology", port, messages::addAll, () -> status());
    }

    private static BackPressureStatus status() {
        return new BackPressureStatus("worker", new ArrayList<>(), new ArrayList<>());
    }

    private IConnection connect(IConnection server) {
        if (sharesMemory) {
            frames.shareMemory();
        }
        Context context = context();
        ((NettyLoops) ((ClientLoops) context).getWorkerEventLoopGroup()).carryFrames(RingPlace.SHARED_MEMORY);
        AtomicBoolean[] flags = {new AtomicBoolean(), new AtomicBoolean()};
        IConnection client = context.connect("topology", "127.0.0.1", server.getPort(), flags);
        assertTimeoutPreemptively(Duration.ofSeconds(DEADLINE_SECS), () -> {
            while (((ConnectionWithStatus) client).status() != ConnectionWithStatus.Status.Ready) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
        });
        return client;
    }

    private Context context() {
        Context context = new Context();
        context.prepare(conf, new StormMetricRegistry());
        contexts.add(context);
        return context;
    }

    private void authenticate() {
        conf.put(Config.STORM_MESSAGING_NETTY_AUTHENTICATION, true);
        conf.put(Config.TOPOLOGY_NAME, "topology");
        conf.put(Config.STORM_ZOOKEEPER_TOPOLOGY_AUTH_PAYLOAD, "name:secret");
    }

    /** Writes to a server that closes the connection, maybe before it has got everything. */
    private static void writeUnlessClosed(Socket socket, byte[] frame) throws IOException {
        try {
            write(socket, frame);
        } catch (SocketException e) {
            assertTrue(e.getMessage().matches("Broken pipe.*|Connection reset.*"), e::toString);
        }
    }

    private static void write(Socket socket, byte[] frame) throws IOException {
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        out.writeShort(FrameMessage.TASK);
        out.writeInt(frame.length);
        out.write(frame);
        out.flush();
    }
}
