package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.fuzz.Fuzz;
import io.eyewall.integration.cluster.ClusterExtension;
import io.eyewall.integration.cluster.ClusterSpecification;
import io.eyewall.integration.cluster.Ports;
import io.eyewall.integration.cluster.ProcessCluster;
import io.eyewall.integration.cluster.WorkerFiles;
import io.eyewall.integration.cluster.WorkerProcess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.apache.storm.generated.AuthorizationException;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.Supervisor;
import org.apache.storm.generated.SupervisorAssignments;
import org.apache.storm.shade.org.yaml.snakeyaml.Yaml;
import org.apache.storm.thrift.TException;
import org.apache.storm.thrift.protocol.TBinaryProtocol;
import org.apache.storm.thrift.transport.TMemoryBuffer;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.SupervisorClient;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Topologies whose two workers talk over TLS, to each other and to Supervisors, as Nimbus does; and strangers at all these ports. */
@Tag("system")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WorkerTlsSystemTest {

    private static final String TOPOLOGY = "groupings";
    private static final String VERIFY = "storm.messaging.netty.tls.verify.host";
    private static final String FRAMES = "Tuples go in frames to the worker at";

    /** Each takes milliseconds of both ends' CPU. */
    private static final int HANDSHAKES_ARE_FEWER = 10;

    private static final Path CERTIFICATES = Installations.workDirectory("worker-tls-certificates");
    /** Of Nimbus, and of each Supervisor. */
    private static final Certificate DAEMONS = Certificate.of("localhost", CERTIFICATES);
    /** With which workers ask their Supervisor. */
    private static final Certificate WORKERS = Certificate.of("workers", CERTIFICATES);

    private final Path directory = Installations.workDirectory(name());

    @RegisterExtension
    final ClusterExtension extension = new ClusterExtension(() -> ClusterSpecification.of(Installations.eyewall(), directory)
        .withSupervisors(2, 1).withSettings(QuickSettings.all()).withSettings(settings())
        .withJavaOptions(List.of("-XX:NativeMemoryTracking=summary"))
        .withSettings(DAEMONS.ofNimbus(Ports.free(), DAEMONS.trusted()))
        .withSettings(DAEMONS.ofSupervisors(DAEMONS.trustedWith(WORKERS))).withSettings(Map.of(
            "supervisor.authorizer", "org.apache.storm.security.auth.authorizer.SupervisorSimpleACLAuthorizer",
            "nimbus.daemon.users", List.of("CN=localhost"), "nimbus.supervisor.users", List.of("CN=localhost"))));

    ProcessCluster processes;

    /** The name of the directory for logs and files. */
    String name() {
        return "worker-tls";
    }

    /** What topologies run with, beside what their workers have in all tests. */
    Map<String, Object> settings() {
        return Map.of();
    }

    /** The name of the log of the process that talks to other workers. */
    String logName() {
        return WorkerFiles.LOG;
    }

    /** The process that listens at the port of a worker. */
    long listener(WorkerProcess worker) {
        return worker.pid();
    }

    /** How many of two workers say that the other one gets frames. */
    int sayThatFramesAreSent() {
        return 2;
    }

    /** How many workers say that they cannot report to their Supervisor. */
    long unheardWorkers() {
        return logsWith("send heartbeat to local supervisor");
    }

    @BeforeAll
    void findCluster() {
        processes = extension.cluster();
    }

    @Test
    void shouldSendEachTupleOnce() {
        long before = logsWith(FRAMES);
        assertAllCome(cluster("plain", "localhost", Map.of()));
        assertEquals(before + sayThatFramesAreSent(), logsWith(FRAMES), "workers that are sent frames");
        assertEquals(0, unheardWorkers(), "workers that their Supervisor does not hear");
        Path log = processes.logs().resolve("nimbus").resolve("nimbus.log");
        assertFalse(WorkerFiles.contains(log, "to send assignments to node") || WorkerFiles.contains(log, "to create supervisor client"),
            log.toString());
    }

    @Test
    void shouldTakeAssignmentsFromNobodyExceptNimbus() throws Exception {
        assertThrows(AuthorizationException.class, () -> assign(WORKERS.ofSupervisorsClient()));
        assertThrows(RuntimeException.class,
            () -> assign(Certificate.of("stranger", CERTIFICATES).ofSupervisorsClient()));
        assertThrows(RuntimeException.class, () -> assign(Map.of("supervisor.thrift.tls.client.auth.required", "false")));
        Path log = processes.supervisors().get(0).logDirectory().resolve("supervisor-1.log");
        processes.await(log + " says why", () -> WorkerFiles.contains(log, " is refused: "));
    }

    @Test
    void shouldServeNimbusAfterAnyInputs() throws Exception {
        int port = (Integer) processes.settings().get("nimbus.thrift.tls.port");
        Strangers strangers = strangers(Strangers.Target.of(processes.nimbus(), port), DAEMONS,
            request(out -> new Nimbus.Client(out).send_isTopologyNameAllowed("orders")));
        Map<String, Object> conf = conf();
        conf.putAll(DAEMONS.ofClient(DAEMONS.trusted()));
        try (NimbusClient nimbus = NimbusClient.Builder.withConf(conf).build()) {
            assertTrue(nimbus.getClient().isTopologyNameAllowed("orders"));
        }
        strangers.assertHarmless();
    }

    @Test
    void shouldServeASupervisorAfterAnyInputs() throws Exception {
        Strangers strangers = strangers(Strangers.Target.of(processes.supervisors().get(0), supervisorPort()), DAEMONS,
            request(out -> new Supervisor.Client(out).send_getLocalAssignmentForStorm("orders-1-1700000000")));
        assertThrows(AuthorizationException.class, () -> assign(WORKERS.ofSupervisorsClient()));
        strangers.assertHarmless();
    }

    @Test
    void shouldRunAWorkerAfterAnyInputs() throws Exception {
        DropInCluster cluster = cluster("flooded", "localhost", Map.of());
        cluster.submit(TOPOLOGY);
        try {
            cluster.awaitAcks(TOPOLOGY, 400);
            WorkerProcess worker = processes.workers(TOPOLOGY).get(0);
            Path files = directory.resolve("flooded");
            Certificate ofWorkers = new Certificate(files.resolve("localhost.p12"), files.resolve("localhost-trusted.p12"));
            strangers(new Strangers.Target("worker", listener(worker), log(worker), worker.port()), ofWorkers,
                ByteBuffer.allocate(8).putShort((short) 1).putInt(2).putShort((short) 3).array()).assertHarmless();
        } finally {
            cluster.end(TOPOLOGY);
        }
    }

    /** Most of their inputs come in place of the handshake, and the others after one. */
    private Strangers strangers(Strangers.Target target, Certificate certificate, byte[] message) throws Exception {
        SSLContext context = certificate.context();
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(true);
        ByteBuffer hello = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), hello);
        Strangers strangers = new Strangers(processes, target);
        strangers.send(SocketFactory.getDefault(), Fuzz.INPUTS - Fuzz.INPUTS / HANDSHAKES_ARE_FEWER,
            List.of(Arrays.copyOf(hello.array(), hello.position())));
        strangers.send(context.getSocketFactory(), Fuzz.INPUTS / HANDSHAKES_ARE_FEWER, List.of(message));
        return strangers;
    }

    private static byte[] request(ThriftPortsSystemTest.Call call) throws TException {
        TMemoryBuffer buffer = new TMemoryBuffer(100);
        call.on(new TBinaryProtocol(buffer));
        return Arrays.copyOf(buffer.getArray(), buffer.length());
    }

    /** Sends assignments to a Supervisor. */
    private void assign(Map<String, String> client) throws Exception {
        Map<String, Object> conf = conf();
        conf.putAll(client);
        try (SupervisorClient asking = SupervisorClient.Builder.withConf(conf).withHostName("localhost").withPort(supervisorPort())
                .createSupervisorClient()) {
            asking.getIface().sendSupervisorAssignments(new SupervisorAssignments());
        }
    }

    private Map<String, Object> conf() {
        Map<String, Object> conf = Utils.readDefaultConfig();
        conf.putAll(processes.settings());
        return conf;
    }

    private int supervisorPort() throws IOException {
        Map<String, Object> supervisor = new Yaml().load(Files.readString(directory.resolve("supervisor-1.yaml")));
        return (Integer) supervisor.get("supervisor.thrift.port");
    }

    @Test
    @Tag("long")
    void shouldSendNothingToAWorkerWithTheCertificateOfAnotherHostUnlessNamesAreNotChecked() {
        DropInCluster refusing = cluster("refusing", "other.example", Map.of());
        refusing.submit(TOPOLOGY);
        processes.await("both workers refuse the other's certificate",
            () -> logsWith("The certificate of the worker at localhost:") == 2);
        refusing.end(TOPOLOGY);

        assertAllCome(cluster("trusting", "other.example", Map.of(VERIFY, "false")));
    }

    private static void assertAllCome(DropInCluster cluster) {
        Map<String, List<String>> outcome = TopologyBehaviours.groupings(cluster);
        List<String> all = IntStream.range(0, 400).mapToObj(number -> number + " key" + (number % 2 == 0 ? 0 : number % 20))
            .sorted().toList();
        for (String bolt : List.of("custom", "direct", "fields", "global", "none", "partial", "shuffle")) {
            assertEquals(all, outcome.entrySet().stream().filter(task -> task.getKey().matches(bolt + "(-\\d+)?"))
                .flatMap(task -> task.getValue().stream()).sorted().toList(), bolt);
        }
        List<String> spout = outcome.entrySet().stream().filter(task -> task.getKey().startsWith("numbers"))
            .flatMap(task -> task.getValue().stream()).toList();
        assertTrue(spout.size() == 400 && spout.stream().allMatch(line -> line.startsWith("ack ")), spout::toString);
    }

    private DropInCluster cluster(String name, String certified, Map<String, String> options) {
        Map<String, String> all = new HashMap<>(Certificate.of(certified, directory.resolve(name)).betweenWorkers());
        all.putAll(WORKERS.ofSupervisorsClient());
        all.put("topology.users", "[\"CN=workers\"]");
        all.putAll(options);
        return new DropInCluster(processes, directory.resolve(name), all);
    }

    private Path log(WorkerProcess worker) {
        return WorkerFiles.named(logName(), processes.logs(), worker.topologyId() + '/' + worker.port() + '/').get(0);
    }

    /** How many logs of workers have the text. */
    private long logsWith(String text) {
        return WorkerFiles.named(logName(), processes.logs(), "").stream().filter(log -> WorkerFiles.contains(log, text)).count();
    }
}
