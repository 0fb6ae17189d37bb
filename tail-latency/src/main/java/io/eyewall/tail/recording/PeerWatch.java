package io.eyewall.tail.recording;

import io.eyewall.client.time.NanoClock;
import io.eyewall.tail.clock.ClockExchange;
import io.eyewall.tail.clock.ClockProber;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.storm.daemon.StormCommon;
import org.apache.storm.generated.Assignment;
import org.apache.storm.generated.NodeInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps {@link WorkerPeers} up to date on a thread of its own. It follows the topology's assignment, finds out which workers are on other
 * hosts, and asks those for the time, over UDP, on the same port numbers as the workers' own. A worker whose peers are all on its own host
 * opens no socket. A failure here is logged once, and only network latencies are lost.
 */
final class PeerWatch implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PeerWatch.class);

    private static final long ASSIGNMENT_INTERVAL_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long MAX_WAIT_MS = 250;
    private static final long CLOSE_TIMEOUT_MS = 5_000;
    /** After this many questions without an answer a warning is logged, since something must block them. */
    private static final int QUESTIONS_UNTIL_WARNING = 60;

    private final WorkerPeers peers;
    private final Predicate<InetAddress> isThisHost;
    private final NanoClock clock;
    private final LongSupplier random;
    private final Thread thread = new Thread(this::run, "latency-clocks");

    /** Set by {@link #start}; then used by the watching thread, like all fields down to {@link #warned}. */
    private Assignments assignments;
    private String topologyId;
    private int port;
    private final Map<NodeInfo, WorkerPeer> byNode = new HashMap<>();
    private List<WorkerPeer> remotePeers = List.of();
    private long assignmentNs;
    private boolean proberFailed;
    private boolean warned;

    /** Written by the watching thread, read by the closing one. */
    private volatile ClockProber prober;
    private final CountDownLatch closed = new CountDownLatch(1);

    /** The source of assignments: which worker runs which task. */
    interface Assignments {

        /** The assignment, if it has changed since the last call. */
        Optional<Assignment> poll() throws Exception;
    }

    /**
     * A watch that is not started yet.
     *
     * @param isThisHost whether an address is one of this host's
     * @param random numbers that others cannot guess; used by the watching thread
     */
    PeerWatch(WorkerPeers peers, Predicate<InetAddress> isThisHost, NanoClock clock, LongSupplier random) {
        this.peers = peers;
        this.isThisHost = isThisHost;
        this.clock = clock;
        this.random = random;
    }

    /**
     * Reads the assignment, so that the first tuple finds its peers, and starts the thread for the rest.
     *
     * @param ownPort this worker's port
     */
    void start(Assignments topologyAssignments, String ownTopologyId, int ownPort) {
        assignments = topologyAssignments;
        topologyId = ownTopologyId;
        port = ownPort;
        followAssignment();
        thread.setDaemon(true);
        thread.start();
    }

    /** Ends the thread and closes the socket. */
    @Override
    public void close() {
        closed.countDown();
        ClockProber open = prober;
        if (open != null) {
            open.wakeUp();
        }
        try {
            thread.join(CLOSE_TIMEOUT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether an address is one of this host's, so that it shares our clock. */
    static boolean isThisHost(InetAddress address) {
        try {
            return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            return false; // The offset is estimated in this case, and found to be 0.
        }
    }

    private void run() {
        try {
            while (closed.getCount() > 0) {
                if (clock.nanoTime() - assignmentNs >= ASSIGNMENT_INTERVAL_NS) {
                    followAssignment();
                }
                resolvePeers();
                exchange();
            }
        } catch (IOException | InterruptedException | RuntimeException | LinkageError e) {
            remotePeers.forEach(WorkerPeer::forgetClock);
            LOG.warn("The clocks of other hosts are no longer followed. Network latencies from now on are dropped and counted.", e);
        } finally {
            closeProber();
        }
    }

    private void followAssignment() {
        assignmentNs = clock.nanoTime();
        proberFailed = false;
        try {
            assignments.poll().ifPresent(this::assign);
        } catch (Exception e) {
            LOG.debug("The assignment of {} cannot be read now. It will be read again.", topologyId, e);
        }
    }

    private void assign(Assignment assignment) {
        Map<Integer, WorkerPeer> byTask = new HashMap<>();
        Map<Integer, NodeInfo> nodes = StormCommon.taskToNodeport(assignment.get_executor_node_port());
        nodes.forEach((task, node) -> byTask.put(task, byNode.computeIfAbsent(node, key -> peer(key, assignment.get_node_host()))));
        byNode.values().retainAll(new HashSet<>(byTask.values()));
        peers.assign(byTask);
    }

    private static WorkerPeer peer(NodeInfo node, Map<String, String> hostByNode) {
        return new WorkerPeer(hostByNode.getOrDefault(node.get_node(), node.get_node()), node.get_port_iterator().next().intValue());
    }

    private void resolvePeers() {
        List<WorkerPeer> remote = new ArrayList<>();
        for (WorkerPeer peer : byNode.values()) {
            if (peer.isUnknown()) {
                resolve(peer);
            }
            if (peer.isRemote()) {
                remote.add(peer);
            }
        }
        remotePeers = remote;
    }

    private void resolve(WorkerPeer peer) {
        InetAddress address;
        try {
            address = InetAddress.getByName(peer.host()); // The JVM also caches failed look-ups for a while.
        } catch (UnknownHostException e) {
            warn("The host of worker " + peer.name() + " cannot be resolved.");
            return;
        }
        if (isThisHost.test(address)) {
            peer.setOnThisHost();
        } else if (openProber()) {
            peer.setExchange(prober.exchangeWith(new InetSocketAddress(address, peer.port())));
        }
    }

    private boolean openProber() {
        if (prober == null && !proberFailed) {
            try {
                prober = open();
            } catch (IOException e) {
                proberFailed = true;
                warn("UDP port " + port + ", this worker's, cannot be bound (" + e.getMessage() + "): free or allow it.");
            }
        }
        return prober != null;
    }

    /** The other processes of a container use its port number as well. One of them answers for all; each can ask. */
    private ClockProber open() throws IOException {
        try {
            return new ClockProber(port, topologyId, clock, random);
        } catch (BindException e) {
            LOG.debug("UDP port {} is in use, so that this process answers no questions about its clock", port, e);
            return new ClockProber(0, topologyId, clock, random);
        }
    }

    private void exchange() throws IOException, InterruptedException {
        ClockProber open = prober;
        if (open == null) {
            closed.await(ASSIGNMENT_INTERVAL_NS, TimeUnit.NANOSECONDS);
            return;
        }
        List<ClockExchange> asked = new ArrayList<>();
        for (WorkerPeer peer : remotePeers) {
            if (peer.isUsed()) {
                asked.add(peer.exchange());
            }
        }
        open.exchange(asked, MAX_WAIT_MS);
        for (WorkerPeer peer : remotePeers) {
            peer.renewClock();
            if (peer.exchange().questions() >= QUESTIONS_UNTIL_WARNING && peer.exchange().offset().isEmpty()) {
                warn("Worker " + peer.name() + " does not answer: allow UDP between the workers' ports, unless its host runs upstream's"
                    + " Storm.");
            }
        }
    }

    private void warn(String cause) {
        if (!warned) {
            warned = true;
            LOG.warn("{} Until then network latencies are dropped and counted.", cause);
        }
    }

    private void closeProber() {
        ClockProber open = prober;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                LOG.debug("The clocks' socket did not close.", e);
            }
        }
    }
}
