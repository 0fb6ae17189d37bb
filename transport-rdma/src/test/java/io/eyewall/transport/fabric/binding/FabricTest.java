package io.eyewall.transport.fabric.binding;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.transport.fabric.RequiresLibfabric;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

@RequiresLibfabric
class FabricTest {

    private static final int LONG_MS = 600_000;
    private static final int ECONNREFUSED = 111;
    private static final int EBUSY = 16;
    /** The heap and the compiler grow in many rounds; a leak grows in every round. */
    private static final int MAX_ROUNDS = 30;
    private static final int MIN_ROUNDS = 2;
    private static final int CONNECTS_PER_ROUND = 500;
    /** Four kilobytes per connection. The registered region of a connection has 64. */
    private static final long LEAKED_KILOBYTES = 2_000;

    @Test
    void shouldReportNoCauseWhenTheLibraryIsAvailable() {
        assertTrue(Fabric.isAvailable());
        assertNull(Fabric.unavailabilityCause());
    }

    @Test
    void shouldNameThePackageWhenTheLibraryIsMissing() {
        String cause = Libfabric.load("libfabric-missing.so.1");
        assertTrue(cause.startsWith("Cannot load libfabric-missing.so.1: "), cause);
        assertTrue(cause.contains("Debian and Ubuntu: libfabric1"), cause);
    }

    @Test
    void shouldNameTheRemedyWhenTheProviderDoesNotExist() {
        FabricException failure = assertThrows(FabricException.class,
            () -> FabricInfo.of(new FabricQuery(EndpointType.CONNECTED, "warp", null, 6700, true)));
        assertEquals("This host has no CONNECTED endpoint of provider 'warp' at any address:6700: fi_info prints what it has",
            failure.getMessage());
    }

    @Test
    void shouldExchangeMessagesWhenConnected() {
        try (MessagePeer server = MessagePeer.listening(); MessagePeer client = MessagePeer.connecting(server.port())) {
            client.awaitConnected(server);
            client.send("over".getBytes(StandardCharsets.US_ASCII));
            assertArrayEquals("over".getBytes(StandardCharsets.US_ASCII), server.receive());
            server.send("and back".getBytes(StandardCharsets.US_ASCII));
            assertArrayEquals("and back".getBytes(StandardCharsets.US_ASCII), client.receive());
        }
    }

    @Test
    void shouldReportTheErrorWhenThePortIsClosed() {
        int port;
        try (MessagePeer server = MessagePeer.listening()) {
            port = server.port();
        }
        try (MessagePeer client = MessagePeer.connecting(port)) {
            assertEquals(ECONNREFUSED, client.awaitRefusal().errorCode());
        }
    }

    @Test
    void shouldReportThatThePeerHasClosedTheConnection() {
        try (MessagePeer server = MessagePeer.listening(); MessagePeer client = MessagePeer.connecting(server.port())) {
            client.awaitConnected(server);
            client.closeEndpoint();
            server.awaitShutdown();
        }
    }

    @Test
    void shouldRefuseToCloseADomainInUse() {
        try (FabricInfo info = FabricInfo.of(new FabricQuery(EndpointType.CONNECTED, "tcp", "127.0.0.1", 0, true));
             Fabric fabric = Fabric.open(info);
             Domain domain = fabric.openDomain(info);
             CompletionQueue queue = domain.openCompletionQueue(64, CompletionQueue.Sleep.ON_DESCRIPTOR)) {
            assertEquals(0, queue.poll());
            assertEquals(EBUSY, assertThrows(FabricException.class, domain::close).errorCode());
        }
    }

    @Test
    void shouldSendByTagBetweenDatagramEndpoints() {
        try (DatagramPeer one = new DatagramPeer(); DatagramPeer two = new DatagramPeer()) {
            long address = one.know(two.name());
            two.postReceive(0, 7L);
            two.postReceive(1, 8L);
            one.send("to eight", two, address, 8L);
            one.send("to seven", two, address, 7L);
            assertEquals("to eight", two.awaitReceive(1, one));
            assertEquals("to seven", two.awaitReceive(0, one));
        }
    }

    @Test
    void shouldSleepUntilAMessageArrives() {
        try (DatagramPeer one = new DatagramPeer(); DatagramPeer two = new DatagramPeer()) {
            two.postReceive(0, 7L);
            two.wake();
            assertFalse(two.sleep(LONG_MS), "woken before the sleep");
            long address = one.know(two.name());
            one.send("to the sleeper", two, address, 7L);
            assertTimeoutPreemptively(Duration.ofSeconds(60), () -> {
                while (!two.sleep(LONG_MS)) {
                    assertNull(two.received(1), "no other message arrives");
                }
            });
            assertEquals("to the sleeper", two.received(0));
        }
    }

    @Test
    void shouldCancelAReceiveOfADatagramEndpoint() {
        try (DatagramPeer peer = new DatagramPeer()) {
            peer.postReceive(0, 7L);
            peer.cancel(0);
            peer.awaitCancelled(0);
        }
    }

    @Test
    void shouldLeakNothingWhenConnectionsComeAndGo() throws Exception {
        connectOften(CONNECTS_PER_ROUND);
        int descriptorsBefore = openDescriptors();
        long leastGrowth = Long.MAX_VALUE;
        for (int round = 0; round < MIN_ROUNDS || (round < MAX_ROUNDS && leastGrowth >= LEAKED_KILOBYTES); round++) {
            long before = residentKilobytes();
            connectOften(CONNECTS_PER_ROUND);
            leastGrowth = Math.min(leastGrowth, residentKilobytes() - before);
        }
        int descriptorsAfter = openDescriptors();
        assertTrue(descriptorsAfter <= descriptorsBefore + 2, "descriptors grew from " + descriptorsBefore + " to " + descriptorsAfter);
        assertTrue(leastGrowth < LEAKED_KILOBYTES, "the process grew by " + leastGrowth + " KB or more in every round");
    }

    private static void connectOften(int times) {
        try (MessagePeer server = MessagePeer.listening()) {
            for (int i = 0; i < times; i++) {
                try (MessagePeer client = MessagePeer.connecting(server.port())) {
                    client.awaitConnected(server);
                    client.send(new byte[] {(byte) i});
                    assertArrayEquals(new byte[] {(byte) i}, server.receive());
                }
                server.closeEndpoint();
            }
        }
    }

    private static int openDescriptors() {
        String[] open = new File("/proc/self/fd").list();
        return open == null ? 0 : open.length;
    }

    private static long residentKilobytes() throws Exception {
        return Files.readAllLines(Path.of("/proc/self/status")).stream().filter(line -> line.startsWith("VmRSS:"))
            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", ""))).findFirst().orElseThrow();
    }
}
