package io.eyewall.tail.output;

import static io.eyewall.tail.output.RecordedHops.CLOCK;
import static io.eyewall.tail.output.RecordedHops.EXECUTE;
import static io.eyewall.tail.output.RecordedHops.NETWORK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import io.eyewall.client.substitute.LoggedDrops;
import io.eyewall.tail.auto.HostCpu;
import io.eyewall.tail.recording.HopKey;
import io.eyewall.tail.recording.HopRecorder;
import io.eyewall.tail.recording.MeasuringPoint;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Histogram;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LatencyEndpointTest {

    private static final String TOPOLOGY_ID = "chain-7-1700000000";
    private static final long TIMEOUT_MS = 1_000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String LABELS = "{component=\"split\",point=\"execute\",source=\"words:default\",task=\"4\",topology=\"chain\"";

    private final RecordedHops hops = new RecordedHops();
    private final LoggedDrops drops = new LoggedDrops();
    private final HttpClient client = HttpClient.newHttpClient();
    private LatencyEndpoint endpoint;

    @BeforeEach
    void open() throws IOException {
        endpoint = endpoint(0);
    }

    @AfterEach
    void close() {
        endpoint.close();
    }

    @Test
    void shouldServeWhatWasRecordedUpToNowToTheCommand() throws Exception {
        HopRecorder network = hops.record(NETWORK, 1_000);
        network.record(3_000, 250);
        network.record(-1);
        hops.record(EXECUTE, 5, 6, 7);

        HttpResponse<String> response = get("/latency");
        assertEquals(200, response.statusCode());
        assertEquals("text/plain; charset=utf-8", response.headers().firstValue("Content-Type").orElseThrow());
        String[] lines = response.body().split("\n", -1);
        assertEquals("eyewall-latency 1 chain-7-1700000000 1700000000000", lines[0]);
        assertTrue(lines[1].startsWith("network/__worker/-1/host-2:6701\t250\t1\t"), lines[1]);
        assertTrue(lines[2].startsWith("execute/split/4/words:default\t0\t0\t"), lines[2]);
        assertEquals("", lines[3]);
        assertEquals(2, histogram(lines[1]).getTotalCount());
        assertEquals(7, histogram(lines[2]).getMaxValue());

        hops.record(EXECUTE, 8);
        assertEquals(4, histogram(get("/latency").body().split("\n", -1)[2]).getTotalCount(), "the total, not what is new");
    }

    @Test
    void shouldServeTheJvmAndTheLatenciesOfMessagesToTheUi() throws Exception {
        hops.record(EXECUTE, 5);
        hops.record(new HopKey(MeasuringPoint.END_TO_END, "split", 4, "words:default"), 1_000, 2_000);
        hops.record(new HopKey(MeasuringPoint.END_TO_END, "split", 5, "words:default"), 3_000);

        String[] lines = get("/worker").body().split("\n", -1);
        assertEquals("eyewall-worker 1 chain-7-1700000000 1700000000000", lines[0]);
        String[] jvm = lines[1].split("\t", -1);
        assertEquals(4, jvm.length, lines[1]);
        assertTrue(Long.parseLong(jvm[0]) > 0 && Long.parseLong(jvm[0]) <= Long.parseLong(jvm[1]), lines[1]);
        assertTrue(Long.parseLong(jvm[2]) > 0 && Long.parseLong(jvm[3]) >= 0, lines[1]);
        assertTrue(lines[2].startsWith("end-to-end\tsplit\t"), lines[2]);
        assertEquals(3, histogram(lines[2]).getTotalCount());
        assertEquals("", lines[3]);
    }

    @Test
    void shouldServeCountsBucketsAndQuantilesToPrometheus() throws Exception {
        HopRecorder execute = hops.record(EXECUTE);
        for (int i = 1; i <= 1_000; i++) {
            execute.record(i * 1_000L);
        }
        execute.record(-1);
        hops.collector().closeInterval(0, 10_000, List.of());
        execute.record(20_000_000_000L);

        String text = get("/metrics").body();
        assertEquals(1_001, value(text, "eyewall_hop_latency_seconds_count" + LABELS + "}"));
        assertEquals(20.5005, value(text, "eyewall_hop_latency_seconds_sum" + LABELS + "}"), 0.02);
        assertEquals(500e-6, value(text, "eyewall_hop_latency_seconds" + LABELS + ",quantile=\"0.5\"}"), 0.5e-6);
        assertEquals(900e-6, value(text, "eyewall_hop_latency_seconds" + LABELS + ",quantile=\"0.9\"}"), 1e-6);
        assertEquals(990e-6, value(text, "eyewall_hop_latency_seconds" + LABELS + ",quantile=\"0.99\"}"), 1e-6);
        assertEquals(999e-6, value(text, "eyewall_hop_latency_seconds" + LABELS + ",quantile=\"0.999\"}"), 1e-6);
        assertEquals(1e-3, value(text, "eyewall_hop_latency_max_seconds" + LABELS + "}"), 1e-6);
        assertEquals(1, value(text, "eyewall_hop_latency_histogram_seconds_bucket" + LABELS + ",le=\"1.0E-6\"}"));
        assertEquals(20, value(text, "eyewall_hop_latency_histogram_seconds_bucket" + LABELS + ",le=\"2.0E-5\"}"), 1);
        assertEquals(500, value(text, "eyewall_hop_latency_histogram_seconds_bucket" + LABELS + ",le=\"5.0E-4\"}"), 1);
        assertEquals(1_000, value(text, "eyewall_hop_latency_histogram_seconds_bucket" + LABELS + ",le=\"10.0\"}"));
        assertEquals(1_001, value(text, "eyewall_hop_latency_histogram_seconds_bucket" + LABELS + ",le=\"+Inf\"}"));
        assertEquals(1, value(text, "eyewall_latency_dropped_samples_total" + LABELS + "}"));
        assertEquals(0, value(text, "eyewall_hop_latency_clock_error_bound_seconds" + LABELS + "}"));
        for (String type : List.of("eyewall_hop_latency_seconds summary", "eyewall_hop_latency_histogram_seconds histogram",
                "eyewall_hop_latency_max_seconds gauge", "eyewall_latency_dropped_samples_total counter")) {
            assertTrue(text.contains("# TYPE " + type + "\n"), text);
        }
    }

    @Test
    void shouldServeHowManyTuplesCouldNotBeDeserialized() throws Exception {
        drops.dropped("words", "default", new IllegalStateException("no such class"));
        drops.dropped("split", "late \"ones\"", new IllegalStateException("no such class"));
        drops.dropped("split", "late \"ones\"", new IllegalStateException("no such class"));
        String text = get("/metrics").body();
        assertTrue(text.contains("# TYPE eyewall_unreadable_tuples_total counter\n"), text);
        assertEquals(1, value(text, "eyewall_unreadable_tuples_total{component=\"words\",stream=\"default\",topology=\"chain\"}"));
        assertEquals(2, value(text,
            "eyewall_unreadable_tuples_total{component=\"split\",stream=\"late \\\"ones\\\"\",topology=\"chain\"}"));
    }

    @Test
    void shouldShowNoQuantilesOfAnIntervalWithoutValues() throws Exception {
        hops.record(EXECUTE, 5);
        String text = get("/metrics").body();
        assertEquals(Double.NaN, value(text, "eyewall_hop_latency_seconds" + LABELS + ",quantile=\"0.5\"}"));
        assertEquals(1, value(text, "eyewall_hop_latency_seconds_count" + LABELS + "}"));
    }

    @Test
    void shouldServeEmptyPagesWhenNothingWasRecorded() throws Exception {
        assertEquals(200, get("/metrics").statusCode());
        assertFalse(get("/metrics").body().contains("eyewall"));
        assertEquals("eyewall-latency 1 chain-7-1700000000 1700000000000\n", get("/latency").body());
        assertEquals("eyewall-queues 1 chain-7-1700000000 1700000000000\n", get("/queues").body());
    }

    @Test
    void shouldServeTheCpuLoadOfTheHost() throws Exception {
        String load = get("/host").body();
        assertTrue(load.matches("eyewall-host 1 (unknown|0(\\.\\d+)?|\\d\\.\\d+E-\\d+|1(\\.0)?) \\d+ \\d+\n"), load);
    }

    @Test
    void shouldServeTheTimesOfTheHostAndTheLoadSinceTheLastRequest() {
        AtomicLong nowNs = new AtomicLong(Long.MAX_VALUE);
        AtomicReference<Double> loadNow = new AtomicReference<>(1.0);
        HostCpu cpu = new HostCpu(loadNow::get, nowNs::get);
        HostPage page = new HostPage(cpu);
        assertEquals("eyewall-host 1 unknown 0 0\n", page.text());
        nowNs.addAndGet(3_000_000_000L);
        cpu.read(); // Somebody else's read.
        loadNow.set(0.0);
        nowNs.addAndGet(1_000_000_000L);
        assertEquals("eyewall-host 1 0.75 3000 4000\n", page.text());
        loadNow.set(0.5);
        nowNs.addAndGet(2_000_000_000L);
        assertEquals("eyewall-host 1 0.5 4000 6000\n", page.text());
        for (double unknown : new double[] {-1, Double.NaN}) {
            loadNow.set(unknown);
            nowNs.addAndGet(1_000_000_000L);
            assertEquals("eyewall-host 1 unknown 4000 6000\n", page.text());
        }
        loadNow.set(1.0);
        nowNs.addAndGet(1_000_000_000L);
        assertEquals("eyewall-host 1 1.0 5000 7000\n", page.text());
    }

    @Test
    void shouldRefuseWhatIsNoQuestion() throws Exception {
        assertEquals(404, get("/").statusCode());
        HttpRequest post = HttpRequest.newBuilder(uri("/latency")).POST(HttpRequest.BodyPublishers.ofString("x")).build();
        assertEquals(405, client.send(post, HttpResponse.BodyHandlers.ofString()).statusCode());
    }

    @Test
    void shouldSayThatThePortIsInUse() {
        IOException error = assertThrows(IOException.class, () -> endpoint(endpoint.port()));
        assertEquals("Address already in use", error.getMessage());
    }

    @Test
    void shouldFreeThePortWhenClosed() throws Exception {
        int port = endpoint.port();
        endpoint.close();
        assertThrows(ConnectException.class, () -> get("/latency"));
        endpoint = endpoint(port);
        assertEquals(200, get("/latency").statusCode());
    }

    @Test
    void shouldGiveUpReadersThatAreStuck() throws Exception {
        endpoint.close();
        CountDownLatch answering = new CountDownLatch(1);
        endpoint = LatencyEndpoint.open(0, metrics(),
            Map.of("/latency", exchange -> answerForEver(exchange, answering)), TIMEOUT_MS);
        try (Socket neverAsks = connection("GET /met"); Socket neverReads = connection("GET /latency HTTP/1.1\r\n\r\n")) {
            assertTrue(answering.await(PATIENCE.toSeconds(), TimeUnit.SECONDS));
            Awaitility.await().atMost(PATIENCE).ignoreExceptionsInstanceOf(IOException.class)
                .until(() -> get("/metrics").statusCode() == 200);
            assertEquals(-1, neverAsks.getInputStream().read());
            assertTrue(neverReads.isConnected());
        }
    }

    @Test
    void shouldLeaveTheServersOfTopologiesAsTheyAre() {
        assertEquals(List.of(), System.getProperties().stringPropertyNames().stream().filter(name -> name.contains("httpserver")).toList());
    }

    private static void answerForEver(HttpExchange exchange, CountDownLatch answering) throws IOException {
        exchange.sendResponseHeaders(200, 0);
        answering.countDown();
        while (true) {
            exchange.getResponseBody().write(new byte[1 << 16]);
        }
    }

    private Socket connection(String question) throws IOException {
        Socket socket = new Socket("localhost", endpoint.port());
        socket.setSoTimeout((int) PATIENCE.toMillis());
        socket.getOutputStream().write(question.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private PrometheusPage metrics() {
        return new PrometheusPage(new PrometheusHops(hops.collector(), "chain"), new PrometheusDrops(drops, "chain"));
    }

    private LatencyEndpoint endpoint(int port) throws IOException {
        return LatencyEndpoint.open(port, metrics(),
            Map.of("/latency", new LatencyPage(hops.collector(), TOPOLOGY_ID, CLOCK),
                "/queues", new QueuesPage(List::of, TOPOLOGY_ID, CLOCK), "/worker", new WorkerPage(hops.collector(), TOPOLOGY_ID, CLOCK)));
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(uri(path)).build(), HttpResponse.BodyHandlers.ofString());
    }

    private URI uri(String path) {
        return URI.create("http://localhost:" + endpoint.port() + path);
    }

    /** The value of one line of Prometheus' text format. */
    private static double value(String text, String series) {
        String line = text.lines().filter(each -> each.startsWith(series + ' ')).findFirst()
            .orElseThrow(() -> new AssertionError(series + " is not in\n" + text));
        return Double.parseDouble(line.substring(series.length() + 1));
    }

    private static Histogram histogram(String line) throws Exception {
        String last = line.substring(line.lastIndexOf('\t') + 1);
        return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(Base64.getDecoder().decode(last)), 0);
    }
}
