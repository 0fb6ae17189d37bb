package io.eyewall.tail.output;

import static io.eyewall.tail.output.RecordedHops.CLOCK;
import static io.eyewall.tail.output.RecordedHops.NETWORK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.eyewall.client.stream.container.ContainerFeature.Members;
import io.eyewall.client.stream.plan.Instance;
import io.eyewall.client.stream.slot.ProcessFile;
import io.eyewall.tail.recording.HopKey;
import io.eyewall.tail.recording.MeasuringPoint;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real endpoints of two instances: {@code words-1} and {@code count-4}, which has two executors. */
class ContainerPagesTest {

    private static final String ID = "chain-7-1700000000";
    private static final String MOMENT = " 1700000000000";
    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final HopKey COMPLETE = new HopKey(MeasuringPoint.COMPLETE, "words", 1, "words:default");

    private final HttpClient client = HttpClient.newHttpClient();
    private final List<LatencyEndpoint> open = new ArrayList<>();
    private final RecordedHops words = new RecordedHops();
    private final RecordedHops count = new RecordedHops();
    private final List<WorkerQueues.Queue> queues = new ArrayList<>(List.of(new WorkerQueues.Queue("__system", -1, 1, 0.5, 0),
        new WorkerQueues.Queue("count", 4, 1, 0.25, 0), new WorkerQueues.Queue("count", 5, 2, 0.125, 0)));
    private Path root;
    private LatencyEndpoint endpoint;
    private LatencyEndpoint ofCount;

    @BeforeEach
    void open(@TempDir Path directory) throws IOException {
        root = directory;
        serve("words-1", words, List.of(new WorkerQueues.Queue("words", 1, 1, 0, 0)));
        ofCount = serve("count-4", count, queues);
        ContainerPages pages = new ContainerPages(ID, "chain", new TwoInstances(root), CLOCK);
        endpoint = LatencyEndpoint.open(ANY, pages.metrics(), pages.byPath());
        open.add(endpoint);
    }

    @AfterEach
    void close() {
        open.forEach(LatencyEndpoint::close);
    }

    @Test
    void shouldServeTheLatenciesOfAllInstances() throws Exception {
        words.record(COMPLETE, 1_000);
        words.record(NETWORK, 1_000);
        count.record(NETWORK, 3_000);
        RecordedHops passing = new RecordedHops();
        passing.record(new HopKey(MeasuringPoint.TO_STREAM_MANAGER, "__worker", -1, "words"), 500);
        serve("stream-manager", passing, List.of());

        List<String> lines = get("/latency").lines().toList();

        assertEquals("eyewall-latency 1 " + ID + MOMENT, lines.get(0));
        assertEquals(List.of("complete/words/1/words:default", "network/__worker/-1/host-2:6701", "network/__worker/-1/host-2:6701",
            "to-stream-manager/__worker/-1/words"),
            lines.subList(1, lines.size()).stream().map(line -> line.substring(0, line.indexOf('\t'))).sorted().toList());
    }

    @Test
    void shouldNameTheExecutorsWhoseQueuesAreFull() throws Exception {
        assertEquals(page("words\t1\t1\t0.0\t0\t0", "count\t4\t1\t0.25\t0\t0", "count\t5\t2\t0.125\t0\t0"), get("/queues"));

        held("4\t2500\t9000\n");
        assertEquals(page("words\t1\t1\t0.0\t0\t0", "count\t4\t1\t0.25\t0\t2500", "count\t5\t2\t0.125\t0\t2500"), get("/queues"),
            "its socket is full, and it does not know why");
    }

    @Test
    void shouldNameAnInstanceThatCannotAnswer() throws Exception {
        ofCount.close();
        assertEquals(page("words\t1\t1\t0.0\t0\t0"), get("/queues"));

        held("4\t2500\t9000\n1\t0\t40\n");
        assertEquals(page("words\t1\t1\t0.0\t0\t0", "count\t4\t1\t1.0\t0\t2500", "count\t5\t2\t1.0\t0\t2500"), get("/queues"));
    }

    @Test
    void shouldAddUpWhatInstancesUse() throws Exception {
        words.record(COMPLETE, 1_000);
        count.record(COMPLETE, 3_000, 3_000);

        List<String> lines = get("/worker").lines().toList();

        assertEquals("eyewall-worker 1 " + ID + MOMENT, lines.get(0));
        long heapBytes = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getMax();
        assertEquals(2 * heapBytes, Long.parseLong(lines.get(1).split("\t", -1)[1]));
        assertEquals(3, lines.size());
        assertTrue(lines.get(2).startsWith("complete\twords\t"));
        ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(lines.get(2).substring("complete\twords\t".length())));
        assertEquals(3, Histogram.decodeFromCompressedByteBuffer(bytes, 0).getTotalCount());
    }

    @Test
    void shouldServeThePrometheusFiguresOfAllInstancesAndTheirBackPressure() throws Exception {
        words.record(NETWORK, 1_000);
        count.record(NETWORK, 3_000, 3_000);
        held("4\t2500\t9000\n17\t1\t1\n");
        RecordedHops passing = new RecordedHops();
        passing.record(new HopKey(MeasuringPoint.TO_STREAM_MANAGER, "__worker", -1, "words"), 500);
        serve("stream-manager", passing, List.of());

        String text = get("/metrics");

        assertTrue(text.contains("eyewall_hop_latency_seconds_count{component=\"__worker\",point=\"network\",source=\"host-2:6701\","
            + "task=\"-1\",topology=\"chain\"} 3.0\n"), text);
        assertTrue(text.contains("\neyewall_back_pressure_seconds_total{topology=\"chain\",component=\"count\",task=\"4\"} 9.0\n"), text);
        assertEquals(1, text.lines().filter(line -> line.startsWith("# TYPE eyewall_hop_latency_seconds ")).count());
        assertTrue(text.contains("point=\"to-stream-manager\""), text);
        assertTrue(get("/host").startsWith("eyewall-host 1 "));
    }

    @Test
    void shouldLeaveOutWhateverIsNoInstanceOfTheTopology() throws Exception {
        words.record(NETWORK, 1_000);
        HttpServer stranger = HttpServer.create(ANY, 0);
        stranger.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.close();
        });
        stranger.start();
        for (String port : List.of(String.valueOf(stranger.getAddress().getPort()), "none", "0", "70000", "")) {
            ProcessFile.write(root.resolve("count-4").resolve(ProcessFile.FIGURES_PORT), port);
            assertEquals(2, get("/latency").lines().count(), port);
        }
        stranger.stop(0);
        held("4\tmuch\n");
        assertEquals(page("words\t1\t1\t0.0\t0\t0"), get("/queues"));
    }

    private static String page(String... lines) {
        return "eyewall-queues 1 " + ID + MOMENT + "\n" + String.join("\n", lines) + "\n";
    }

    private void held(String page) throws IOException {
        ProcessFile.write(Files.createDirectories(root.resolve("stream-manager")).resolve(ProcessFile.HELD), page);
    }

    private LatencyEndpoint serve(String name, RecordedHops hops, List<WorkerQueues.Queue> its) throws IOException {
        LatencyEndpoint served = LatencyEndpoint.open(ANY, new PrometheusPage(new PrometheusHops(hops.collector(), "chain")), Map.of(
            "/latency", new LatencyPage(hops.collector(), ID, CLOCK), "/queues", new QueuesPage(() -> its, ID, CLOCK),
            "/worker", new WorkerPage(hops.collector(), ID, CLOCK)));
        open.add(served);
        ProcessFile.write(Files.createDirectories(root.resolve(name)).resolve(ProcessFile.FIGURES_PORT), String.valueOf(served.port()));
        return served;
    }

    private String get(String path) throws IOException, InterruptedException {
        URI address = URI.create("http://localhost:" + endpoint.port() + path);
        HttpResponse<String> response = client.send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
        assertEquals(200, response.statusCode(), path);
        return response.body();
    }

    /** The processes of the container. */
    private record TwoInstances(Path root) implements Members {

        @Override
        public List<Instance> instances() {
            return List.of(new Instance(1, "words", List.of(List.of(1L, 1L))),
                new Instance(4, "count", List.of(List.of(4L, 4L), List.of(5L, 6L))));
        }

        @Override
        public String component(int task) {
            return task < 4 ? "words" : "count";
        }

        @Override
        public Path directory(String process) {
            return root.resolve(process);
        }
    }
}
