package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.fuzz.Fuzz;
import io.eyewall.integration.cluster.ClusterExtension;
import io.eyewall.integration.cluster.ClusterSpecification;
import io.eyewall.integration.cluster.Daemon;
import io.eyewall.integration.cluster.ProcessCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
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

/** What strangers send to the Thrift ports of daemons ends none, stays nowhere and does not fill the logs. */
@Tag("system")
class ThriftPortsSystemTest {

    private static final Path DIRECTORY = Installations.workDirectory("thrift-ports");
    private static final int SEED = 17;
    /** How many send at a time: wrong bytes make a call of what DRPC would refuse, which takes a second until it times out. */
    private static final int STRANGERS = 16;
    private static final String TOO_LONG = "x".repeat(300);
    private static final long MOST_BYTES_KEPT = 16L << 20;
    /** Those of a daemon that goes about its work, and ten of each kind at once. */
    private static final int MOST_LINES = 60;
    /** What is logged of each kind from then on: one line in ten seconds. */
    private static final int SECS_A_LINE = 10;
    private static final int KINDS = 4;
    private static final int MOST_DESCRIPTORS_KEPT = 50;
    /** On the heap, and what Java itself has allocated outside, which is mostly direct buffers. */
    private static final Pattern USED_KB =
        Pattern.compile("(?:generation\\s+total \\d+K, used |Other \\(reserved=\\d+KB, committed=)(\\d+)K");
    private static final Pattern LOGGED = Pattern.compile("^\\d{4}-\\d\\d-\\d\\d .*");
    /** What is logged of requests that are some: wrong bytes make a few of what is cut off. */
    private static final Pattern REQUESTED =
        Pattern.compile("Topology submission exception|Got an assignments from master|Topology config is not localized yet");
    /** What a daemon logs while it starts, and of its sessions with ZooKeeper: on a busy machine that comes during the test. */
    private static final Pattern OWN = Pattern.compile("^\\S+ \\S+ (\\S+ main|o\\.a\\.s\\.s\\.o\\.a\\.[cz]\\.\\S+ \\S+) \\[");

    @RegisterExtension
    static final ClusterExtension CLUSTER = new ClusterExtension(() -> ClusterSpecification.of(Installations.eyewall(), DIRECTORY)
        .withSupervisors(1, 1).withJavaOptions(List.of("-XX:NativeMemoryTracking=summary"))
        .withSettings(QuickSettings.all()).withSettings(Map.of("drpc.request.timeout.secs", 1)));

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
        Daemon drpc = cluster.startDaemon("drpc", "io.eyewall.core.drpc.DrpcDaemon");
        int workers = (Integer) cluster.settings().get("drpc.invocations.port");
        assertServes(drpc, workers, List.of(
            request(out -> new DistributedRPCInvocations.Client(out).send_fetchRequest("words")),
            request(out -> new DistributedRPCInvocations.Client(out).send_result("7", "result")),
            request(out -> new DistributedRPCInvocations.Client(out).send_failRequest("7"))),
            worker -> assertEquals("", new DistributedRPCInvocations.Client(worker).fetchRequest("none").get_request_id()));
        assertServes(drpc, (Integer) cluster.settings().get("drpc.port"), List.of(
            request(out -> new DistributedRPC.Client(out).send_execute(TOO_LONG, "argument"))),
            client -> assertThrows(DRPCExecutionException.class, () -> new DistributedRPC.Client(client).execute(TOO_LONG, "argument")));
    }

    /** What a client does, or only writes. */
    @FunctionalInterface
    private interface Call {

        void on(TBinaryProtocol protocol) throws TException;
    }

    private static void assertServes(Daemon daemon, int port, List<byte[]> requests, Call good) throws Exception {
        // Nimbus knows a Supervisor before its port is open.
        CLUSTER.cluster().await(daemon.name() + " listens on port " + port, () -> listens(port));
        long pid = daemon.pid();
        long linesBefore = lines(daemon);
        Instant start = Instant.now();
        List<Fuzz> fuzzes = IntStream.range(0, STRANGERS).mapToObj(number -> new Fuzz(SEED + number, requests)).toList();
        send(fuzzes, port, Fuzz.INPUTS / 4);
        long before = usedBytes(pid);
        long descriptors = descriptors(pid);
        send(fuzzes, port, Fuzz.INPUTS - Fuzz.INPUTS / 4);

        try (TTransport transport = new TFramedTransport(new TSocket("localhost", port))) {
            transport.open();
            good.on(new TBinaryProtocol(transport));
        }
        assertTrue(daemon.isAlive() && daemon.pid() == pid, () -> daemon.name() + " has ended");
        CLUSTER.cluster().await("memory of " + daemon.name() + " is free again", () -> usedBytes(pid) - before < MOST_BYTES_KEPT);
        CLUSTER.cluster().await("connections of " + daemon.name() + " are closed",
            () -> descriptors(pid) - descriptors < MOST_DESCRIPTORS_KEPT);
        long logged = lines(daemon) - linesBefore;
        long secs = Duration.between(start, Instant.now()).toSeconds();
        System.out.println(daemon.name() + " logged " + logged + " lines for " + Fuzz.INPUTS + " inputs in " + secs + " s.");
        assertTrue(logged <= MOST_LINES + KINDS * secs / SECS_A_LINE, () -> daemon.name() + " logged " + logged + " lines");
    }

    private static void send(List<Fuzz> fuzzes, int port, int inputs) throws InterruptedException, ExecutionException {
        ExecutorService strangers = Executors.newFixedThreadPool(fuzzes.size());
        try {
            List<Callable<Void>> all = new ArrayList<>();
            for (Fuzz fuzz : fuzzes) {
                all.add(() -> {
                    fuzz.send(port, inputs / fuzzes.size());
                    return null;
                });
            }
            for (Future<Void> done : strangers.invokeAll(all)) {
                done.get();
            }
        } finally {
            strangers.shutdown();
        }
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

    private static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    private static long descriptors(long pid) {
        String[] open = Path.of("/proc", Long.toString(pid), "fd").toFile().list();
        assertTrue(open != null, () -> "process " + pid + " has ended");
        return open.length;
    }

    /** What the process has in use after a collection of garbage. It is asked again if it does not let jcmd attach within seconds. */
    private static long usedBytes(long pid) {
        AtomicLong usedKb = new AtomicLong();
        CLUSTER.cluster().awaitCommand("jcmd has told of the memory of process " + pid, () -> {
            jcmd(pid, "GC.run");
            usedKb.set(USED_KB.matcher(jcmd(pid, "GC.heap_info") + jcmd(pid, "VM.native_memory")).results()
                .mapToLong(used -> Long.parseLong(used.group(1))).sum());
            return usedKb.get() > 0;
        });
        return usedKb.get() << 10;
    }

    private static String jcmd(long pid, String command) {
        String program = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        try {
            Process process = new ProcessBuilder(program, Long.toString(pid), command).redirectErrorStream(true).start();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("jcmd cannot be run", e);
        }
    }

    /** How often the daemon has logged something else than requests and its own start, stack traces aside. */
    private static long lines(Daemon daemon) throws IOException {
        Path log = daemon.logDirectory().resolve(daemon.name() + ".log");
        return Files.readString(log, StandardCharsets.ISO_8859_1).lines()
            .filter(line -> LOGGED.matcher(line).matches() && !REQUESTED.matcher(line).find() && !OWN.matcher(line).find()).count();
    }
}
