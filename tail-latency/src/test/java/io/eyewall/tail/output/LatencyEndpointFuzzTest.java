package io.eyewall.tail.output;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.fuzz.Fuzz;
import io.eyewall.client.fuzz.LogLines;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What strangers send to the endpoint of a worker. */
class LatencyEndpointFuzzTest {

    private static final List<byte[]> REQUESTS = List.of(request("GET /metrics HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n"),
        request("GET /latency HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"),
        request("GET /host?x=%41 HTTP/1.0\r\n\r\nGET /host HTTP/1.1\r\n\r\n"),
        request("POST /latency HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"),
        request("PUT /metrics HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\nabcde"));
    private static final byte[] GOOD = request("GET /host HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    /** Where 50 connections wait to be accepted, the next one tries again after a second. */
    private static final int AT_ONCE = 40;
    private static final int STUCK_MS = 200;
    private static final long MAX_BYTES_KEPT = 24L << 20;
    private static final int MAX_LINES = 20;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final RecordedHops hops = new RecordedHops();

    @Test
    void shouldAnswerAGoodRequestAfterAnyOthers() throws Exception {
        try (LogLines lines = new LogLines(); LatencyEndpoint endpoint = LatencyEndpoint.open(0,
                new PrometheusPage(new PrometheusHops(hops.collector(), "chain")),
                Map.of("/latency", new LatencyPage(hops.collector(), "chain-7-1700000000", RecordedHops.CLOCK),
                    "/queues", new QueuesPage(List::of, "chain-7-1700000000", RecordedHops.CLOCK)), STUCK_MS)) {
            Fuzz fuzz = new Fuzz(3, REQUESTS);
            Random random = new Random(3);
            send(fuzz, random, endpoint.port(), Fuzz.INPUTS / 4);
            long before = Fuzz.usedBytes();
            send(fuzz, random, endpoint.port(), Fuzz.INPUTS - Fuzz.INPUTS / 4);
            Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofSeconds(1))
                .untilAsserted(() -> assertTrue(Fuzz.usedBytes() - before < MAX_BYTES_KEPT, "memory stays in use"));
            lines.assertAtMost(MAX_LINES);
            Awaitility.await().atMost(PATIENCE).until(() -> answer(endpoint.port()).startsWith("HTTP/1.1 200 "));
        }
    }

    private static void send(Fuzz fuzz, Random random, int port, int inputs) throws IOException {
        int connections = inputs / Fuzz.INPUTS_PER_CONNECTION;
        for (int i = 0; i < connections; i++) {
            try (Socket stranger = new Socket(InetAddress.getLoopbackAddress(), port)) {
                stranger.setSoLinger(random.nextBoolean(), 0); // A reset in the place of an orderly end.
                fuzz.sendOver(stranger);
            }
            if (i % AT_ONCE == 0) {
                answer(port); // Comes behind all the others.
            }
        }
    }

    /** What the endpoint answers to a good request; nothing if it takes longer than {@link #STUCK_MS}. */
    private static String answer(int port) throws IOException {
        try (Socket friend = new Socket(InetAddress.getLoopbackAddress(), port)) {
            friend.setSoTimeout((int) PATIENCE.toMillis());
            friend.getOutputStream().write(GOOD);
            return new String(friend.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        } catch (SocketException e) {
            return "";
        }
    }

    private static byte[] request(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
