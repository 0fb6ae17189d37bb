package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.integration.cluster.ClusterExtension;
import io.eyewall.integration.cluster.ClusterNetwork;
import io.eyewall.integration.cluster.ClusterSpecification;
import io.eyewall.integration.cluster.Daemon;
import io.eyewall.integration.cluster.Hosts;
import io.eyewall.integration.cluster.ProcessCluster;
import io.eyewall.integration.cluster.StormHome;
import io.eyewall.integration.cluster.WorkerProcess;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.storm.generated.TopologySummary;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A cluster of upstream's on two hosts becomes Eyewall's and goes back, daemon by daemon, while topologies with replayable sources run. */
@Tag("system")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RollingChangeSystemTest {

    private static final Path DIRECTORY = Installations.workDirectory("rolling-change");
    private static final StormHome UPSTREAM = Installations.upstream();
    private static final StormHome EYEWALL = Installations.eyewall();
    private static final String COMMANDS = "org.apache.storm.command.";
    private static final StormCommand STORM = new StormCommand(EYEWALL, DIRECTORY.resolve("client.yaml"));

    /** Runs from the beginning to the end, with frames between workers where both are Eyewall's. */
    private static final String TOPOLOGY = "rolling";
    /** Runs from when all daemons are Eyewall's to the end. */
    private static final String OTHER = "rolling-too";
    /** Comes and goes while the Supervisors differ, and is held back from one to the other. */
    private static final String HELD = "held";
    /** Two seconds' worth, in which its spout emits twenty times as many unless it is held back. */
    private static final int HELD_ACKS = 100;
    /** A spout that is held back emits in bursts: what the bolt's queue has room for. */
    private static final int HELD_EMITS = 4 * HELD_ACKS;
    /** One second's worth. */
    private static final int SOME = 200;

    /** The time of a line of a log. */
    private static final Pattern AT = Pattern.compile("^(\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{3}) ");
    private static final DateTimeFormatter LOG_TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS");

    @RegisterExtension
    static final ClusterExtension CLUSTER = new ClusterExtension(RollingChangeSystemTest::twoHostsOfUpstream);

    private ProcessCluster processes;
    private DropInCluster cluster;
    /** When a daemon went and when it was back. All daemons may log errors in between. */
    private final List<Absence> absences = new ArrayList<>();

    @BeforeAll
    void submit() {
        processes = CLUSTER.cluster();
        cluster = new DropInCluster(processes, DIRECTORY, Map.of());
        processes.submit(UPSTREAM, cluster.submission(TOPOLOGY));
        awaitMore(TOPOLOGY);
        absences.add(new Absence(LocalDateTime.MIN, now()));
    }

    @Test
    void shouldLoseNothingWhenAllDaemonsBecomeEyewallsAndUpstreamsAgainUnderLoad() {
        String id = summary(TOPOLOGY).get_id();

        changeSupervisorThenItsWorkers(1, EYEWALL);
        awaitTuplesBothWays(TOPOLOGY);
        processes.submit(EYEWALL, cluster.submission(HELD));
        assertConfigured(HELD, "\"topology.acking\":\"acker\"", "\"topology.rebalance.hot\":false");
        StormHome holding = awaitHeldBack();
        assertListed(run("list"));
        run("kill", HELD, "-w", "0");
        processes.awaitGone(HELD);
        changeSupervisorWithItsWorkers(2, UPSTREAM, EYEWALL);
        changeNimbus(EYEWALL);
        runATopologyWithLedgersAndGiveItAckers();

        changeSupervisorThenItsWorkers(1, UPSTREAM);
        awaitTuplesBothWays(TOPOLOGY);
        awaitTuplesBothWays(OTHER);
        processes.submit(UPSTREAM, cluster.submission(HELD));
        assertNotEquals(holding, awaitHeldBack(), "back-pressure went from one installation to the other only");
        assertListed(processes.runClient(UPSTREAM, COMMANDS + "ListTopologies").lines().toList());
        processes.runClient(UPSTREAM, COMMANDS + "KillTopology", HELD, "-w", "0");
        processes.awaitGone(HELD);
        changeSupervisorWithItsWorkers(2, EYEWALL, UPSTREAM);
        changeNimbus(UPSTREAM);
        awaitMore(OTHER);

        assertEquals(id, summary(TOPOLOGY).get_id());
        SpoutAccount account = assertEveryMessageArrives(TOPOLOGY);
        assertEquals(3, account.instances(), "the spout's worker was started, changed to Eyewall, and back");
        assertEveryMessageArrives(OTHER);
        assertEquals(List.of(), unexpectedProblems());
    }

    /**
     * Supervisors notice soon that a worker which they have not started is gone, and that a topology's configuration has changed. Nimbus
     * moves no executor to the other host meanwhile.
     */
    private static ClusterSpecification twoHostsOfUpstream() {
        ClusterNetwork.unavailabilityCause().ifPresent(Assumptions::abort);
        return ClusterSpecification.of(UPSTREAM, DIRECTORY).withSupervisors(2, 3).withSeparateHosts(Hosts.APART)
            .withSettings(QuickSettings.all()).withSettings(Map.of("supervisor.worker.timeout.secs", 15,
                "supervisor.localizer.update.blob.interval.secs", 5, "nimbus.task.timeout.secs", 120,
                "blacklist.scheduler.tolerance.count", 1_000));
    }

    /** The Supervisor is replaced while its workers go on; these are ended then, and it starts them from its own installation. */
    private void changeSupervisorThenItsWorkers(int number, StormHome to) {
        LocalDateTime since = now();
        List<WorkerProcess> workers = processes.workersOf(number);
        Daemon supervisor = processes.supervisors().get(number - 1);
        supervisor.stop();
        awaitMore(TOPOLOGY);
        supervisor.startFrom(to);
        awaitVersion(number, to);
        awaitMore(TOPOLOGY);
        assertEquals(workers, processes.workersOf(number), "a worker has not survived the change of its Supervisor");
        workers.forEach(WorkerProcess::stop);
        awaitWorkers(number, workers.size(), to);
        absences.add(new Absence(since, now()));
    }

    /** The Supervisor ends, then its workers do, as on a host that is shut down. */
    private void changeSupervisorWithItsWorkers(int number, StormHome from, StormHome to) {
        LocalDateTime since = now();
        int workers = processes.workersOf(number).size();
        Daemon supervisor = processes.supervisors().get(number - 1);
        supervisor.stop();
        processes.runOnHost(number, from, COMMANDS + "KillWorkers");
        processes.await("the workers of host " + number + " are gone", () -> processes.workersOf(number).isEmpty());
        supervisor.startFrom(to);
        awaitVersion(number, to);
        awaitWorkers(number, workers, to);
        absences.add(new Absence(since, now()));
    }

    private void changeNimbus(StormHome to) {
        LocalDateTime since = now();
        processes.nimbus().stop();
        awaitMore(TOPOLOGY);
        processes.nimbus().startFrom(to);
        processes.awaitSupervisors();
        awaitMore(TOPOLOGY);
        absences.add(new Absence(since, now()));
    }

    /**
     * Waits until the spout emits as slowly as the bolt acks, if the bolt's worker is Eyewall's. One of upstream's may let the spout go on
     * while it means to hold it back: of its two threads that send what is so, the one with the older news may be the later one. Returns
     * the installation of the bolt's worker; the spout's has the other one.
     */
    private StormHome awaitHeldBack() {
        boolean[] isEyewall = new boolean[1];
        long[] since = {starting("ack ", lines()), starting("emit ", lines())};
        processes.await("of " + HELD + ", " + HELD_ACKS + " messages are acked while less than " + HELD_EMITS + " are emitted", () -> {
            List<String> lines = lines();
            long acked = starting("ack ", lines) - since[0];
            long emitted = starting("emit ", lines) - since[1];
            if (acked < HELD_ACKS) {
                return false;
            }
            since[0] += acked;
            since[1] += emitted;
            int port = processes.topologies().executors(HELD, "slow").get(0).get_port();
            isEyewall[0] = processes.workers(HELD).stream().anyMatch(worker -> worker.port() == port && worker.runsFrom(EYEWALL));
            return !isEyewall[0] || emitted < HELD_EMITS;
        });
        assertTrue(isMixed(HELD), "its workers are of one installation");
        return isEyewall[0] ? EYEWALL : UPSTREAM;
    }

    private List<String> lines() {
        return cluster.lines(HELD, "numbers");
    }

    private static long starting(String start, List<String> lines) {
        return lines.stream().filter(line -> line.startsWith(start)).count();
    }

    private void runATopologyWithLedgersAndGiveItAckers() {
        processes.submit(EYEWALL, cluster.submission(OTHER));
        assertConfigured(OTHER, "\"topology.acking\":\"ledger\"", "\"topology.rebalance.hot\":true");
        awaitMore(OTHER);
        processes.await(OTHER + " has two workers", () -> processes.workers(OTHER).size() == 2);
        List<WorkerProcess> workers = processes.workers(OTHER);
        run("rebalance", OTHER, "-w", "0", "-t", "{\"topology.acking\": \"acker\", \"topology.rebalance.hot\": false}");
        processes.await("both workers have started again", () -> {
            List<WorkerProcess> now = processes.workers(OTHER);
            return now.size() == workers.size() && now.stream().noneMatch(workers::contains);
        });
        assertConfigured(OTHER, "\"topology.acking\":\"acker\"", "\"topology.rebalance.hot\":false");
        awaitMore(OTHER);
    }

    private static List<String> run(String... arguments) {
        StormCommand.Outcome outcome = STORM.run(arguments);
        assertEquals(0, outcome.exitCode(), outcome.toString());
        return outcome.output();
    }

    private static void assertListed(List<String> lines) {
        assertTrue(lines.stream().anyMatch(line -> line.matches(TOPOLOGY + "\\s+ACTIVE.*")), lines.toString());
    }

    private void assertConfigured(String topology, String... parts) {
        String id = summary(topology).get_id();
        String configuration = processes.topologies().ask("show a configuration", nimbus -> nimbus.getTopologyConf(id));
        for (String part : parts) {
            assertTrue(configuration.contains(part), () -> topology + " has no " + part + " in " + configuration);
        }
    }

    private TopologySummary summary(String topology) {
        return processes.topologies().find(topology).orElseThrow();
    }

    private void awaitVersion(int supervisor, StormHome home) {
        String address = processes.network().address(supervisor);
        processes.await("Nimbus knows the Supervisor of " + home.root() + " on " + address, () ->
            processes.topologies().cluster().get_supervisors().stream().filter(summary -> summary.get_host().equals(address))
                .anyMatch(summary -> summary.get_version().endsWith("+eyewall") == home.equals(EYEWALL)));
    }

    private void awaitWorkers(int supervisor, int number, StormHome home) {
        processes.await(number + " workers of " + home.root() + " run on host " + supervisor, () -> {
            List<WorkerProcess> workers = processes.workersOf(supervisor);
            return workers.size() == number && workers.stream().allMatch(worker -> worker.runsFrom(home));
        });
        awaitMore(TOPOLOGY);
    }

    /** Waits until a worker of each installation runs and each has sent the other tuples, and messages were acked meanwhile. */
    private void awaitTuplesBothWays(String topology) {
        long acked = acks(topology) + SOME;
        String there = " " + name(UPSTREAM) + " " + name(EYEWALL);
        String back = " " + name(EYEWALL) + " " + name(UPSTREAM);
        long enoughThere = recorded(topology, there) + SOME / 4;
        long enoughBack = recorded(topology, back) + SOME / 4;
        processes.await("the workers of " + topology + ", one of each installation, send each other tuples", () ->
            isMixed(topology) && recorded(topology, there) >= enoughThere && recorded(topology, back) >= enoughBack
                && acks(topology) >= acked);
    }

    private boolean isMixed(String topology) {
        List<WorkerProcess> workers = processes.workers(topology);
        return workers.size() == 2 && Stream.of(UPSTREAM, EYEWALL).allMatch(home -> workers.stream().anyMatch(one -> one.runsFrom(home)));
    }

    private long recorded(String topology, String end) {
        return cluster.lines(topology, "sink").stream().filter(line -> line.endsWith(end)).count();
    }

    private static String name(StormHome home) {
        return home.root().getFileName().toString();
    }

    private void awaitMore(String topology) {
        long enough = acks(topology) + SOME;
        processes.await(SOME + " more messages of " + topology + " are acked", () -> acks(topology) >= enough);
    }

    private long acks(String topology) {
        return cluster.count(topology, "numbers", "ack ");
    }

    private SpoutAccount assertEveryMessageArrives(String topology) {
        cluster.stopSpouts(topology);
        processes.await("every message of " + topology + " is acked", () -> account(topology).isSettled());
        MessageAccount account = account(topology);
        System.out.println(topology + ": " + account + ".");
        account.assertNothingLost();
        return account.spout();
    }

    private MessageAccount account(String topology) {
        return MessageAccount.of(cluster.lines(topology, "numbers"), cluster.lines(topology, "sink"));
    }

    private List<String> unexpectedProblems() {
        return Stream.concat(Stream.of(processes.nimbus()), processes.supervisors().stream())
            .flatMap(daemon -> processes.problems(daemon).stream())
            .filter(line -> !line.startsWith("Caused by:") && !isOfAnAbsence(line)).toList();
    }

    private boolean isOfAnAbsence(String line) {
        Matcher start = AT.matcher(line);
        if (!start.find()) {
            return false;
        }
        LocalDateTime time = LocalDateTime.parse(start.group(1), LOG_TIME);
        return absences.stream().anyMatch(absence -> !time.isBefore(absence.since) && !time.isAfter(absence.until));
    }

    /** As the daemons write it into their logs. */
    private static LocalDateTime now() {
        return LocalDateTime.now(ZoneId.systemDefault());
    }

    private record Absence(LocalDateTime since, LocalDateTime until) {
    }
}
