package io.eyewall.tail.clock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.fuzz.Fuzz;
import io.eyewall.client.fuzz.LogLines;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What strangers send to the clock's UDP port. */
class ClockPortFuzzTest {

    private static final String TOPOLOGY = "chain-1-1700000000";
    private static final int MAX_IN_FLIGHT = 50;
    private static final int PATIENCE_MS = 60_000;
    private static final long MAX_BYTES_KEPT = 16L << 20;

    @Test
    void shouldAnswerAGoodQuestionAfterAnyOtherPackets() throws Exception {
        try (LogLines lines = new LogLines(); DatagramSocket stranger = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            int port = freePort();
            try (ClockProber prober = new ClockProber(port, TOPOLOGY, System::nanoTime, () -> 7)) {
                ClockExchange peer = prober.exchangeWith((InetSocketAddress) stranger.getLocalSocketAddress());
                Fuzz fuzz = new Fuzz(11, List.of(bytes(ClockProbe.question(ClockProbe.topology(TOPOLOGY), 5)),
                    bytes(ClockProbe.question(ClockProbe.topology(TOPOLOGY), 7).answered(8, 9))));
                long before = Fuzz.usedBytes();
                for (int sent = 0; sent < Fuzz.INPUTS; sent++) {
                    byte[] packet = fuzz.next();
                    stranger.send(new DatagramPacket(packet, packet.length, InetAddress.getLoopbackAddress(), port));
                    if (sent % MAX_IN_FLIGHT == 0) {
                        prober.exchange(List.of(peer), 1);
                    }
                }
                assertTrue(Fuzz.usedBytes() - before < MAX_BYTES_KEPT, "memory stays in use");
                lines.assertAtMost(0);
                assertGood(stranger, prober, port);
            }
        }
    }

    /** Waits for the answer to one question among the answers to others. */
    private static void assertGood(DatagramSocket stranger, ClockProber prober, int port) throws Exception {
        byte[] question = bytes(ClockProbe.question(ClockProbe.topology(TOPOLOGY), Long.MAX_VALUE));
        stranger.setSoTimeout(PATIENCE_MS);
        ClockProbe answer;
        do {
            stranger.send(new DatagramPacket(question, question.length, InetAddress.getLoopbackAddress(), port));
            prober.exchange(List.of(), 1_000);
            DatagramPacket packet = new DatagramPacket(new byte[100], 100);
            stranger.receive(packet);
            assertEquals(ClockProbe.LENGTH, packet.getLength());
            answer = ClockProbe.read(ByteBuffer.wrap(packet.getData(), 0, packet.getLength())).orElseThrow();
        } while (answer.nonce() != Long.MAX_VALUE);
        assertTrue(answer.answer());
    }

    private static byte[] bytes(ClockProbe probe) {
        ByteBuffer buffer = ByteBuffer.allocate(ClockProbe.LENGTH);
        probe.write(buffer);
        return buffer.array();
    }

    private static int freePort() throws Exception {
        try (DatagramSocket socket = new DatagramSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
