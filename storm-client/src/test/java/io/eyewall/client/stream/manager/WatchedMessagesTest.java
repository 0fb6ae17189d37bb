package io.eyewall.client.stream.manager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.eyewall.client.ring.RingPlace;
import io.eyewall.client.seam.NoTransport;
import io.eyewall.client.stream.wire.DomainSockets;
import io.eyewall.client.stream.wire.Introduction;
import io.eyewall.client.stream.wire.StreamWire;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.shade.io.netty.channel.EventLoopGroup;
import org.apache.storm.shade.io.netty.channel.MultiThreadIoEventLoopGroup;
import org.apache.storm.shade.io.netty.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a probe gets to know of messages between real sockets and rings. */
class WatchedMessagesTest {

    private static final int WAIT_SECS = 120;
    private static final int SPOUT = ServedContainer.SPOUT;
    private static final int BOLT = 2;

    private final EventLoopGroup clients = new MultiThreadIoEventLoopGroup(1, DomainSockets.ioHandlerFactory());
    private final AtomicInteger left = new AtomicInteger();
    private ServedContainer container;

    @BeforeEach
    void listen(@TempDir Path directory) throws Exception {
        container = new ServedContainer(directory, new NoTransport(), new Backlog());
        container.server.watch((message, tupleAt, fromOtherContainer) -> {
            message.setByte(tupleAt, fromOtherContainer ? 1 : 2);
            return left::incrementAndGet;
        });
    }

    @AfterEach
    void close() throws Exception {
        container.close();
        Future<?> unused = clients.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    }

    @Test
    void shouldShowMessagesOfOneTupleToAProbeThatMayChangeThem() throws Exception {
        shouldShowMessagesOfOneTuple(Optional.empty());
    }

    @Test
    void shouldShowThemWhenTheyGoThroughRings() throws Exception {
        shouldShowMessagesOfOneTuple(Optional.of(RingPlace.SHARED_MEMORY));
    }

    private void shouldShowMessagesOfOneTuple(Optional<Path> sharedMemory) throws Exception {
        ConnectedInstance spout = instance(SPOUT, sharedMemory);
        ConnectedInstance bolt = instance(BOLT, sharedMemory);
        spout.awaitReachable(BOLT);

        spout.send(StreamWire.message(spout.channel.alloc(), BOLT, new TaskMessage(-700, new byte[] {7, 8})));
        spout.send(StreamWire.message(spout.channel.alloc(), BOLT, new TaskMessage(5, new byte[] {7, 8})));
        spout.send(StreamWire.message(spout.channel.alloc(), BOLT, new TaskMessage(5, new byte[0])));
        assertArrayEquals(new byte[] {7, 8}, StreamWire.tuples(bolt.awaitTuples()).message(), "a frame");
        assertArrayEquals(new byte[] {2, 8}, StreamWire.tuples(bolt.awaitTuples()).message());
        assertArrayEquals(new byte[0], StreamWire.tuples(bolt.awaitTuples()).message());
        container.server.deliver(List.of(new TaskMessage(BOLT, new byte[] {0, 5, 7, 8})));
        assertArrayEquals(new byte[] {1, 8}, StreamWire.tuples(bolt.awaitTuples()).message());

        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> left.get() == 2);
    }

    @Test
    void shouldTellTheProbeThatAMessageHasLeftForAnotherContainer() {
        CollectingConnection connection = new CollectingConnection();
        ThreadSender sender = new ThreadSender("other", connection);
        sender.add(new WatchedMessage(new TaskMessage(ServedContainer.REMOTE, new byte[2]), left::incrementAndGet));
        sender.flush();

        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> left.get() == 1 && connection.sent.size() == 1);
        sender.close();
    }

    private ConnectedInstance instance(int id, Optional<Path> sharedMemory) throws Exception {
        return new ConnectedInstance(clients, container.socket, new Introduction(id, Set.of(id), ServedContainer.SECRET, sharedMemory));
    }
}
