package io.eyewall.integration.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.storm.shade.org.apache.commons.io.FileUtils;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A running cluster of real processes. Every part can be killed and started again. Thread safe.
 *
 * <p>Closing it ends every process that it started, by process id, with the workers and what these started. So does the end of this JVM,
 * except by {@code kill -9}. State and logs stay.
 */
public final class ProcessCluster implements RunningCluster, AutoCloseable {

    /** Long, since a busy machine may need minutes for what takes seconds elsewhere; it is reached only when something is wrong. */
    private static final Duration TIMEOUT = Duration.ofMinutes(4);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(200);
    private static final Duration COMMAND_INTERVAL = Duration.ofSeconds(2);

    private final ClusterSpecification specification;
    private final ClusterNetwork network;
    private final ClusterLayout layout;
    /** Null if the cluster uses a ZooKeeper server that it does not start. */
    private final Daemon zooKeeper;
    private final Daemon nimbus;
    /** Null if there is none. */
    private final Daemon standby;
    private final List<Daemon> supervisors = new ArrayList<>();
    private final Topologies topologies;
    /** Null if there is none. */
    private final Topologies topologiesOfStandby;
    private final Thread shutdownHook = new Thread(this::end, "end of the process cluster");
    private final AtomicInteger programs = new AtomicInteger();

    /** Guarded by itself. */
    private final List<Daemon> others = new ArrayList<>();
    /** Guarded by itself. */
    private final List<DelayingRelay> relays = new ArrayList<>();

    /** Guarded by this. */
    private boolean ended;

    /** Describes a cluster; starts nothing. */
    ProcessCluster(ClusterSpecification specification) {
        this.specification = specification;
        this.network = specification.hosts().map(hosts -> ClusterNetwork.withHosts(specification.supervisors(), hosts)).orElse(null);
        this.layout = new ClusterLayout(specification, network);
        this.zooKeeper = specification.zooKeeper().isPresent() ? null : layout.zooKeeper();
        this.nimbus = layout.nimbus();
        this.standby = specification.standby() ? layout.standby() : null;
        for (int number = 1; number <= specification.supervisors(); number++) {
            supervisors.add(layout.supervisor(number));
        }
        this.topologies = new Topologies(layout.nimbusAddress(), layout.nimbusPort(), layout.settings());
        this.topologiesOfStandby = specification.standby() ? new Topologies(layout.standbyAddress(), layout.nimbusPort(), layout.settings())
            : null;
    }

    /**
     * Starts all daemons and returns when every supervisor has reported to Nimbus. Throws {@link ClusterException} if that takes longer
     * than four minutes or a daemon ends; then nothing is left running.
     */
    public static ProcessCluster start(ClusterSpecification specification) {
        ProcessCluster cluster = new ProcessCluster(specification);
        Runtime.getRuntime().addShutdownHook(cluster.shutdownHook);
        try {
            cluster.startDaemons();
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    /** The same, and first deletes what an earlier cluster left in the directory: ZooKeeper would still know its Nimbus. */
    public static ProcessCluster startAnew(ClusterSpecification specification) {
        deleteLeftovers(specification);
        return start(specification);
    }

    static void deleteLeftovers(ClusterSpecification specification) {
        try {
            FileUtils.deleteDirectory(specification.directory().toFile());
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot delete " + specification.directory(), e);
        }
    }

    /** ZooKeeper's process. Its data survive a restart. Throws {@link IllegalStateException} if the cluster does not start it. */
    public Daemon zooKeeper() {
        if (zooKeeper == null) {
            throw new IllegalStateException("This cluster uses a ZooKeeper server that it has not started.");
        }
        return zooKeeper;
    }

    /** Nimbus's process; of two, that of the one that leads at first. */
    public Daemon nimbus() {
        return nimbus;
    }

    /** The supervisors' processes, first to last. Killing one leaves its workers running. */
    public List<Daemon> supervisors() {
        return List.copyOf(supervisors);
    }

    /** The hosts of the supervisors; throws {@link IllegalStateException} if they have none of their own. */
    public ClusterNetwork network() {
        if (network == null) {
            throw new IllegalStateException("The supervisors of this cluster share one host: specify separate ones.");
        }
        return network;
    }

    /**
     * Holds back what the workers of one supervisor send to those of another, both counted from 1, for {@code delay}. Call it before there
     * are workers, since it does not change existing connections. The supervisors need hosts of their own, and this machine nftables: see
     * {@link ClusterNetwork#redirectionUnavailabilityCause()}. Returns the relays, one for each slot.
     */
    public List<DelayingRelay> delay(int fromSupervisor, int toSupervisor, Duration delay) {
        List<DelayingRelay> added = new ArrayList<>();
        for (int port : layout.slotPorts(toSupervisor)) {
            DelayingRelay relay = new DelayingRelay(new InetSocketAddress(network().address(0), 0),
                new InetSocketAddress(network().address(toSupervisor), port), delay);
            synchronized (relays) {
                relays.add(relay);
            }
            added.add(relay);
            network.redirect(fromSupervisor, toSupervisor, port, relay.port());
        }
        return added;
    }

    /** The settings of all parts, ports and addresses included: enough for a client of Storm. */
    @Override
    public Map<String, Object> settings() {
        return Map.copyOf(layout.settings());
    }

    /** The directory of all logs: one directory for each daemon, with workers' logs below their supervisor's. */
    @Override
    public Path logs() {
        return layout.logs();
    }

    /** All lines of the daemon's log that report problems, since its first start. */
    public List<String> problems(Daemon daemon) {
        return ClusterLogs.problemsIn(daemon.logDirectory().resolve(daemon.name() + ".log"));
    }

    /** Nimbus's operations on topologies; the second Nimbus's once the first is dead. */
    @Override
    public Topologies topologies() {
        return standby == null || nimbus.isAlive() ? topologies : topologiesOfStandby;
    }

    /** The address of the second Nimbus. */
    public String standbyAddress() {
        return layout.standbyAddress();
    }

    /** The same for a client that has these settings beside the cluster's, those of another user. */
    public Topologies topologiesWith(Map<String, Object> client) {
        Map<String, Object> all = new HashMap<>(layout.settings());
        all.putAll(client);
        return new Topologies(layout.nimbusAddress(), layout.nimbusPort(), all);
    }

    /** This cluster as a client sees it that has settings of its own, and so may be another user. */
    public RunningCluster as(Map<String, Object> client) {
        return new ClientsView(this, client);
    }

    /** Starts one more daemon of the home on this machine, with {@code classPath} before the home's own. It ends with the cluster. */
    public Daemon startDaemon(String name, String mainClass, Path... classPath) {
        Daemon daemon = layout.other(name, mainClass, classPath);
        synchronized (others) {
            others.add(daemon);
        }
        daemon.start();
        return daemon;
    }

    /**
     * Runs a program that submits a topology, and returns what it printed. Throws {@link ClusterException} with the last lines of that if
     * it fails or takes longer than four minutes.
     */
    @Override
    public String submit(Submission submission) {
        return submit(specification.home(), submission);
    }

    /** The same with the client of another installation. */
    public String submit(StormHome home, Submission submission) {
        return run("submit-" + programs.incrementAndGet(), "Submitting " + submission.mainClass(), layout.submitCommand(home, submission));
    }

    /** The same with a client that has these settings beside the cluster's, those of another user. */
    public String submitWith(Map<String, Object> client, Submission submission) {
        String name = "submit-" + programs.incrementAndGet();
        return run(name, "Submitting " + submission.mainClass(),
            layout.submitCommand(specification.home(), submission, name, client));
    }

    /**
     * Runs a class of an installation's client, such as {@code org.apache.storm.command.ListTopologies}, and returns what it printed.
     * Throws {@link ClusterException} with the end of that if it fails or takes longer than four minutes.
     */
    public String runClient(StormHome home, String mainClass, String... arguments) {
        String name = "client-" + programs.incrementAndGet();
        return run(name, mainClass, layout.clientCommand(home, name, mainClass, List.of(arguments)));
    }

    /** The same on the host of a supervisor, counted from 1, and with its configuration. */
    public String runOnHost(int supervisor, StormHome home, String mainClass, String... arguments) {
        String name = "on-host-" + programs.incrementAndGet();
        return run(name, mainClass, layout.hostCommand(home, name, mainClass, supervisor, List.of(arguments)));
    }

    /** The JVMs of all workers of the cluster. */
    @Override
    public List<WorkerProcess> workers() {
        return WorkerProcess.below(logs());
    }

    /** The JVMs of a supervisor's workers; supervisors are counted from 1. */
    public List<WorkerProcess> workersOf(int supervisor) {
        return workers().stream().filter(worker -> layout.slotPorts(supervisor).contains(worker.port())).toList();
    }

    /** Waits until Nimbus, which has been started, answers and knows all supervisors; throws {@link ClusterException} if Nimbus ends. */
    public void awaitSupervisors() {
        awaitStart("Nimbus knows all " + supervisors.size() + " supervisors", nimbus, this::allSupervisorsKnown);
    }

    /** Waits until a line of the file contains the text. */
    public void awaitLine(Path file, String text) {
        await(file + " has a line with \"" + text + "\"", () -> ClusterLogs.read(file).lines().anyMatch(line -> line.contains(text)));
    }

    /** Waits until the condition holds; throws {@link ClusterException} after four minutes, which says where the logs are. */
    @Override
    public void await(String what, Condition condition) {
        await(what, TIMEOUT, condition);
    }

    /** The same for a condition that starts a process: it is asked for every two seconds, so that others get on meanwhile. */
    public void awaitCommand(String what, Condition condition) {
        await(what, TIMEOUT, COMMAND_INTERVAL, condition);
    }

    /** Waits until the condition holds; throws {@link ClusterException} after {@code timeout}, which says where the logs are. */
    public void await(String what, Duration timeout, Condition condition) {
        await(what, timeout, POLL_INTERVAL, condition);
    }

    private void await(String what, Duration timeout, Duration interval, Condition condition) {
        try {
            Awaitility.await().pollDelay(Duration.ZERO).pollInterval(interval).atMost(timeout).until(condition::holds);
        } catch (ConditionTimeoutException e) {
            throw new ClusterException("Not within " + timeout.toSeconds() + " s: " + what + ". Logs are in " + logs() + ".", e);
        }
    }

    /** Ends everything. Does nothing the second time. */
    @Override
    public void close() {
        end();
        try {
            Runtime.getRuntime().removeShutdownHook(shutdownHook);
        } catch (IllegalStateException shuttingDown) {
            // The hook runs already, or has run, and has nothing left to do.
            return;
        }
    }

    private String run(String name, String what, List<String> command) {
        Daemon program = new Daemon(name, command, specification.directory(), logs());
        Path output = logs().resolve(name + ".out");
        program.start();
        try {
            if (!program.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
                throw new ClusterException(what + " takes longer than " + TIMEOUT.toSeconds() + " s. " + ClusterLogs.end(output));
            }
        } finally {
            program.kill();
        }
        if (program.exitValue() != 0) {
            throw new ClusterException(what + " ended with exit code " + program.exitValue() + ". " + ClusterLogs.end(output));
        }
        return ClusterLogs.read(output);
    }

    private void startDaemons() {
        if (zooKeeper != null) {
            zooKeeper.start();
            awaitStart("ZooKeeper listens", zooKeeper, () -> Ports.listens(layout.zooKeeperPort()));
        }
        nimbus.start();
        supervisors.forEach(Daemon::start);
        awaitStart("Nimbus listens", nimbus, () -> Ports.listens(layout.nimbusPort()));
        awaitSupervisors();
        if (standby != null) {
            standby.start();
            awaitStart("The second Nimbus listens", standby, () -> Ports.listens(layout.standbyAddress(), layout.nimbusPort()));
        }
    }

    private void awaitStart(String what, Daemon daemon, Condition condition) {
        await(what, () -> {
            if (!daemon.isAlive()) {
                throw new ClusterException(daemon.name() + " ended while it started. Its logs are in " + daemon.logDirectory() + ". "
                    + ClusterLogs.end(daemon.logDirectory().resolve(daemon.name() + ".out")));
            }
            return condition.holds();
        });
    }

    private boolean allSupervisorsKnown() {
        try {
            return topologies.cluster().get_supervisors_size() == supervisors.size();
        } catch (ClusterException notYet) {
            return false;
        }
    }

    private synchronized void end() {
        if (ended) {
            return;
        }
        ended = true;
        List<Daemon> daemons = new ArrayList<>(supervisors);
        daemons.add(nimbus);
        if (standby != null) {
            daemons.add(standby);
        }
        synchronized (others) {
            daemons.addAll(others);
        }
        if (zooKeeper != null) {
            daemons.add(zooKeeper);
        }
        Set<Long> pids = new LinkedHashSet<>();
        daemons.stream().filter(Daemon::isAlive).forEach(daemon -> pids.add(daemon.pid()));
        Set<Long> all = ProcessTable.withDescendants(pids);
        daemons.forEach(Daemon::kill);
        all.addAll(ProcessTable.withDescendants(WorkerProcess.pidsBelow(logs())));
        all.forEach(ProcessTable::kill);
        synchronized (relays) {
            relays.forEach(DelayingRelay::close);
        }
        if (network != null) {
            network.close();
        }
    }
}
