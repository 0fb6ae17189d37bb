package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eyewall.integration.cluster.ClusterExtension;
import io.eyewall.integration.cluster.ClusterSpecification;
import io.eyewall.integration.cluster.Ports;
import io.eyewall.integration.cluster.ProcessCluster;
import io.eyewall.integration.cluster.Submission;
import io.eyewall.integration.cluster.Topologies;
import io.eyewall.integration.cluster.WorkerFiles;
import io.eyewall.integration.cluster.WorkerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.servlet.Filter;
import org.apache.storm.generated.AuthorizationException;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.generated.SupervisorAssignments;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.shade.org.apache.curator.framework.CuratorFramework;
import org.apache.storm.shade.org.apache.zookeeper.KeeperException;
import org.apache.storm.shade.org.yaml.snakeyaml.Yaml;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.CuratorUtils;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.NimbusLeaderNotFoundException;
import org.apache.storm.utils.SupervisorClient;
import org.apache.storm.utils.Utils;
import org.apache.storm.zookeeper.ClientZookeeper;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A cluster in which everybody logs in with Kerberos, two of its tenants, and a user who may only look at their topologies. */
@Tag("system")
class SecureClusterSystemTest {

    private static final Path DIRECTORY = Installations.workDirectory("secure");
    private static final String ALICE = KerberosRealm.ALICE;
    private static final String BOB = KerberosRealm.BOB;
    private static final String READER = KerberosRealm.READER;
    private static final String TOPOLOGY = "replay";
    private static final int COUNT = 1500;
    private static final String LINEAR = "linear";
    private static final String SCALING = "io.eyewall.scheduler.scaling.ElasticityScheduler";
    private static final String LEVELS = "io.eyewall.scheduler.henge.HengeScheduler";
    private static final Pattern OPERATION = Pattern.compile("`(\\w+)`");
    private static final Pattern ANSWER = Pattern.compile("\\| (yes|no)(?= )");
    private static final Path CERTIFICATES = Installations.workDirectory("secure-certificates");
    /** Of Nimbus, and of each worker. */
    private static final Certificate CERTIFICATE = Certificate.of("localhost", CERTIFICATES);
    /** A tenant's who does not log in with Kerberos. */
    private static final Certificate CAROL = Certificate.of("carol", CERTIFICATES);
    private static final Certificate STRANGER = Certificate.of("stranger", CERTIFICATES);

    @Order(1)
    @RegisterExtension
    static final KerberosRealm REALM = KerberosRealm.ofThisJvm();

    @Order(2)
    @RegisterExtension
    static final ClusterExtension CLUSTER = new ClusterExtension(() -> ClusterSpecification.of(Installations.eyewall(), DIRECTORY)
        .withSupervisors(3, 2).withJavaOptions(REALM.javaOptions())
        .withSettings(QuickSettings.all()).withSettings(REALM.clusterSettings())
        .withSettings(CERTIFICATE.ofNimbus(Ports.free(), CAROL.trusted())).withSettings(Map.of(
            "nimbus.users", List.of(ALICE, BOB, "CN=carol"),
            "nimbus.impersonation.authorizer", "org.apache.storm.security.auth.authorizer.ImpersonationAuthorizer",
            "nimbus.impersonation.acl",
            Map.of(KerberosRealm.PROXY, Map.of("hosts", List.of("localhost", "127.0.0.1"), "groups", List.of("tenants"))),
            "storm.group.mapping.service", "org.apache.storm.security.auth.FixedGroupsMapping",
            "storm.group.mapping.service.params", Map.of("storm.fixed.group.mapping",
                Map.of(ALICE, Set.of("tenants"), BOB, Set.of("others"))),
            "storm.scheduler", SCALING,
            // Storm blacklists hosts, of which there is one.
            "blacklist.scheduler.tolerance.count", 1_000)));

    private final ProcessCluster processes = CLUSTER.cluster();

    @Test
    @Tag("long")
    void shouldLetOnlyTheProxyActForOthersAndOnlyForThoseOfItsGroup() {
        onATopologyOfAlices(this::actForOthers);
    }

    private void onATopologyOfAlices(Consumer<NimbusOperations> test) {
        DropInCluster alices = cluster(ALICE, "acting");
        alices.submit(TOPOLOGY);
        try {
            processes.awaitRunning(TOPOLOGY, 2);
            String id = processes.topologies().find(TOPOLOGY).orElseThrow().get_id();
            test.accept(new NimbusOperations(TOPOLOGY, id, user(ALICE)));
        } finally {
            alices.end(TOPOLOGY);
        }
    }

    private void actForOthers(NimbusOperations operations) {
        assertFalse(operations.may(user(KerberosRealm.PROXY), "debug"));
        assertTrue(operations.may(acting(KerberosRealm.PROXY, ALICE), "debug"));
        assertFalse(operations.may(acting(KerberosRealm.PROXY, BOB), "getClusterInfo"), "bob is in another group");
        assertFalse(operations.may(acting(BOB, ALICE), "debug"), "bob is no proxy");
    }

    private Topologies acting(String user, String other) {
        Map<String, Object> settings = new HashMap<>(REALM.clientSettings(user));
        settings.put("storm.doAsUser", other);
        return processes.topologiesWith(settings);
    }

    /** Stream managers and instances talk over another connection, without TLS. */
    @Test
    @Tag("long")
    void shouldRunTheTopologyOfATenantWithStreamManagers() {
        assertRuns("stream-managers", Map.of("topology.worker.mode", "stream-manager"), () -> { });
    }

    /** Libfabric, too, is another connection without TLS. Its counts are a metric under upstream's name. */
    @Test
    @Tag("long")
    void shouldCarryTheTuplesOfATenantOverLibfabric() {
        Path reports = DIRECTORY.resolve("sent");
        assertRuns("libfabric", Map.of("storm.messaging.transport", "io.eyewall.transport.fabric.FabricContext",
            "storm.messaging.fabric.fallback", "netty",
            "topology.metrics.reporters", "[{\"class\": \"org.apache.storm.metrics2.reporters.CsvStormReporter\", \"report.period\": 1,"
                + " \"report.period.units\": \"SECONDS\", \"csv.log.dir\": \"" + reports + "\"}]"), () -> {
                    assumeTrue(WorkerFiles.logs(processes.logs(), "").stream()
                        .noneMatch(log -> log.contains("Using Netty instead of libfabric")),
                        "libfabric is not installed");
                    processes.await("libfabric has sent something between workers",
                        () -> files(reports, "-__send-iconnection-sent-").anyMatch(line -> line.matches("\\d+,[1-9]\\d*")));
                });
    }

    private void assertRuns(String name, Map<String, String> mode, Runnable check) {
        DropInCluster alices = new DropInCluster(processes, DIRECTORY.resolve(name), mode, REALM.clientSettings(ALICE));
        alices.submit("groupings");
        try {
            alices.awaitAcks("groupings", 400);
            assertEquals(ALICE, processes.topologies().find("groupings").orElseThrow().get_owner());
            check.run();
        } finally {
            alices.end("groupings");
        }
    }

    /** The lines of all files below a directory that have this in their names. */
    private static Stream<String> files(Path directory, String part) {
        if (Files.notExists(directory)) {
            return Stream.of();
        }
        try (Stream<Path> all = Files.walk(directory)) {
            List<String> lines = new ArrayList<>();
            for (Path file : all.filter(file -> file.getFileName().toString().contains(part)).toList()) {
                lines.addAll(Files.readAllLines(file));
            }
            return lines.stream();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read the files " + part + " below " + directory, e);
        }
    }

    @Test
    void shouldKnowATenantByItsCertificate() throws Exception {
        Map<String, Object> carol = new HashMap<>(CAROL.ofClient(CERTIFICATE.trusted()));
        carol.putAll(REALM.clientSettings(READER));
        DropInCluster carols = new DropInCluster(processes, DIRECTORY.resolve("carol"), options(), carol);
        carols.submit("groupings");
        carols.awaitAcks("groupings", 400);
        assertEquals("CN=carol", processes.topologies().find("groupings").orElseThrow().get_owner());
        try (NimbusClient nimbus = overTls(carol)) {
            KillOptions now = new KillOptions();
            now.set_wait_secs(0);
            nimbus.getClient().killTopologyWithOpts("groupings", now);
        }
        processes.awaitGone("groupings");
        assertThrows(NimbusLeaderNotFoundException.class, () -> overTls(STRANGER.ofClient(CERTIFICATE.trusted())).close());
        Path log = processes.logs().resolve("nimbus").resolve("nimbus.log");
        assertTrue(Files.readString(log).contains(" is refused: "), log + " does not say why the stranger is refused");
    }

    @Test
    void shouldKnowAUserOfTheUiByItsTicket() throws Exception {
        Map<String, Object> settings = new HashMap<>(processes.settings());
        settings.putAll(REALM.webSettings("ui"));
        Files.writeString(DIRECTORY.resolve("ui.yaml"), new Yaml().dump(settings));
        Path servlets = Path.of(Filter.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        UiProcess ui = UiProcess.start(processes, DIRECTORY, "ui.yaml",
            Map.of("JDK_JAVA_OPTIONS", REALM.javaOption(), "STORM_EXT_CLASSPATH_DAEMON", servlets.toString()));
        try {
            HttpResponse<String> stranger = ui.get("session");
            assertEquals(401, stranger.statusCode(), stranger::body);
            assertEquals("Negotiate", stranger.headers().firstValue("WWW-Authenticate").orElseThrow());

            UiProcess.Answer session = REALM.as(ALICE, () -> ui.ask("session"));
            assertEquals(200, session.status(), session::text);
            assertTrue(session.text().contains("\"" + ALICE + "@"), session::text);
            assertEquals(200, REALM.as(ALICE, () -> ui.ask("cluster/summary")).status());
            assertEquals(403, REALM.as(KerberosRealm.PROXY, () -> ui.ask("cluster/summary")).status(), "it is not in nimbus.users");
        } finally {
            ui.end();
        }
    }

    private NimbusClient overTls(Map<String, Object> client) throws TException {
        Map<String, Object> conf = Utils.readDefaultConfig();
        conf.putAll(processes.settings());
        conf.putAll(client);
        return NimbusClient.Builder.withConf(conf).build();
    }

    @Test
    void shouldTakeAssignmentsFromNobodyExceptNimbus() throws Exception {
        Map<String, Object> conf = Utils.readDefaultConfig();
        conf.putAll(processes.settings());
        Map<String, Object> supervisor = new Yaml().load(Files.readString(DIRECTORY.resolve("supervisor-1.yaml")));
        int port = (Integer) supervisor.get("supervisor.thrift.port");
        for (String user : List.of(ALICE, BOB, READER)) {
            conf.putAll(REALM.clientSettings(user));
            try (SupervisorClient client = SupervisorClient.Builder.withConf(conf).withHostName("localhost").withPort(port).build()) {
                assertThrows(AuthorizationException.class,
                    () -> client.getIface().sendSupervisorAssignments(new SupervisorAssignments()), user);
            }
        }
    }

    /** With the topology of a tenant, which ZooKeeper shows to nobody else. */
    @Test
    void shouldLetEachUserDoWhatTheHandbookSays() throws IOException {
        DropInCluster alices = cluster(ALICE, "operations");
        alices.submit(TOPOLOGY);
        processes.awaitRunning(TOPOLOGY, 2);
        TopologySummary topology = processes.topologies().find(TOPOLOGY).orElseThrow();
        assertEquals(ALICE, topology.get_owner());
        for (String node : List.of("storms", "assignments", "credentials", "backpressure")) {
            assertHidden("/" + node + "/" + topology.get_id());
        }
        NimbusOperations operations = new NimbusOperations(TOPOLOGY, topology.get_id(), user(ALICE));

        Map<String, String> observed = new TreeMap<>();
        for (String operation : operations.names()) {
            Map<String, String> answers = new HashMap<>();
            for (String user : List.of(BOB, READER, ALICE, KerberosRealm.DAEMONS)) {
                answers.put(user, operations.may(user(user), operation) ? "yes" : "no");
            }
            observed.put(operation, Stream.of(ALICE, BOB, READER, KerberosRealm.DAEMONS).map(answers::get)
                .collect(Collectors.joining(" ")));
        }
        alices.end(TOPOLOGY);
        assertEquals(documented(), observed);
    }

    @Test
    void shouldMoveExecutorsWithoutARestartAndRecordLatencies() {
        DropInCluster alices = cluster(ALICE, "moves");
        alices.submit(TOPOLOGY);
        processes.awaitRunning(TOPOLOGY, 2);
        Set<Long> workers = pids(TOPOLOGY);

        Rebalances rebalances = new Rebalances(processes, TOPOLOGY, Map.of("first", 2));
        rebalances.change(2, Map.of("first", 1));
        rebalances.awaitChanged(2, Map.of("first", 1));
        rebalances.restore();

        alices.awaitAcks(TOPOLOGY, COUNT);
        assertEquals(workers, pids(TOPOLOGY));
        assertEquals(numbers("ack "), alices.lines(TOPOLOGY, "numbers").stream().sorted().toList());
        assertEquals(numbers(""), alices.lines(TOPOLOGY, "second").stream().sorted().toList());
        for (WorkerProcess worker : processes.workers(TOPOLOGY)) {
            Path log = WorkerLatencies.of(processes, worker).current();
            // A worker that has just started writes it after its first interval.
            processes.await(log + " has times on the network", () -> Files.exists(log) && WorkerLatencies.byTag(log).entrySet().stream()
                .anyMatch(part -> part.getKey().startsWith("network/") && part.getValue().getTotalCount() > 0));
        }
        alices.end(TOPOLOGY);
    }

    @Test
    @Tag("long")
    void shouldTakeRequestsToTheSchedulersFromWhoMayRebalance() throws IOException {
        // Two executors that sleep for 4 ms over each tuple pass 500 in a second at most.
        Submission submission = Submission.of(Installations.examplesJar(), "io.eyewall.examples.Main", "linear", LINEAR)
            .with("topology.workers", 2).with("eyewall.rate.per.sec", 700).with("eyewall.work.ms.bolt-0", 4)
            .with("eyewall.parallelism", 2).with("eyewall.tasks", 8);
        for (Map.Entry<String, String> setting : options().entrySet()) {
            submission = submission.with(setting.getKey(), setting.getValue());
        }
        processes.submitWith(REALM.clientSettings(ALICE), submission);
        processes.awaitRunning(LINEAR, 2);
        Set<Long> workers = pids(LINEAR);

        String[] out = {"scale", LINEAR, "--out", "1"};
        StormCommand alice = command(ALICE);
        StormCommand bob = command(BOB);
        processes.awaitCommand("the topology is measured", () -> alice.run("scale", LINEAR, "--out", "1", "--dry-run").exitCode() == 0);
        assertRefused("You may not rebalance topology " + LINEAR, bob.run(out));
        assertDone("committed: to localhost/", alice.run(out));
        processes.awaitRunning(LINEAR, 3);
        assertTrue(pids(LINEAR).containsAll(workers), "a worker has restarted");

        schedule(LEVELS);
        Set<Long> grown = pids(LINEAR);
        String[] set = {"slo", "set", LINEAR, "latency.ms=60000"};
        processes.awaitCommand("Nimbus knows where its executors are again", () -> alice.run(set).exitCode() == 0);
        assertDone("SLO of " + LINEAR + ": p99 latency at most 60000 ms", alice.run(set));
        assertRefused("You may not rebalance topology " + LINEAR, bob.run(set));
        assertEquals(grown, pids(LINEAR), "a worker has restarted");
        processes.topologiesWith(REALM.clientSettings(ALICE)).kill(LINEAR, 0);
        processes.awaitGone(LINEAR);
    }

    /** Has Nimbus start anew with another scheduler. */
    private void schedule(String scheduler) throws IOException {
        processes.nimbus().stop();
        Path file = DIRECTORY.resolve("nimbus.yaml");
        Files.writeString(file, Files.readString(file).replace(SCALING, scheduler));
        processes.nimbus().start();
        processes.awaitSupervisors();
    }

    private static void assertRefused(String why, StormCommand.Outcome outcome) {
        assertEquals(1, outcome.exitCode(), outcome::toString);
        assertTrue(outcome.errors().stream().anyMatch(line -> line.contains(why)), outcome::toString);
    }

    private static void assertDone(String what, StormCommand.Outcome outcome) {
        assertEquals(0, outcome.exitCode(), outcome::toString);
        assertTrue(outcome.output().stream().anyMatch(line -> line.startsWith(what)), outcome::toString);
    }

    /** What each number's line is in the order of text. */
    private static List<String> numbers(String start) {
        return IntStream.range(0, COUNT).mapToObj(number -> start + number).sorted().toList();
    }

    /** The answers for the owner, another tenant, the reader and the daemons in the handbook's table, by operation. */
    private static Map<String, String> documented() throws IOException {
        String page = Files.readString(Installations.sourceTree().resolve("docs").resolve("reference").resolve("security.md"));
        Map<String, String> documented = new TreeMap<>();
        page.lines().filter(line -> line.startsWith("| `")).forEach(row -> {
            String answers = ANSWER.matcher(row).results().map(answer -> answer.group(1)).collect(Collectors.joining(" "));
            OPERATION.matcher(row).results().map(name -> name.group(1)).forEach(name -> documented.put(name, answers));
        });
        return documented;
    }

    /** Asserts that a caller who has not logged in cannot read the node. */
    private void assertHidden(String path) {
        Map<String, Object> conf = Utils.readDefaultConfig();
        conf.putAll(processes.settings());
        try (CuratorFramework stranger = CuratorUtils.newCuratorStarted(conf, List.of("localhost"), conf.get("storm.zookeeper.port"),
            "/storm", null, null)) {
            RuntimeException refused =
                assertThrows(RuntimeException.class, () -> ClientZookeeper.getChildren(stranger, path, false), path);
            assertTrue(refused.getCause() instanceof KeeperException.NoAuthException, refused::toString);
        }
    }

    private Set<Long> pids(String topology) {
        return WorkerProcess.pids(processes.workers(topology));
    }

    private Topologies user(String user) {
        return processes.topologiesWith(REALM.clientSettings(user));
    }

    /** With an output of its own: the spout goes on where an earlier one with the same output has ended, and may have nothing to emit. */
    private DropInCluster cluster(String user, String test) {
        Map<String, String> options = options();
        options.put("dropin.replay.timeout.secs", "60");
        options.put("dropin.replay.count", String.valueOf(COUNT));
        return new DropInCluster(processes, DIRECTORY.resolve(user).resolve(test), options, REALM.clientSettings(user));
    }

    private static Map<String, String> options() {
        Map<String, String> options = new HashMap<>(CERTIFICATE.betweenWorkers());
        options.put("topology.latency.recording", "all");
        options.put("topology.latency.interval.secs", "1");
        options.put("topology.readonly.users", "[\"" + READER + "\"]");
        return options;
    }

    private StormCommand command(String user) throws IOException {
        Map<String, Object> settings = new HashMap<>(processes.settings());
        settings.putAll(REALM.clientSettings(user));
        Path file = DIRECTORY.resolve(user + ".yaml");
        Files.writeString(file, new Yaml().dump(settings));
        return new StormCommand(Installations.eyewall(), file, Map.of("JDK_JAVA_OPTIONS", REALM.javaOption()));
    }
}
