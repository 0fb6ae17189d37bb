package io.eyewall.transport.fabric.link;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.time.NanoClock;
import io.eyewall.transport.fabric.RequiresLibfabric;
import io.eyewall.transport.fabric.binding.EndpointType;
import io.eyewall.transport.fabric.link.frame.FrameHeader;
import java.io.File;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@RequiresLibfabric
@ParameterizedClass
@EnumSource(EndpointType.class)
class LinkTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long PATIENCE_MS = PATIENCE.toMillis();
    private static final int FRAME_BYTES = 4096;
    private static final int RECEIVE_FRAMES = 4;
    /** Longer than any pause of the machine: only a test that moves the clock reaches it. */
    private static final int PEER_TIMEOUT_MS = 600_000;

    private final RecordingHandler atServer = new RecordingHandler();
    private final RecordingHandler atClient = new RecordingHandler();
    private final LinkSecret secret = new LinkSecret("test", "open sesame");
    private final SkippingClock clock = new SkippingClock();
    private final EndpointType type;
    private LinkGroup server;
    private LinkGroup client;

    LinkTest(EndpointType type) {
        this.type = type;
    }

    @AfterEach
    void close() {
        if (client != null) {
            client.close();
        }
        if (server != null) {
            server.close();
        }
    }

    @Test
    void shouldDeliverMessagesOfAllSizesInOrder() throws Exception {
        Link link = connect();
        Random random = new Random(42);
        int count = 300;
        byte[][] sent = new byte[count][];
        for (int i = 0; i < count; i++) {
            sent[i] = new byte[i % 50 == 49 ? random.nextInt(100_000) : random.nextInt(2 * FRAME_BYTES)];
            random.nextBytes(sent[i]);
            assertTrue(link.send(i, sent[i]));
            if (i % 7 == 0) {
                link.flush();
            }
        }
        link.flush();
        awaitMessages(atServer, count);
        for (int i = 0; i < count; i++) {
            assertEquals(i, atServer.addresses.get(i));
            assertArrayEquals(sent[i], atServer.messages.get(i), "message " + i);
        }
    }

    @Test
    void shouldPackSmallMessagesIntoFewFrames() throws Exception {
        Link link = connect();
        for (int i = 0; i < 1_000; i++) {
            link.send(i, new byte[32]);
        }
        link.flush();
        awaitMessages(atServer, 1_000);
        assertEquals(1 + 1_000 / ((FRAME_BYTES - FrameHeader.BYTES) / 40), atServer.batches.get());
    }

    @Test
    void shouldNoticeWithoutAWakeUpThatMessagesHaveLeft() throws Exception {
        Link link = connect();
        for (int i = 0; i < 10; i++) {
            assertTrue(link.send(i, new byte[100]));
        }
        assertEquals(10, link.pendingMessages());
        link.flush();
        await().atMost(PATIENCE).until(() -> link.pendingMessages() == 0);
    }

    @Test
    void shouldSendBothWays() throws Exception {
        Link link = connect();
        await().atMost(PATIENCE).until(() -> !atServer.opened.isEmpty());
        Link back = atServer.opened.get(0);
        link.send(1, new byte[] {1});
        link.flush();
        back.send(2, new byte[] {2});
        back.flush();
        awaitMessages(atServer, 1);
        awaitMessages(atClient, 1);
        assertEquals(1, atServer.addresses.get(0));
        assertEquals(2, atClient.addresses.get(0));
    }

    @Test
    void shouldDeliverAllMessagesWhenClosed() throws Exception {
        Link link = connect();
        for (int i = 0; i < 1_000; i++) {
            assertTrue(link.send(i, new byte[100]));
        }
        assertTrue(link.close(PATIENCE_MS), "all messages are delivered");
        assertEquals(1_000, atServer.messages.size());
        assertFalse(link.send(0, new byte[1]));
        await().atMost(PATIENCE).until(() -> atServer.closed.size() == 1 && atClient.closed.size() == 1);
        assertEquals("closed by the peer", atServer.closed.get(0));
    }

    @Test
    void shouldRefuseOffersUntilTheReaderHasCaughtUp() throws Exception {
        CountDownLatch reading = new CountDownLatch(1);
        RecordingHandler slow = readingAfter(reading);
        Link link = connect(slow);
        int accepted = 0;
        while (link.offer(accepted, new byte[FRAME_BYTES - 100])) {
            link.flush();
            accepted++;
        }
        assertEquals(RECEIVE_FRAMES, accepted, "as many frames as the reader has receives posted");
        assertEquals(0, atClient.writable.get());
        reading.countDown();
        await().atMost(PATIENCE).until(() -> atClient.writable.get() > 0);
        assertTrue(link.offer(accepted, new byte[1]));
        link.flush();
        awaitMessages(slow, accepted + 1);
    }

    @Test
    void shouldWaitInSendForASlowReader() throws Exception {
        CountDownLatch reading = new CountDownLatch(1);
        RecordingHandler slow = readingAfter(reading);
        Link link = connect(slow);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread sender = new Thread(() -> {
            try {
                for (int i = 0; i < 100; i++) {
                    link.send(i, new byte[FRAME_BYTES]);
                }
                link.flush();
            } catch (InterruptedException e) {
                failure.set(e);
            }
        });
        sender.start();
        await().atMost(PATIENCE).until(() -> sender.getState() == Thread.State.WAITING);
        assertTrue(link.pendingMessages() <= 2 * RECEIVE_FRAMES, "no more messages are accepted than there are buffers for");
        reading.countDown();
        sender.join(PATIENCE_MS);
        awaitMessages(slow, 100);
        assertEquals(null, failure.get());
    }

    @Test
    void shouldNotMixMessagesOfSeveralThreads() throws Exception {
        Link link = connect();
        int threads = 4;
        int each = 50;
        Thread[] senders = new Thread[threads];
        for (int t = 0; t < threads; t++) {
            byte mark = (byte) t;
            senders[t] = new Thread(() -> {
                for (int i = 0; i < each; i++) {
                    byte[] message = new byte[3 * FRAME_BYTES + i];
                    java.util.Arrays.fill(message, mark);
                    sendUninterruptibly(link, mark, message);
                    link.flush();
                }
            });
            senders[t].start();
        }
        awaitMessages(atServer, threads * each);
        int[] next = new int[threads];
        for (int i = 0; i < threads * each; i++) {
            int mark = atServer.addresses.get(i);
            byte[] expected = new byte[3 * FRAME_BYTES + next[mark]++];
            java.util.Arrays.fill(expected, (byte) mark);
            assertArrayEquals(expected, atServer.messages.get(i));
        }
    }

    @Test
    void shouldNotOpenWhenTheSecretIsWrong() {
        open();
        LinkServer port = server.listen(0, secret, atServer);
        client.connect(loopback(port.port()), new LinkSecret("test", "open wheat"), atClient);
        await().atMost(PATIENCE).until(() -> !atClient.closed.isEmpty());
        assertTrue(atClient.opened.isEmpty());
        assertTrue(atServer.opened.isEmpty());
    }

    @Test
    void shouldReportTheReasonWhenThePortIsClosed() {
        open();
        LinkServer port = server.listen(0, secret, atServer);
        port.close();
        InetSocketAddress address = loopback(port.port());
        await().atMost(PATIENCE).until(() -> {
            client.connect(address, secret, atClient);
            return atClient.closed.stream().anyMatch(reason -> reason.contains("refused"));
        });
        assertTrue(atClient.opened.isEmpty());
    }

    @Test
    void shouldNoticeWhenThePeerClosesItsGroup() throws Exception {
        connect();
        await().atMost(PATIENCE).until(() -> !atServer.opened.isEmpty());
        client.close();
        client = null;
        await().atMost(PATIENCE).until(() -> atServer.closed.size() == 1);
    }

    @Test
    void shouldStayOpenWhenIdleForLongerThanThePeerTimeout() throws Exception {
        Link link = connect();
        await().atMost(PATIENCE).until(() -> !atServer.opened.isEmpty());
        Link back = atServer.opened.get(0);
        for (int i = 0; i < 4; i++) {
            long laterNs = clock.advance(PEER_TIMEOUT_MS / 2);
            await().atMost(PATIENCE).until(() -> link.lastReceivedNs() - laterNs >= 0 && back.lastReceivedNs() - laterNs >= 0);
        }
        assertTrue(link.isOpen(), () -> "closed: " + atClient.closed);
        link.send(1, new byte[1]);
        link.flush();
        awaitMessages(atServer, 1);
    }

    @Test
    void shouldCloseTheLinkToASilentPeer() throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch reading = new CountDownLatch(1);
        RecordingHandler stuck = new RecordingHandler() {

            @Override
            public void onMessage(Link link, int address, ByteBuffer message) {
                reached.countDown();
                awaitUninterruptibly(reading);
            }
        };
        Link link = connect(stuck);
        link.send(1, new byte[1]);
        link.flush();
        awaitUninterruptibly(reached);
        clock.advance(PEER_TIMEOUT_MS + 1);
        await().atMost(PATIENCE).until(() -> atClient.closed.size() == 1);
        assertTrue(atClient.closed.get(0).startsWith("no sign of life from the peer for"), atClient.closed.get(0));
        reading.countDown();
    }

    @Test
    void shouldEndASendThatWaitsForASilentPeer() throws Exception {
        CountDownLatch reading = new CountDownLatch(1);
        Link link = connect(readingAfter(reading));
        AtomicReference<Boolean> lastSent = new AtomicReference<>();
        Thread sender = new Thread(() -> {
            boolean sent = true;
            while (sent) {
                sent = sendUninterruptibly(link, 1, new byte[2 * FRAME_BYTES]);
            }
            lastSent.set(false);
        });
        sender.start();
        await().atMost(PATIENCE).until(() -> sender.getState() == Thread.State.WAITING);
        clock.advance(PEER_TIMEOUT_MS + 1);
        await().atMost(PATIENCE).until(() -> lastSent.get() != null);
        assertTrue(atClient.closed.get(0).startsWith("no sign of life from the peer for"), atClient.closed.get(0));
        reading.countDown();
    }

    @Test
    void shouldLeaveNothingBehindWhenLinksComeAndGo() throws Exception {
        open();
        LinkServer port = server.listen(0, secret, atServer);
        openAndClose(port, 10);
        int descriptors = openDescriptors();
        openAndClose(port, 200);
        await().atMost(PATIENCE).until(() -> client.linksWithBuffers() + server.linksWithBuffers() == 0);
        assertTrue(openDescriptors() <= descriptors + 2, "descriptors grew from " + descriptors + " to " + openDescriptors());
    }

    private void openAndClose(LinkServer port, int times) throws Exception {
        for (int i = 0; i < times; i++) {
            int already = atServer.closed.size();
            RecordingHandler here = new RecordingHandler();
            Link link = client.connect(loopback(port.port()), secret, here);
            awaitSoon(() -> link.isOpen() || !here.closed.isEmpty());
            assertTrue(link.send(i, new byte[FRAME_BYTES]));
            assertTrue(client.linksWithBuffers() > 0);
            assertTrue(link.close(PATIENCE_MS), () -> here.closed.toString());
            awaitSoon(() -> atServer.closed.size() > already);
        }
    }

    /** Waits for what comes within milliseconds, without a thread of its own. */
    private static void awaitSoon(BooleanSupplier condition) {
        long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS);
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < endNs, "not within " + PATIENCE_MS + " ms");
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    private static int openDescriptors() {
        String[] open = new File("/proc/self/fd").list();
        return open == null ? 0 : open.length;
    }

    private Link connect() {
        return connect(atServer);
    }

    private Link connect(LinkHandler serverListener) {
        open();
        LinkServer port = server.listen(0, secret, serverListener);
        client.connect(loopback(port.port()), secret, atClient);
        await().atMost(PATIENCE).until(() -> !atClient.opened.isEmpty() || !atClient.closed.isEmpty());
        assertEquals(0, atClient.closed.size(), () -> atClient.closed.toString());
        return atClient.opened.get(0);
    }

    private void open() {
        String provider = type == EndpointType.CONNECTED ? "tcp" : "net";
        LinkConfiguration configuration = new LinkConfiguration(
            type, provider, null, FRAME_BYTES, RECEIVE_FRAMES, 4, IdleMode.WAIT, false, PEER_TIMEOUT_MS);
        server = LinkGroup.open("test-server", configuration, clock);
        client = LinkGroup.open("test-client", configuration, clock);
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private static void awaitMessages(RecordingHandler listener, int count) {
        await().atMost(PATIENCE).until(() -> listener.messages.size() >= count);
        assertEquals(count, listener.messages.size());
    }

    private static RecordingHandler readingAfter(CountDownLatch reading) {
        return new RecordingHandler() {

            @Override
            public void onMessage(Link link, int address, ByteBuffer message) {
                awaitUninterruptibly(reading);
                super.onMessage(link, address, message);
            }
        };
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean sendUninterruptibly(Link link, int address, byte[] message) {
        try {
            return link.send(address, message);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The real time, which a test can move ahead. */
    private static final class SkippingClock implements NanoClock {

        private final AtomicLong skippedNs = new AtomicLong();

        @Override
        public long nanoTime() {
            return NanoClock.SYSTEM.nanoTime() + skippedNs.get();
        }

        /** Moves the time ahead; returns the earliest time that the clock can show from now on. */
        long advance(int ms) {
            long laterNs = nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
            skippedNs.addAndGet(TimeUnit.MILLISECONDS.toNanos(ms));
            return laterNs;
        }
    }
}
