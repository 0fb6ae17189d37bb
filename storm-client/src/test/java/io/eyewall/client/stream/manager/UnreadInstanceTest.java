package io.eyewall.client.stream.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.ring.RingPlace;
import io.eyewall.client.seam.NoTransport;
import io.eyewall.client.stream.wire.DomainSockets;
import io.eyewall.client.stream.wire.Introduction;
import io.eyewall.client.stream.wire.StreamWire;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.shade.io.netty.channel.Channel;
import org.apache.storm.shade.io.netty.channel.EventLoopGroup;
import org.apache.storm.shade.io.netty.channel.MultiThreadIoEventLoopGroup;
import org.apache.storm.shade.io.netty.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Instances that are not read, since they have sent to one that is full. Over sockets and over rings. */
class UnreadInstanceTest {

    private static final int STALLED = 2;
    private static final int SOURCE = 4;
    private static final int SINK = 5;
    private static final int LARGE_BYTES = 5 << 19;
    private static final int WAIT_SECS = 120;
    private static final long SHARED_BYTES = 4L << 20;
    private static final long MAX_BYTES = 8L << 20;

    private final EventLoopGroup clients = new MultiThreadIoEventLoopGroup(1, DomainSockets.ioHandlerFactory());
    private final Backlog backlog = new Backlog(SHARED_BYTES, MAX_BYTES);
    private ServedContainer container;
    private boolean hasRings;

    @BeforeEach
    void listen(@TempDir Path directory) throws Exception {
        container = new ServedContainer(directory, new NoTransport(), backlog);
    }

    @AfterEach
    void close() throws Exception {
        container.close();
        assertFalse(container.failed, "the log has the exception");
        Future<?> unused = clients.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldTakeWhatAnInstanceHasSentThatDies(boolean overRings) throws Exception {
        hasRings = overRings;
        ConnectedInstance stalled = connect(STALLED);
        ConnectedInstance sink = connect(SINK);
        ConnectedInstance spout = connect(ServedContainer.SPOUT);
        spout.await(status -> status.tasks().containsAll(Set.of(STALLED, SINK)));
        stop(stalled);
        int many = 80;
        for (int i = 0; i < many; i++) {
            container.server.deliver(List.of(new TaskMessage(STALLED, new byte[ConnectedInstance.MESSAGE_BYTES])));
        }
        awaitFull();
        spout.sendLater(STALLED, 1);
        int later = 20;
        for (int i = 0; i < later; i++) {
            spout.send(StreamWire.message(spout.channel.alloc(), SINK, new TaskMessage(i, new byte[1])));
        }
        assertTrue(sink.tuples.isEmpty());

        Channel socket = overRings ? spout.channel.parent() : spout.channel;
        Future<?> unused = socket.close().sync();

        for (int i = 0; i < later; i++) {
            assertEquals(i, StreamWire.tuples(sink.awaitTuples()).task());
        }
        stalled.channel.config().setAutoRead(true);
        stalled.awaitTuples(many + 1);
        assertEquals(0, container.containers.takeDropped() + container.containers.takeRefused());
    }

    /** Each of them is let in while no other one is coming. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldDropNoLargeMessageForAnInstanceThatTakesNothing(boolean overRings) throws Exception {
        hasRings = overRings;
        ConnectedInstance stalled = connect(STALLED);
        List<ConnectedInstance> sources = new ArrayList<>();
        for (int source : new int[] {ServedContainer.SPOUT, ServedContainer.REMOTE, SOURCE, SINK}) {
            sources.add(connect(source));
        }
        ConnectedInstance sink = sources.get(3);
        sink.await(status -> status.tasks().containsAll(Set.of(STALLED, SINK, SOURCE)));
        stop(stalled);

        Future<?> first = sendLarge(sources.get(0), STALLED).sync();
        awaitFull();
        Future<?> second = sendLarge(sources.get(1), STALLED);
        Future<?> third = sendLarge(sources.get(3), STALLED);
        Future<?> unused = sendLarge(sources.get(2), SINK);
        sink.awaitTuples(1);
        assertTrue(first.isSuccess() && !second.isDone() && !third.isDone(), "others wait at the door, except for those that are free");
        assertTrue(container.loop().submit(backlog::usedBytes).get() < MAX_BYTES);

        stalled.channel.config().setAutoRead(true);
        stalled.awaitTuples(3);
        assertEquals(0, container.containers.takeDropped() + container.containers.takeRefused());
    }

    private static Future<?> sendLarge(ConnectedInstance source, int target) {
        return source.channel.writeAndFlush(StreamWire.message(source.channel.alloc(), target, new TaskMessage(5, new byte[LARGE_BYTES])));
    }

    /** On the loop, so that it takes nothing from then on. */
    private static void stop(ConnectedInstance instance) throws InterruptedException {
        Future<?> unused = instance.channel.eventLoop().submit(() -> instance.channel.config().setAutoRead(false)).sync();
    }

    private void awaitFull() {
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() ->
            container.loop().submit(() -> container.router.report().full().contains(STALLED)).get());
    }

    private ConnectedInstance connect(int id) throws Exception {
        return new ConnectedInstance(clients, container.socket, new Introduction(id, Set.of(id), ServedContainer.SECRET,
            hasRings ? Optional.of(RingPlace.SHARED_MEMORY) : Optional.empty()));
    }
}
