package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.fuzz.Fuzz;
import io.eyewall.integration.cluster.ClusterExtension;
import io.eyewall.integration.cluster.ClusterSpecification;
import io.eyewall.integration.cluster.Daemon;
import io.eyewall.integration.cluster.Ports;
import io.eyewall.integration.cluster.ProcessCluster;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.net.SocketFactory;
import org.apache.storm.generated.DRPCExecutionException;
import org.apache.storm.generated.DistributedRPC;
import org.apache.storm.generated.DistributedRPCInvocations;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.NotAliveException;
import org.apache.storm.generated.SubmitOptions;
import org.apache.storm.generated.Supervisor;
import org.apache.storm.generated.SupervisorAssignments;
import org.apache.storm.generated.TopologyInitialStatus;
import org.apache.storm.shade.org.yaml.snakeyaml.Yaml;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.thrift.TException;
import org.apache.storm.thrift.protocol.TBinaryProtocol;
import org.apache.storm.thrift.transport.TMemoryBuffer;
import org.apache.storm.thrift.transport.TSocket;
import org.apache.storm.thrift.transport.TTransport;
import org.apache.storm.thrift.transport.layered.TFramedTransport;
import org.apache.storm.topology.TopologyBuilder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What strangers send to the ports of daemons, for Thrift and of DRPC for HTTP, ends none, stays nowhere and does not fill the logs. */
@Tag("system")
class ThriftPortsSystemTest {

    private static final Path DIRECTORY = Installations.workDirectory("thrift-ports");
    private static final String TOO_LONG = "x".repeat(300);
    private static final int HTTP = Ports.free();

    @RegisterExtension
    static final ClusterExtension CLUSTER = new ClusterExtension(() -> ClusterSpecification.of(Installations.eyewall(), DIRECTORY)
        .withSupervisors(1, 1).withJavaOptions(List.of("-XX:NativeMemoryTracking=summary"))
        .withSettings(QuickSettings.all())
        .withSettings(Map.of("drpc.request.timeout.secs", 1, "drpc.http.host", "localhost", "drpc.http.port", HTTP)));

    private final ProcessCluster cluster = CLUSTER.cluster();

    @Test
    void shouldServeNimbusAfterAnyRequests() throws Exception {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("words", new TestWordSpout()).addConfiguration("key", "value");
        assertServes(cluster.nimbus(), (Integer) cluster.settings().get("nimbus.thrift.port"), List.of(
            request(out -> new Nimbus.Client(out).send_getClusterInfo()),
            request(out -> new Nimbus.Client(out).send_isTopologyNameAllowed("orders")),
            cut(request(out -> new Nimbus.Client(out).send_submitTopologyWithOpts("orders", "jar", "{\"a\": 1}", topology.createTopology(),
                new SubmitOptions(TopologyInitialStatus.ACTIVE))))),
            nimbus -> assertEquals(1, new Nimbus.Client(nimbus).getClusterInfo().get_supervisors_size()));
    }

    @Test
    void shouldServeASupervisorAfterAnyRequests() throws Exception {
        Map<String, Object> conf = new Yaml().load(Files.readString(DIRECTORY.resolve("supervisor-1.yaml")));
        assertServes(cluster.supervisors().get(0), (Integer) conf.get("supervisor.thrift.port"), List.of(
            cut(request(out -> new Supervisor.Client(out).send_getLocalAssignmentForStorm("orders-1-1700000000"))),
            cut(request(out -> new Supervisor.Client(out).send_sendSupervisorAssignments(new SupervisorAssignments())))),
            supervisor -> assertThrows(NotAliveException.class,
                () -> new Supervisor.Client(supervisor).getLocalAssignmentForStorm("none-1-1700000000")));
    }

    @Test
    void shouldServeDrpcAfterAnyRequests() throws Exception {
        Daemon drpc = cluster.startDaemon("drpc", "io.eyewall.web.drpc.DrpcServers");
        int workers = (Integer) cluster.settings().get("drpc.invocations.port");
        assertServes(drpc, workers, List.of(
            request(out -> new DistributedRPCInvocations.Client(out).send_fetchRequest("words")),
            request(out -> new DistributedRPCInvocations.Client(out).send_result("7", "result")),
            request(out -> new DistributedRPCInvocations.Client(out).send_failRequest("7"))),
            worker -> assertEquals("", new DistributedRPCInvocations.Client(worker).fetchRequest("none").get_request_id()));
        assertServes(drpc, (Integer) cluster.settings().get("drpc.port"), List.of(
            request(out -> new DistributedRPC.Client(out).send_execute(TOO_LONG, "argument"))),
            client -> assertThrows(DRPCExecutionException.class, () -> new DistributedRPC.Client(client).execute(TOO_LONG, "argument")));
        assertServesHttp(drpc);
    }

    /** Of the same daemon. The requests name no function, and few do with wrong bytes: a call would wait for a second. */
    private static void assertServesHttp(Daemon drpc) throws Exception {
        Strangers strangers = new Strangers(CLUSTER.cluster(), Strangers.Target.of(drpc, HTTP));
        String address = "/drpc//" + TOO_LONG;
        strangers.send(SocketFactory.getDefault(), Fuzz.INPUTS, Stream.of("GET " + address + "/argument HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /drpc/?doAsUser=a HTTP/1.1\r\nHost: a\r\nOrigin: http://b\r\nConnection: close\r\n\r\n",
            "POST " + address + " HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n8\r\nargument\r\n0\r\n\r\n",
            "POST " + address + " HTTP/1.1\r\nHost: a\r\nContent-Length: 8\r\nExpect: 100-continue\r\n\r\nargument")
            .map(request -> request.getBytes(StandardCharsets.US_ASCII)).toList());
        HttpRequest good = HttpRequest.newBuilder(URI.create("http://localhost:" + HTTP + "/drpc/" + TOO_LONG)).build();
        HttpResponse<String> refusal = HttpClient.newHttpClient().send(good, HttpResponse.BodyHandlers.ofString());
        assertTrue(refusal.statusCode() == 400 && refusal.body().contains("at most 256"), refusal::body);
        strangers.assertHarmless();
    }

    /** What a client does, or only writes. */
    @FunctionalInterface
    interface Call {

        void on(TBinaryProtocol protocol) throws TException;
    }

    private static void assertServes(Daemon daemon, int port, List<byte[]> requests, Call good) throws Exception {
        Strangers strangers = new Strangers(CLUSTER.cluster(), Strangers.Target.of(daemon, port));
        strangers.send(SocketFactory.getDefault(), Fuzz.INPUTS, requests);
        try (TTransport transport = new TFramedTransport(new TSocket("localhost", port))) {
            transport.open();
            good.on(new TBinaryProtocol(transport));
        }
        strangers.assertHarmless();
    }

    /** A request in a frame. */
    private static byte[] request(Call call) throws TException {
        TMemoryBuffer buffer = new TMemoryBuffer(100);
        call.on(new TBinaryProtocol(buffer));
        return frame(buffer.getArray(), buffer.length());
    }

    /** The same without its end, so that it is read and not done. */
    private static byte[] cut(byte[] request) {
        byte[] content = new byte[request.length - Integer.BYTES];
        System.arraycopy(request, Integer.BYTES, content, 0, content.length);
        return frame(content, content.length - 1);
    }

    private static byte[] frame(byte[] content, int length) {
        return ByteBuffer.allocate(Integer.BYTES + length).putInt(length).put(content, 0, length).array();
    }
}
