package io.eyewall.tail.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.time.NanoClock;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.storm.generated.Assignment;
import org.apache.storm.generated.NodeInfo;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PeerWatchTest {

    private static final String TOPOLOGY = "chain-1-1700000000";
    private static final long AHEAD_NS = 55_000_000_000L;
    private static final int OUR_TASK = 1;
    private static final int OTHER_TASK = 2;

    private final List<PeerWatch> watches = new ArrayList<>();
    private final WorkerPeers peers = new WorkerPeers();
    private final Random random = new Random(1);

    @AfterEach
    void close() {
        watches.forEach(PeerWatch::close);
    }

    @Test
    void shouldTrustTheClockWhenTheOtherWorkerIsOnThisHost() throws IOException {
        int ourPort = freePort();
        start(peers, ourPort, assignment(ourPort, "localhost", 1), true, 0);

        await(() -> peers.ofTask(OTHER_TASK).errorBoundNs() == 0);

        assertEquals(new WorkerClock("localhost:1", 0, 0), peers.ofTask(OTHER_TASK));
        new DatagramSocket(ourPort).close();
    }

    @Test
    void shouldEstimateTheClockWhenTheOtherWorkerIsOnAnotherHost() throws IOException {
        int ourPort = freePort();
        int otherPort = freePort();
        Assignment assignment = assignment(ourPort, "localhost", otherPort);
        start(peers, ourPort, assignment, false, 0);
        start(new WorkerPeers(), otherPort, assignment, false, AHEAD_NS);

        await(() -> peers.ofTask(OTHER_TASK).errorBoundNs() < WorkerClock.UNKNOWN_ERROR_NS);

        WorkerClock clock = peers.ofTask(OTHER_TASK);
        assertEquals("localhost:" + otherPort, clock.peer());
        assertTrue(Math.abs(clock.offsetNs() - AHEAD_NS) <= clock.errorBoundNs(), clock::toString);
        assertTrue(clock.errorBoundNs() > 0);
    }

    /** As in a container with stream managers. */
    @Test
    void shouldEstimateTheClockWhenAnotherProcessHasItsPort() throws IOException {
        int otherPort = freePort();
        try (DatagramSocket inUse = new DatagramSocket(0)) {
            Assignment assignment = assignment(inUse.getLocalPort(), "localhost", otherPort);
            start(peers, inUse.getLocalPort(), assignment, false, 0);
            start(new WorkerPeers(), otherPort, assignment, false, AHEAD_NS);

            await(() -> peers.ofTask(OTHER_TASK).errorBoundNs() < WorkerClock.UNKNOWN_ERROR_NS);

            WorkerClock clock = peers.ofTask(OTHER_TASK);
            assertTrue(Math.abs(clock.offsetNs() - AHEAD_NS) <= clock.errorBoundNs(), clock::toString);
        }
    }

    @Test
    void shouldKnowNothingOfATaskWhenNoWorkerRunsIt() throws IOException {
        int ourPort = freePort();
        start(peers, ourPort, assignment(ourPort, "localhost", 1), true, 0);

        assertEquals(WorkerClock.unknown("unknown"), peers.ofTask(OTHER_TASK + 1));
        assertEquals(WorkerClock.unknown("unknown"), peers.ofTask(-1));
    }

    @Test
    void shouldStartWhenTheAssignmentCannotBeRead() throws IOException {
        int ourPort = freePort();
        PeerWatch watch = new PeerWatch(peers, address -> true, NanoClock.SYSTEM, random::nextLong);
        watches.add(watch);
        watch.start(() -> {
            throw new IOException("ZooKeeper is away");
        }, TOPOLOGY, ourPort);

        assertEquals(WorkerClock.unknown("unknown"), peers.ofTask(OTHER_TASK));
    }

    private void start(WorkerPeers filled, int port, Assignment assignment, boolean onThisHost, long aheadNs) {
        AtomicReference<Assignment> published = new AtomicReference<>(assignment);
        PeerWatch watch = new PeerWatch(filled, address -> onThisHost, () -> System.nanoTime() + aheadNs, random::nextLong);
        watches.add(watch);
        watch.start(() -> Optional.ofNullable(published.getAndSet(null)), TOPOLOGY, port);
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(condition);
    }

    private static Assignment assignment(int ourPort, String otherHost, int otherPort) {
        Assignment assignment = new Assignment("/code");
        assignment.set_node_host(Map.of("ours", "localhost", "other", otherHost));
        Map<List<Long>, NodeInfo> nodes = new HashMap<>();
        nodes.put(List.of((long) OUR_TASK, (long) OUR_TASK), new NodeInfo("ours", Set.of((long) ourPort)));
        nodes.put(List.of((long) OTHER_TASK, (long) OTHER_TASK), new NodeInfo("other", Set.of((long) otherPort)));
        assignment.set_executor_node_port(nodes);
        return assignment;
    }

    private static int freePort() throws SocketException {
        try (DatagramSocket socket = new DatagramSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
