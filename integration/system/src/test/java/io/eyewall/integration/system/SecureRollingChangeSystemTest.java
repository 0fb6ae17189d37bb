package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.integration.cluster.ClusterExtension;
import io.eyewall.integration.cluster.ClusterSpecification;
import io.eyewall.integration.cluster.Daemon;
import io.eyewall.integration.cluster.ProcessCluster;
import io.eyewall.integration.cluster.StormHome;
import io.eyewall.integration.cluster.Topologies;
import io.eyewall.integration.cluster.WorkerProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A cluster of upstream's with Kerberos, a ZooKeeper that checks permissions, and workers that authenticate each other, becomes Eyewall's
 * and goes back, daemon by daemon, while a tenant's topology runs.
 */
@Tag("system")
@Tag("long")
class SecureRollingChangeSystemTest {

    private static final Path DIRECTORY = Installations.workDirectory("secure-rolling");
    private static final StormHome UPSTREAM = Installations.upstream();
    private static final StormHome EYEWALL = Installations.eyewall();
    private static final String TOPOLOGY = "rolling";
    private static final int SOME = 200;

    @Order(1)
    @RegisterExtension
    static final KerberosRealm REALM = KerberosRealm.ofThisJvm();

    @Order(2)
    @RegisterExtension
    static final ZooKeeperServer ZOOKEEPER = new ZooKeeperServer(DIRECTORY.resolve("zookeeper"), REALM);

    @Order(3)
    @RegisterExtension
    static final ClusterExtension CLUSTER = new ClusterExtension(() -> ClusterSpecification.of(UPSTREAM, DIRECTORY.resolve("cluster"))
        .withSupervisors(2, 2).withZooKeeper(ZOOKEEPER.address()).withJavaOptions(REALM.javaOptions())
        .withSettings(QuickSettings.all()).withSettings(REALM.clusterSettings()).withSettings(Map.of(
            "supervisor.worker.timeout.secs", 15, "nimbus.task.timeout.secs", 120, "blacklist.scheduler.tolerance.count", 1_000)));

    private final ProcessCluster processes = CLUSTER.cluster();
    private final DropInCluster alices = new DropInCluster(processes, DIRECTORY, Map.of(), REALM.clientSettings(KerberosRealm.ALICE));

    @Test
    void shouldLoseNothingOfATenantsWhenAllDaemonsBecomeEyewallsAndUpstreamsAgain() {
        alices.submit(TOPOLOGY);
        awaitMore();
        changeSupervisor(1, EYEWALL);
        awaitTuplesBothWays();
        changeSupervisor(2, EYEWALL);
        changeNimbus(EYEWALL);
        assertOnlyTheOwnerMayRebalance();

        changeSupervisor(1, UPSTREAM);
        awaitTuplesBothWays();
        changeSupervisor(2, UPSTREAM);
        changeNimbus(UPSTREAM);
        assertOnlyTheOwnerMayRebalance();

        alices.stopSpouts(TOPOLOGY);
        processes.await("every message is acked", () -> account().isSettled());
        MessageAccount account = account();
        System.out.println(TOPOLOGY + ": " + account + ".");
        account.assertNothingLost();
    }

    /** The Supervisor is replaced while its workers go on; these are ended then, and it starts them from its own installation. */
    private void changeSupervisor(int number, StormHome to) {
        int workers = processes.workersOf(number).size();
        Set<Long> before = processes.workersOf(number).stream().map(WorkerProcess::pid).collect(Collectors.toSet());
        Daemon supervisor = processes.supervisors().get(number - 1);
        supervisor.stop();
        awaitMore();
        supervisor.startFrom(to);
        awaitMore();
        assertEquals(before, processes.workersOf(number).stream().map(WorkerProcess::pid).collect(Collectors.toSet()),
            "a worker has not survived the change of its Supervisor");
        processes.workersOf(number).forEach(WorkerProcess::stop);
        processes.await(workers + " workers of " + to.root() + " run under Supervisor " + number, () -> {
            List<WorkerProcess> now = processes.workersOf(number);
            return now.size() == workers && now.stream().allMatch(worker -> worker.runsFrom(to));
        });
        awaitMore();
    }

    private void changeNimbus(StormHome to) {
        processes.nimbus().stop();
        awaitMore();
        processes.nimbus().startFrom(to);
        processes.awaitSupervisors();
        awaitMore();
    }

    private void assertOnlyTheOwnerMayRebalance() {
        String id = processes.topologies().find(TOPOLOGY).orElseThrow().get_id();
        NimbusOperations operations = new NimbusOperations(TOPOLOGY, id, user(KerberosRealm.ALICE));
        assertFalse(operations.may(user(KerberosRealm.BOB), "debug"));
        assertTrue(operations.may(user(KerberosRealm.ALICE), "debug"));
    }

    private Topologies user(String user) {
        return processes.topologiesWith(REALM.clientSettings(user));
    }

    /** Waits until a worker of each installation runs and each has sent the other tuples, and messages were acked meanwhile. */
    private void awaitTuplesBothWays() {
        long acked = acks() + SOME;
        String there = " " + name(UPSTREAM) + " " + name(EYEWALL);
        String back = " " + name(EYEWALL) + " " + name(UPSTREAM);
        long enoughThere = recorded(there) + SOME / 4;
        long enoughBack = recorded(back) + SOME / 4;
        processes.await("the workers, one of each installation, send each other tuples", () -> isMixed()
            && recorded(there) >= enoughThere && recorded(back) >= enoughBack && acks() >= acked);
    }

    private boolean isMixed() {
        List<WorkerProcess> workers = processes.workers(TOPOLOGY);
        return workers.size() == 2 && Stream.of(UPSTREAM, EYEWALL).allMatch(home -> workers.stream().anyMatch(one -> one.runsFrom(home)));
    }

    private long recorded(String end) {
        return alices.lines(TOPOLOGY, "sink").stream().filter(line -> line.endsWith(end)).count();
    }

    private static String name(StormHome home) {
        return home.root().getFileName().toString();
    }

    private void awaitMore() {
        long enough = acks() + SOME;
        processes.await(SOME + " more messages are acked", () -> acks() >= enough);
    }

    private long acks() {
        return alices.count(TOPOLOGY, "numbers", "ack ");
    }

    private MessageAccount account() {
        return MessageAccount.of(alices.lines(TOPOLOGY, "numbers"), alices.lines(TOPOLOGY, "sink"));
    }
}
