package io.eyewall.client.stream.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.eyewall.client.seam.NoTransport;
import io.eyewall.client.stream.wire.InstanceStatus;
import io.eyewall.client.stream.wire.StreamWire;
import io.eyewall.client.stream.wire.WireException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.messaging.TaskMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContainersTest {

    private ServedContainer container;

    @BeforeEach
    void begin(@TempDir Path directory) throws Exception {
        container = new ServedContainer(directory, new NoTransport(), new Backlog());
    }

    @AfterEach
    void close() throws InterruptedException {
        container.close();
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
