package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.engine.EngineConfiguration;
import io.eyewall.integration.cluster.ClusterException;
import io.eyewall.integration.cluster.ClusterExtension;
import io.eyewall.integration.cluster.ClusterNetwork;
import io.eyewall.integration.cluster.ClusterSpecification;
import io.eyewall.integration.cluster.Daemon;
import io.eyewall.integration.cluster.Hosts;
import io.eyewall.integration.cluster.ProcessCluster;
import io.eyewall.integration.cluster.WorkerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.SupervisorSummary;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Parts of a cluster die and come back while a topology with a replayable source runs on two hosts. Its executors share threads, unless
 * {@code -Deyewall.executor.threads} says otherwise: so workers are killed and executors move with both, since in {@link
 * HotRebalanceSystemTest} each executor has a thread.
 */
@Tag("system")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FailuresSystemTest {

    static final String TOPOLOGY = "replay";
    private static final int CUT_OFF = 2;
    private static final String SOAK_SECS = "eyewall.soak.secs";
    private static final String SEED = "eyewall.seed";

    /** What the topology is submitted with, and the most that it can have. */
    private static final Map<String, Integer> EXECUTORS = Map.of("first", 2, "second", 2);
    /** All slots of both hosts. */
    private static final int MAX_WORKERS = 4;
    /** Between two kills. */
    private static final int MAX_CHANGES = 2;

    /** Five seconds' worth. */
    private static final int MANY = 500;
    private static final int YOUNG_SECS = 10;

    @RegisterExtension
    final ClusterExtension extension = new ClusterExtension(this::twoHosts);

    final Path directory = Installations.workDirectory(name());
    ProcessCluster processes;
    private DropInCluster cluster;

    /** The name of the directory for logs and files. */
    String name() {
        return "failures";
    }

    /** What the topology runs with, beside what its workers have in all tests. */
    Map<String, Object> settings() {
        return Map.of(EngineConfiguration.EXECUTOR_THREADS, System.getProperty("eyewall.executor.threads", EngineConfiguration.POOL));
    }

    @BeforeAll
    void submit() {
        processes = extension.cluster();
        cluster = new DropInCluster(processes, directory, Map.of("dropin.replay.count", "1000000", "dropin.replay.account", "true"));
        cluster.submit(TOPOLOGY);
    }

    @BeforeEach
    void spreadOverBothHosts() {
        startEndedDaemons();
        processes.awaitSupervisors();
        processes.awaitRunning(TOPOLOGY, 2);
        if (hosts().size() == 1) {
            processes.topologies().rebalance(TOPOLOGY, 0, Map.of());
        }
        processes.await("the topology is on both hosts", () -> hosts().equals(Set.of(address(1), address(CUT_OFF)))
            && processes.workers(TOPOLOGY).stream().map(WorkerProcess::supervisorId).distinct().count() == 2);
        processes.awaitRunning(TOPOLOGY, 2);
        processes.await("no executor is on its way to a worker that has just started", this::areExecutorsAtHome);
        awaitManyMore();
    }

    @Test
    void shouldLoseNothingWhenNimbusIsKilled() {
        processes.nimbus().kill();
        awaitManyMore();
        processes.nimbus().start();
        processes.awaitSupervisors();
        awaitRecovery();
    }

    @Test
    void shouldLoseNothingWhenASupervisorIsKilled() {
        Daemon supervisor = processes.supervisors().get(0);
        processes.await("the supervisor has run for a while", () -> uptimeSecs(address(1)) >= YOUNG_SECS);
        supervisor.kill();
        awaitManyMore();
        supervisor.start();
        processes.await("the supervisor is back", () -> uptimeSecs(address(1)) < YOUNG_SECS);
        awaitRecovery();
    }

    @Test
    void shouldLoseNothingWhenZooKeeperIsKilled() {
        processes.zooKeeper().kill();
        awaitManyMore();
        processes.zooKeeper().start();
        processes.await("Nimbus writes to ZooKeeper again", () -> {
            startEndedDaemons();
            return credentialsAreTaken();
        });
        awaitRecovery();
    }

    @Test
    void shouldReplayWhatWasUnderWayWhenAHostIsCutOffForAMoment() {
        cutOffUntilMessagesFail();
        processes.network().setConnected(CUT_OFF, true);
        awaitRecovery();
    }

    @Test
    @Tag("long")
    void shouldTakeOverTheWorkOfAHostThatStaysCutOff() {
        cutOffUntilMessagesFail();
        processes.await("all executors are on the other host", () -> hosts().equals(Set.of(address(1))));
        awaitManyMore();
        awaitAllAcked();
        processes.network().setConnected(CUT_OFF, true);
        processes.await("the other host is back", () -> {
            startEndedDaemons();
            return processes.topologies().cluster().get_supervisors_size() == 2;
        });
        processes.awaitRunning(TOPOLOGY, 2);
        awaitRecovery();
    }

    /**
     * 15 seconds of it, or as long as {@value #SOAK_SECS} says, with rebalances among the kills, from the seed that it prints or that
     * {@value #SEED} sets. The spout's worker is always the first to go. Before the other tests, since a spout that is cut off and replaced
     * would write into the account, too.
     */
    @Test
    @Order(1)
    void shouldLoseNothingWhenWorkersAreKilledAtAnyTimeAndExecutorsMove() {
        long seed = Long.getLong(SEED, System.currentTimeMillis());
        System.out.println("Kills and rebalances from -D" + SEED + "=" + seed);
        Random random = new Random(seed);
        Rebalances rebalances = new Rebalances(processes, TOPOLOGY, EXECUTORS);
        long endMs = System.currentTimeMillis() + TimeUnit.SECONDS.toMillis(Integer.getInteger(SOAK_SECS, 15));
        WorkerProcess victim = processes.workers(TOPOLOGY).stream().filter(this::hasSpout).findFirst().orElseThrow();
        int ofSpout = 0;
        int ofBolts = 0;
        int changes = 0;
        do {
            boolean hadSpout = hasSpout(victim);
            victim.kill();
            ofSpout += hadSpout ? 1 : 0;
            ofBolts += hadSpout ? 0 : 1;
            // Each before, while or after the worker comes back, or executors move.
            for (int change = random.nextInt(MAX_CHANGES + 1); change > 0; change--) {
                System.out.println(rebalances.changeAtRandom(random, MAX_WORKERS, EXECUTORS));
                changes++;
                awaitSomeMore(random);
            }
            awaitSomeMore(random);
            processes.await("there is a worker to kill", () -> !processes.workers(TOPOLOGY).isEmpty());
            List<WorkerProcess> workers = processes.workers(TOPOLOGY);
            victim = workers.get(random.nextInt(workers.size()));
        } while (System.currentTimeMillis() < endMs || ofBolts == 0 || changes == 0);
        rebalances.restore();
        awaitRecovery();
        processes.topologies().deactivate(TOPOLOGY);
        AtomicReference<SpoutAccount> account = new AtomicReference<>();
        try {
            processes.await("every message is accounted for", () -> {
                account.set(account());
                return account.get().isSettled();
            });
        } finally {
            System.out.println("Killed the spout's worker " + ofSpout + " times, another one " + ofBolts + " times, and changed workers and"
                + " executors " + changes + " times: " + account + ".");
            processes.topologies().activate(TOPOLOGY);
        }
    }

    /** Nimbus notices soon that a host is cut off, and uses it again as soon as it is back. */
    private ClusterSpecification twoHosts() {
        ClusterNetwork.unavailabilityCause().ifPresent(Assumptions::abort);
        return ClusterSpecification.of(Installations.eyewall(), directory)
            .withSupervisors(2, 2).withSeparateHosts(Hosts.APART).withSettings(QuickSettings.all()).withSettings(settings())
            .withSettings(Map.of("nimbus.task.timeout.secs", 15, "nimbus.task.launch.secs", 30, "storm.zookeeper.session.timeout", 10_000,
                "blacklist.scheduler.tolerance.count", 1_000));
    }

    /** What Nimbus knows of an executor that is still in its old worker is older than its new one. */
    private boolean areExecutorsAtHome() {
        Map<Integer, Long> agesSecs = processes.workers(TOPOLOGY).stream()
            .collect(Collectors.toMap(WorkerProcess::port, FailuresSystemTest::ageSecs));
        return processes.topologies().info(TOPOLOGY).orElseThrow().get_executors().stream()
            .allMatch(executor -> executor.get_uptime_secs() <= agesSecs.getOrDefault(executor.get_port(), -1L));
    }

    private static long ageSecs(WorkerProcess worker) {
        return ProcessHandle.of(worker.pid()).flatMap(process -> process.info().startInstant())
            .map(start -> Duration.between(start, Instant.now()).toSeconds() + 1).orElse(-1L);
    }

    /** How long the supervisor of that host had run when Nimbus last heard of it, every five seconds; not young if it has not. */
    private int uptimeSecs(String host) {
        return processes.topologies().cluster().get_supervisors().stream().filter(supervisor -> supervisor.get_host().equals(host))
            .mapToInt(SupervisorSummary::get_uptime_secs).findFirst().orElse(YOUNG_SECS);
    }

    /** Returns when a number has failed that was emitted after the host was cut off. */
    private void cutOffUntilMessagesFail() {
        int last = lastNumber();
        processes.network().setConnected(CUT_OFF, false);
        processes.await("messages fail while a host is cut off", () -> cluster.lines(TOPOLOGY, "numbers").stream()
            .anyMatch(line -> line.startsWith("fail ") && Integer.parseInt(line.substring("fail ".length())) > last));
    }

    /** What keeps daemons running in a real cluster: they end themselves when they have missed ZooKeeper for too long. */
    private void startEndedDaemons() {
        Stream.concat(Stream.of(processes.nimbus()), processes.supervisors().stream()).filter(daemon -> !daemon.isAlive())
            .forEach(Daemon::start);
    }

    private boolean credentialsAreTaken() {
        try {
            processes.topologies().pushCredentials(TOPOLOGY, Map.of("colour", "blue"));
            return true;
        } catch (ClusterException notYet) {
            return false;
        }
    }

    /** Waits until any number of messages more is acked. */
    private void awaitSomeMore(Random random) {
        long enough = acks() + random.nextInt(MANY);
        processes.await("messages are acked again", () -> acks() >= enough);
    }

    void awaitManyMore() {
        long enough = acks() + MANY;
        processes.await(MANY + " more messages are acked", () -> acks() >= enough);
    }

    /** Waits until many more messages are acked, and then all of them. */
    void awaitRecovery() {
        long enough = acks() + MANY;
        processes.await(MANY + " more messages are acked", () -> {
            startEndedDaemons();
            return acks() >= enough;
        });
        awaitAllAcked();
    }

    private boolean hasSpout(WorkerProcess worker) {
        return processes.topologies().executors(TOPOLOGY, "numbers").stream().anyMatch(spout -> spout.get_port() == worker.port());
    }

    private SpoutAccount account() {
        return new SpoutAccount(cluster.lines(TOPOLOGY, "numbers"));
    }

    private long acks() {
        return cluster.count(TOPOLOGY, "numbers", "ack ");
    }

    /** Waits until every number up to the last that has been emitted is acked; then both bolts must have got them all. */
    private void awaitAllAcked() {
        int end = lastNumber() + 1;
        processes.await("all numbers below " + end + " are acked", () -> acked().containsAll(numbers("ack ", end)));
        assertTrue(Set.copyOf(cluster.lines(TOPOLOGY, "first")).containsAll(numbers("", end)));
        assertTrue(Set.copyOf(cluster.lines(TOPOLOGY, "second")).containsAll(numbers("", end)));
    }

    private Set<String> acked() {
        return Set.copyOf(cluster.lines(TOPOLOGY, "numbers"));
    }

    private int lastNumber() {
        return cluster.lines(TOPOLOGY, "first").stream().mapToInt(Integer::parseInt).max().orElseThrow();
    }

    private static Set<String> numbers(String before, int end) {
        return IntStream.range(0, end).mapToObj(number -> before + number).collect(Collectors.toSet());
    }

    private String address(int host) {
        return processes.network().address(host);
    }

    private Set<String> hosts() {
        return processes.topologies().info(TOPOLOGY).orElseThrow().get_executors().stream()
            .map(ExecutorSummary::get_host).collect(Collectors.toSet());
    }
}
