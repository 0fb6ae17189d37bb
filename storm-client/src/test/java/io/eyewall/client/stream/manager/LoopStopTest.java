package io.eyewall.client.stream.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.eyewall.client.stream.plan.TestComponents;
import io.eyewall.client.stream.wire.DomainSockets;
import io.eyewall.client.stream.wire.InstanceStatus;
import io.eyewall.client.stream.wire.Introduction;
import io.eyewall.client.stream.wire.Moves;
import io.eyewall.client.stream.wire.StreamWire;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.shade.io.netty.channel.EventLoopGroup;
import org.apache.storm.shade.io.netty.channel.MultiThreadIoEventLoopGroup;
import org.apache.storm.shade.io.netty.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Over real sockets, instances 2 and 4 are a loop of bolts. */
class LoopStopTest {

    private static final int WAIT_SECS = 120;
    private static final int ONE = 2;
    private static final int OTHER = 4;
    private static final TestComponents COMPONENTS = new TestComponents(task -> task % 2 == 0 ? "bolt" : "sink" + task, 1, "none",
        Map.of("bolt", Set.of("bolt")));

    private final EventLoopGroup clients = new MultiThreadIoEventLoopGroup(1, DomainSockets.ioHandlerFactory());
    private ServedContainer container;
    private ConnectedInstance one;
    private ConnectedInstance other;
    private int loads;

    @BeforeEach
    void connect(@TempDir Path directory) throws Exception {
        container = ServedContainer.alone(directory, COMPONENTS);
        one = instance(ONE);
        other = instance(OTHER);
        one.awaitReachable(OTHER);
        other.awaitReachable(ONE);
    }

    private ConnectedInstance instance(int task) throws Exception {
        return new ConnectedInstance(clients, container.socket, new Introduction(task, Set.of(task), ServedContainer.SECRET,
            Optional.empty()));
    }

    @AfterEach
    void close() throws Exception {
        container.close();
        assertFalse(container.failed, "the log has the exception");
        Future<?> unused = clients.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    }

    @Test
    void shouldTellAllWhenALoopHasEnded() throws Exception {
        one.send(StreamWire.message(one.channel.alloc(), OTHER, new TaskMessage(OTHER, new byte[1])));
        other.awaitTuples(1);
        rest(one, ONE, 0);
        rest(other, OTHER, 0);
        awaitLoadAfterThat();
        assertEquals(Map.of(), resting(), "a tuple has come that was not executed");

        other.send(StreamWire.message(other.channel.alloc(), ONE, new TaskMessage(ONE, new byte[1])));
        rest(other, OTHER, 1);
        one.awaitTuples(1);
        awaitLoadAfterThat();
        assertEquals(Map.of(), resting(), "it has led to another one");

        rest(one, ONE, 1);
        one.await(status -> status.moves().resting().keySet().equals(Set.of(ONE, OTHER)));
        other.await(status -> status.moves().resting().keySet().equals(Set.of(ONE, OTHER)));
    }

    @Test
    void shouldNotEndALoopInWhichAnInstanceHasDied() throws Exception {
        rest(one, ONE, 0);
        Future<?> unused = other.channel.close().sync();
        one.await(status -> !status.tasks().contains(OTHER));
        rest(one, ONE, 0);
        awaitLoadAfterThat();

        assertEquals(Set.of(ONE), resting().keySet());
        assertEquals(Set.of(), container.loop().submit(() -> container.router.report().moves().agreed()).get());
    }

    private static void rest(ConnectedInstance instance, int task, long executed) throws InterruptedException {
        instance.send(StreamWire.message(instance.channel.alloc(), new InstanceStatus(Set.of(), Moves.ofRest(task, executed), Set.of(),
            Set.of(), Map.of())));
    }

    /** Returns when all that the instances have sent so far has been read. */
    private void awaitLoadAfterThat() throws Exception {
        double load = ++loads;
        for (ConnectedInstance instance : new ConnectedInstance[] {one, other}) {
            if (instance.channel.isActive()) {
                int task = instance == one ? ONE : OTHER;
                instance.send(StreamWire.message(instance.channel.alloc(), new InstanceStatus(Set.of(), Set.of(), Map.of(task, load))));
                Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> container.loop()
                    .submit(() -> container.router.report().loads().getOrDefault(task, 0.0) == load).get());
            }
        }
    }

    private Map<Integer, Long> resting() throws Exception {
        return container.loop().submit(() -> container.router.report().moves().resting()).get();
    }
}
