package io.eyewall.transport.fabric.link;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.time.NanoClock;
import io.eyewall.transport.fabric.binding.EndpointType;
import io.eyewall.transport.fabric.link.driver.FakeDriver;
import io.eyewall.transport.fabric.link.driver.LinkBuffers;
import io.eyewall.transport.fabric.link.frame.FrameHeader;
import io.eyewall.transport.fabric.link.frame.FrameWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnrulyProviderTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int FRAME_BYTES = 1_024;
    private static final int RECEIVE_FRAMES = 4;

    private final LinkSecret secret = new LinkSecret("test", "");
    private final RecordingHandler atServer = new RecordingHandler();
    private final RecordingHandler atClient = new RecordingHandler();
    private FakeDriver driver;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldKeepOrderAndLoseNothingWhenTheProviderRefusesAndReorders(long seed) throws Exception {
        try (LinkGroup group = open(seed)) {
            Link link = connect(group);
            Random random = new Random(seed);
            byte[][] sent = new byte[2_000][];
            for (int i = 0; i < sent.length; i++) {
                sent[i] = new byte[random.nextInt(10) == 0 ? random.nextInt(10_000) : random.nextInt(200)];
                random.nextBytes(sent[i]);
                assertTrue(link.send(i, sent[i]), () -> "closed: " + atClient.closed + atServer.closed);
                if (random.nextInt(5) == 0) {
                    link.flush();
                }
            }
            assertTrue(link.close(PATIENCE.toMillis()), () -> "closed: " + atClient.closed + atServer.closed);
            assertEquals(sent.length, atServer.messages.size());
            for (int i = 0; i < sent.length; i++) {
                assertEquals(i, atServer.addresses.get(i));
                assertArrayEquals(sent[i], atServer.messages.get(i), "message " + i);
            }
        }
        assertTrue(driver.refusals() > 100, driver.refusals() + " refusals");
        assertTrue(driver.reordered() > 0, driver.reordered() + " rounds out of order");
    }

    @Test
    void shouldReturnNoCreditForReceivesThatTheProviderRefuses() throws Exception {
        try (LinkGroup group = open(7)) {
            Link link = connect(group);
            driver.refuseReceives(true);
            for (int i = 0; i < RECEIVE_FRAMES; i++) {
                assertTrue(link.send(i, new byte[FRAME_BYTES / 2]));
                link.flush();
            }
            await().atMost(PATIENCE).until(() -> atServer.messages.size() == RECEIVE_FRAMES && link.pendingMessages() == 0);
            int polls = driver.polls();
            await().atMost(PATIENCE).until(() -> driver.polls() > polls + 100);
            assertFalse(link.offer(RECEIVE_FRAMES, new byte[1]), "no receive is posted for it");
            driver.refuseReceives(false);
            await().atMost(PATIENCE).until(() -> atClient.writable.get() > 0);
            assertTrue(link.offer(RECEIVE_FRAMES, new byte[1]));
            link.flush();
            await().atMost(PATIENCE).until(() -> atServer.messages.size() == RECEIVE_FRAMES + 1);
        }
    }

    @Test
    void shouldNotWriteToItsBuffersWhenClosed() throws Exception {
        try (LinkGroup group = open(6)) {
            driver.keepBuffers();
            Link link = connect(group);
            LinkBuffers buffers = driver.buffers().get(1);
            int begun = buffers.offset(buffers.firstControlSlot() - 1);
            assertTrue(link.send(1, new byte[] {42}));
            assertEquals(42, buffers.buffer().get(begun + FrameHeader.BYTES + FrameWriter.MESSAGE_HEADER_BYTES), "the open frame");
            link.close(0);
            await().atMost(PATIENCE).until(() -> atClient.closed.size() == 1);
            link.flush();
            link.flushSoon();
            assertFalse(link.send(1, new byte[] {43}));
            assertFalse(link.offer(1, new byte[] {44}));
            assertFalse(link.close(PATIENCE.toMillis()));
            assertEquals(0, FrameHeader.type(buffers.buffer(), begun), "the header of the frame, which is written when it is sent");
        }
    }

    private LinkGroup open(long seed) {
        LinkConfiguration configuration = new LinkConfiguration(
            EndpointType.TAGGED, "fake", null, FRAME_BYTES, RECEIVE_FRAMES, 3, IdleMode.BACK_OFF, false, 30_000);
        return LinkGroup.open("unruly", configuration, NanoClock.SYSTEM, group -> {
            driver = new FakeDriver(configuration.driver(), seed);
            return driver;
        });
    }

    private Link connect(LinkGroup group) {
        group.listen(1, secret, atServer);
        Link link = group.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), secret, atClient);
        await().atMost(PATIENCE).until(link::isOpen);
        return link;
    }
}
