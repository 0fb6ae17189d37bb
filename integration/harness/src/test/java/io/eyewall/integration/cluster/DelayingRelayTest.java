package io.eyewall.integration.cluster;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DelayingRelayTest {

    private static final int TIMEOUT_MS = 30_000;

    private ServerSocket target;

    @BeforeEach
    void listen() throws IOException {
        target = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        target.close();
    }

    @Test
    void shouldPassOnEverythingInOrderInBothDirections() throws Exception {
        byte[] bytes = new byte[3_000_000];
        new Random(7).nextBytes(bytes);
        try (DelayingRelay relay = relay(Duration.ofMillis(3)); Socket client = connect(relay); Socket server = target.accept()) {
            CompletableFuture<byte[]> echoed = CompletableFuture.supplyAsync(() -> readAll(client));
            CompletableFuture<Void> echo = CompletableFuture.runAsync(() -> echo(server));
            client.getOutputStream().write(bytes);
            client.shutdownOutput();

            assertArrayEquals(bytes, echoed.get());
            echo.get();
        }
    }

    @Test
    void shouldKeepBytesBackForTheDelayInEachDirection() throws Exception {
        try (DelayingRelay relay = relay(Duration.ofMillis(100)); Socket client = connect(relay); Socket server = target.accept()) {
            long sentNs = System.nanoTime();
            client.getOutputStream().write(1);
            assertEquals(1, server.getInputStream().read());
            assertTrue(System.nanoTime() - sentNs >= 100_000_000);
            server.getOutputStream().write(2);
            assertEquals(2, client.getInputStream().read());
            assertTrue(System.nanoTime() - sentNs >= 200_000_000);
            assertEquals(1, relay.keptNs().getTotalCount(), "what came back does not count");
            assertTrue(relay.keptNs().getMinValue() >= 99_000_000, () -> "kept for " + relay.keptNs().getMinValue() + " ns");
        }
    }

    @Test
    void shouldEndConnectionsWhenItIsClosed() throws Exception {
        DelayingRelay relay = relay(Duration.ZERO);
        try (Socket client = connect(relay); Socket server = target.accept()) {
            relay.close();

            assertTrue(isEnded(client.getInputStream()));
            assertTrue(isEnded(server.getInputStream()));
            assertThrows(IOException.class, () -> connect(relay));
        }
    }

    @Test
    void shouldEndTheConnectionWhenNobodyListensAtItsTarget() throws Exception {
        target.close();
        try (DelayingRelay relay = relay(Duration.ZERO); Socket client = connect(relay)) {
            assertTrue(isEnded(client.getInputStream()));
        }
    }

    @Test
    void shouldSaySoWhenItsPortIsInUse() {
        ClusterException e = assertThrows(ClusterException.class, () -> new DelayingRelay(
            new InetSocketAddress(target.getInetAddress(), target.getLocalPort()), new InetSocketAddress("localhost", 1), Duration.ZERO));

        assertTrue(e.getMessage().contains(":" + target.getLocalPort()), e.getMessage());
    }

    private DelayingRelay relay(Duration delay) {
        return new DelayingRelay(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new InetSocketAddress(target.getInetAddress(), target.getLocalPort()), delay);
    }

    private static Socket connect(DelayingRelay relay) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), relay.port());
        socket.setSoTimeout(TIMEOUT_MS);
        return socket;
    }

    private static boolean isEnded(InputStream input) throws IOException {
        try {
            return input.read() < 0;
        } catch (SocketException reset) {
            return true;
        }
    }

    private static byte[] readAll(Socket socket) {
        try {
            return socket.getInputStream().readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void echo(Socket socket) {
        try {
            socket.getInputStream().transferTo(socket.getOutputStream());
            socket.shutdownOutput();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
