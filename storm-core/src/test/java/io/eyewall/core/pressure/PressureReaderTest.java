package io.eyewall.core.pressure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.storm.generated.ExecutorInfo;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.testing.TestGlobalCount;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Workers' endpoints that the test plays, on ports that a topology's configuration leads to. */
class PressureReaderTest {

    private static final String ID = "orders-1-1763990000";
    private static final int OFFSET = 1_000;

    private HttpServer worker;

    @BeforeEach
    void open() throws Exception {
        worker = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        worker.start();
    }

    @AfterEach
    void close() {
        worker.stop(0);
    }

    @Test
    void shouldAskTheWorkersAndLeaveOutThoseThatAreSilent() throws Exception {
        answer("eyewall-queues 1 " + ID + " 1763993600000\ncount\t2\t1\t0.9\t0\t5000\nwords\t1\t1\t0.0\t0\t0\n");

        PressureReader.Reading reading = new PressureReader().read(nimbus(Map.of()), ID);

        assertEquals("", reading.unavailable());
        assertEquals("count", reading.pressure().culprits().get(0).component());
        assertEquals(Set.of("words"), reading.pressure().culprits().get(0).holds());
        assertEquals(Set.of("localhost:1"), reading.silent().keySet());
        assertEquals("nothing listens at its endpoint; it is starting or has ended", reading.silent().get("localhost:1"));
    }

    @Test
    void shouldFollowTheKeyOfWhoWaitsWithStreamManagers() throws Exception {
        answer("eyewall-queues 1 " + ID + " 1763993600000\nstore\t3\t1\t0.9\t0\t5000\ncount\t2\t1\t0.1\t0\t0\nwords\t1\t1\t0.0\t0\t0\n");
        Map<String, Object> managers = Map.of("topology.worker.mode", "stream-manager");

        BackPressure pressure = new PressureReader().read(nimbus(managers), ID).pressure();
        assertEquals(List.of("store"), pressure.culprits().stream().map(BackPressure.Culprit::component).toList());
        assertEquals(Set.of("words"), pressure.culprits().get(0).holds());
        assertEquals(BackPressure.State.HELD, pressure.components().get("words").state());
        assertEquals(BackPressure.State.FREE, pressure.components().get("count").state());

        Map<String, Object> stages = new HashMap<>(managers);
        stages.put("topology.stream.back.pressure", "stages");
        BackPressure byStage = new PressureReader().read(nimbus(stages), ID).pressure();
        assertEquals(Set.of("count"), byStage.culprits().get(0).holds());
        assertEquals(BackPressure.State.FREE, byStage.components().get("words").state());
    }

    /** So much waits for store that its stream manager does not read from count, whose queue fills. */
    @Test
    void shouldNotNameABoltThatWaitsForAnotherOneWithStreamManagers() throws Exception {
        answer("eyewall-queues 1 " + ID + " 1763993600000\nstore\t3\t1\t0.9\t0\t5000\ncount\t2\t1\t0.8\t0\t6000\nwords\t1\t1\t0.0\t0\t0\n");

        BackPressure pressure = new PressureReader().read(nimbus(Map.of("topology.worker.mode", "stream-manager")), ID).pressure();

        assertEquals(List.of("store"), pressure.culprits().stream().map(BackPressure.Culprit::component).toList());
        assertEquals(Set.of("count", "words"), pressure.culprits().get(0).holds());
    }

    @Test
    void shouldLeaveOutAWorkerThatAnswersSomethingElse() throws Exception {
        answer("eyewall-queues 1 other-1-1763990000 1763993600000\n");
        PressureReader.Reading reading = new PressureReader().read(nimbus(Map.of()), ID);
        assertTrue(reading.silent().containsValue("another topology's worker has taken its place"), reading::toString);
        assertEquals(List.of(), reading.pressure().culprits());
    }

    @Test
    void shouldSayThatNobodyCanBeAsked() throws Exception {
        for (Map<String, Object> off : List.<Map<String, Object>>of(Map.of("topology.latency.recording", "off"),
            Map.of("topology.latency.endpoint.port.offset", 0))) {
            PressureReader.Reading reading = new PressureReader().read(nimbus(off), ID);
            assertTrue(reading.unavailable().startsWith("Its workers do not serve what they record: "), reading::toString);
            assertEquals(Set.of("__acker", "count", "store", "words"), reading.pressure().components().keySet());
        }
    }

    private void answer(String page) {
        byte[] bytes = page.getBytes(StandardCharsets.UTF_8);
        worker.createContext("/queues", exchange -> {
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
    }

    /** One worker whose endpoint is the test's, and one that does not listen. */
    private Nimbus.Iface nimbus(Map<String, Object> settings) {
        Map<String, Object> conf = new HashMap<>(Map.of("topology.latency.endpoint.port.offset", OFFSET));
        conf.putAll(settings);
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("words", new TestWordSpout());
        builder.setBolt("count", new TestGlobalCount()).globalGrouping("words");
        builder.setBolt("store", new TestGlobalCount()).globalGrouping("count");
        StormTopology topology = builder.createTopology();
        topology.put_to_bolts("__acker", topology.get_bolts().get("count").deepCopy());
        TopologyInfo info = new TopologyInfo();
        info.set_executors(List.of(executor("localhost", worker.getAddress().getPort() - OFFSET), executor("localhost", 1)));
        return (Nimbus.Iface) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Nimbus.Iface.class},
            (proxy, method, arguments) -> switch (method.getName()) {
                case "getTopologyConf" -> JSONValue.toJSONString(conf);
                case "getTopology" -> topology;
                case "getTopologyInfoWithOpts" -> info;
                default -> throw new IllegalStateException("The test does not expect " + method.getName());
            });
    }

    private static ExecutorSummary executor(String host, int port) {
        return new ExecutorSummary(new ExecutorInfo(1, 1), "words", host, port, 1);
    }
}
