package io.eyewall.client.stream.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.seam.NoTransport;
import io.eyewall.client.stream.wire.InstanceStatus;
import io.eyewall.client.stream.wire.StreamWire;
import io.eyewall.client.stream.wire.WireException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.messaging.ConnectionWithStatus;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.shade.io.netty.channel.EventLoop;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContainersTest {

    private static final int WAIT_SECS = 60;

    @TempDir
    private Path directory;

    private ServedContainer container;

    @BeforeEach
    void begin() throws Exception {
        Files.createDirectory(directory.resolve("sending"));
        container = new ServedContainer(directory, new NoTransport(), new Backlog());
    }

    @AfterEach
    void close() throws InterruptedException {
        container.close();
    }

    @Test
    void shouldNotGatherStatusesForAContainerThatIsNotConnected() throws Exception {
        CollectingConnection connection = new CollectingConnection();
        connection.status = ConnectionWithStatus.Status.Connecting;
        ServedContainer sending = new ServedContainer(directory.resolve("sending"), new NoTransport() {
            @Override
            public IConnection connect(String topologyId, String host, int port, AtomicBoolean[] remoteBackPressure) {
                return connection;
            }
        }, new Backlog());
        sending.router.running(Map.of(ServedContainer.OTHER, "host-b"));
        sending.containers.follow(sending.router);
        sending.containers.report(sending.router.report());
        assertNotNull(connection.dropped.poll(60, TimeUnit.SECONDS), "it tries to connect");
        for (int i = 0; i < 1_000; i++) {
            sending.containers.report(sending.router.report());
        }

        connection.status = ConnectionWithStatus.Status.Ready;
        assertNotNull(connection.sent.poll(60, TimeUnit.SECONDS));
        Awaitility.await().atMost(60, TimeUnit.SECONDS).until(sending.containers::haveAll);
        assertEquals(0, connection.sent.size());
        sending.close();
    }

    @Test
    void shouldCloseATransportWhoseThreadsWaitForTheLoop() throws Exception {
        AtomicReference<EventLoop> loop = new AtomicReference<>();
        AtomicBoolean ended = new AtomicBoolean();
        ServedContainer ending = new ServedContainer(directory.resolve("sending"), new NoTransport() {
            @Override
            public void term() {
                ended.set(loop.get().submit(() -> { }).awaitUninterruptibly(WAIT_SECS, TimeUnit.SECONDS));
            }
        }, new Backlog());
        loop.set(ending.loop());

        ending.close();

        assertTrue(ended.get());
    }

    @Test
    void shouldRefuseAReportOfAContainerAtAPortThatThereIsNot() throws Exception {
        for (long port : new long[] {-1, 0, 65_536, 70_000}) {
            NodeInfo strange = new NodeInfo("c", Set.of(port));
            byte[] report = Containers.bytes("topology", strange, "host-c", new InstanceStatus(Set.of(9), Set.of(), Map.of()));

            WireException refused = assertThrows(WireException.class, () ->
                container.containers.reported(new TaskMessage(StreamWire.STATUS_TASK, report), container.router, 0));

            assertEquals("A status of a container at port " + port + ", which there is not.", refused.getMessage());
        }
        assertEquals(Set.of(ServedContainer.OTHER), container.router.otherContainers());
    }
}
