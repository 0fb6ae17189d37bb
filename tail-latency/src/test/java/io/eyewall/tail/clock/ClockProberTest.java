package io.eyewall.tail.clock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.BindException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClockProberTest {

    private static final long AHEAD_NS = 77_000_000_000L;
    private static final String TOPOLOGY = "chain-1-1700000000";

    private final Random random = new Random(5);
    private ClockProber asker;
    private ClockProber other;
    private int otherPort;

    @BeforeEach
    void bind() throws IOException {
        asker = new ClockProber(0, TOPOLOGY, System::nanoTime, random::nextLong);
        otherPort = freePort();
        other = new ClockProber(otherPort, TOPOLOGY, () -> System.nanoTime() + AHEAD_NS, random::nextLong);
    }

    @AfterEach
    void unbind() throws IOException {
        asker.close();
        other.close();
    }

    @Test
    void shouldFindTheOffsetWhenTheOtherSideAnswers() {
        ClockExchange peer = asker.exchangeWith(new InetSocketAddress(InetAddress.getLoopbackAddress(), otherPort));

        awaitOffset(peer, peer);

        ClockOffset offset = peer.offset().orElseThrow();
        assertTrue(Math.abs(offset.offsetNs() - AHEAD_NS) <= offset.errorBoundNs(), offset::toString);
    }

    @Test
    void shouldGoOnWithTheOthersWhenAPeerCannotBeReached() {
        ClockExchange nobody = asker.exchangeWith(new InetSocketAddress("255.255.255.255", 9));
        ClockExchange peer = asker.exchangeWith(new InetSocketAddress(InetAddress.getLoopbackAddress(), otherPort));

        awaitOffset(peer, nobody);

        assertTrue(nobody.questions() > 0);
        assertTrue(nobody.offset().isEmpty());
    }

    @Test
    void shouldAnswerNothingButQuestionsOfItsTopology() throws IOException {
        try (DatagramSocket stranger = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            stranger.setSoTimeout(200);
            long topology = ClockProbe.topology(TOPOLOGY);
            send(stranger, ClockProbe.question(topology + 1, 1), 0);
            send(stranger, ClockProbe.question(topology, 2), 1);
            send(stranger, ClockProbe.question(topology, 3).answered(4, 5), 0);
            send(stranger, ClockProbe.question(topology, 6), 0);
            for (int i = 0; i < 4; i++) {
                other.exchange(List.of(), 100);
            }

            assertEquals(6, receive(stranger).nonce());
            assertThrows(SocketTimeoutException.class, () -> receive(stranger));
        }
    }

    @Test
    void shouldAnswerABoundedNumberOfQuestionsASecond() throws IOException {
        AtomicLong nowNs = new AtomicLong();
        int port = freePort();
        try (ClockProber flooded = new ClockProber(port, TOPOLOGY, nowNs::get, random::nextLong);
                DatagramSocket stranger = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            stranger.setSoTimeout(1_000);
            ByteBuffer question = ByteBuffer.allocate(ClockProbe.LENGTH + 1);
            ClockProbe.question(ClockProbe.topology(TOPOLOGY), 1).write(question);
            DatagramPacket packet = new DatagramPacket(question.array(), ClockProbe.LENGTH, InetAddress.getLoopbackAddress(), port);
            for (int i = 0; i < ClockProber.MAX_ANSWERS_PER_SEC; i++) {
                stranger.send(packet);
                flooded.exchange(List.of(), 1_000);
                assertEquals(1, receive(stranger).nonce());
            }
            stranger.send(packet);
            flooded.exchange(List.of(), 1_000);
            assertThrows(SocketTimeoutException.class, () -> receive(stranger));

            nowNs.addAndGet(1_000_000_000);
            stranger.send(packet);
            flooded.exchange(List.of(), 1_000);
            assertEquals(1, receive(stranger).nonce());
        }
    }

    @Test
    void shouldSayWhyWhenThePortIsInUse() {
        assertThrows(BindException.class, () -> new ClockProber(otherPort, TOPOLOGY, System::nanoTime, random::nextLong));
    }

    private void awaitOffset(ClockExchange peer, ClockExchange alsoAsked) {
        Set<ClockExchange> asked = Set.copyOf(List.of(alsoAsked, peer));
        Awaitility.await().atMost(Duration.ofSeconds(60)).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1)).until(() -> {
            asker.exchange(asked, 1);
            other.exchange(Set.of(), 1);
            asker.exchange(asked, 1);
            return peer.offset().isPresent();
        });
    }

    private void send(DatagramSocket socket, ClockProbe probe, int surplusBytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(ClockProbe.LENGTH + 1);
        probe.write(buffer);
        socket.send(new DatagramPacket(buffer.array(), ClockProbe.LENGTH + surplusBytes, InetAddress.getLoopbackAddress(), otherPort));
    }

    private static ClockProbe receive(DatagramSocket socket) throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[100], 100);
        socket.receive(packet);
        return ClockProbe.read(ByteBuffer.wrap(packet.getData(), 0, packet.getLength())).orElseThrow();
    }

    private static int freePort() throws IOException {
        try (DatagramSocket socket = new DatagramSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
