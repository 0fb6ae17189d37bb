package io.eyewall.client.frame;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eyewall.client.CapturedLog;
import io.eyewall.client.ring.RingPlace;
import io.eyewall.client.ring.SharedRing;
import io.eyewall.client.seam.Receivers;
import io.eyewall.client.substitute.LoggedDrops;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.logging.log4j.Level;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.apache.storm.messaging.netty.Context;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.shade.io.netty.channel.epoll.Epoll;
import org.apache.storm.tuple.AddressedTuple;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A worker that is offered what is no ring, or one that it cannot use, goes on without it. */
@Timeout(120)
class RingOffersTest {

    private static final FrameTopology TOPOLOGY = new FrameTopology(Map.of());
    private static final int TASK = 1;
    private static final int HEAD_BYTES = 4_096;
    private static final int CAPACITY_BYTES = 4_096;
    private static final int REPETITIONS = 3;
    private static final int CONNECTIONS = 40;
    private static final long DEADLINE_SECS = 30;

    private final Context context = new Context();
    private final BlockingQueue<AddressedTuple> arrived = new LinkedBlockingQueue<>();
    private final CapturedLog log = new CapturedLog(Level.INFO, RingReceiver.class);
    private final List<Path> folders = new ArrayList<>();
    private IConnection worker;

    @BeforeEach
    void bind() {
        assumeTrue(Epoll.isAvailable(), () -> "no native epoll: " + Epoll.unavailabilityCause());
        context.prepare(TOPOLOGY.conf, new StormMetricRegistry());
        FramedMessages callback = new FramedMessages(TOPOLOGY.conf, TOPOLOGY.context, arrived::addAll, () -> null,
            FrameWires.NONE, false, new LoggedDrops());
        Receivers.Request announcing = FramedMessages.announcing(new Receivers.Request(null, "topology", 0, callback,
            () -> new BackPressureStatus("worker", new ArrayList<>(), new ArrayList<>())), true);
        worker = context.bind("topology", 0, callback, announcing.newConnectionResponse());
    }

    @AfterEach
    void end() throws IOException {
        log.close();
        context.term();
        for (Path folder : folders) {
            for (String name : List.of("ring", "bell")) {
                Files.deleteIfExists(folder.resolve(name));
            }
            Files.deleteIfExists(folder);
        }
    }

    @Test
    void shouldIgnoreNamesThatAreNoneOfARing() throws Exception {
        RingPlace place = place();
        for (String name : List.of("", ".", "..", "/etc", "../shm/" + place.name(), place.name() + "/", "/dev/shm/" + place.name(),
                place.name() + "\0", place.name().substring(0, place.name().length() - 1),
                "eyewall-ring-1-1-00000000000000000000000000000000", "x".repeat(100_000))) {
            offer(name);
        }
        offer(place.name()); // It has no file yet.
        assertEquals(List.of(), List.copyOf(log.lines()));
        assertTrue(Files.isDirectory(place.ring().getParent()));
    }

    @Test
    void shouldGoOnOverTheNetworkWhenItCannotMapTheRing() throws Exception {
        for (int i = 0; i < CONNECTIONS; i += 5) {
            offerWhatCannotBeMapped();
        }
        assertLines("Cannot map the ring of the worker at .*, number \\d+ by now, so its frames come over the network\\. Run all workers of"
            + " this topology as the same user and with the same version, or set topology.transfer.shared.memory to off\\.");
    }

    private void offerWhatCannotBeMapped() throws Exception {
        RingPlace empty = place();
        Files.createFile(empty.ring());
        offer(empty.name());
        RingPlace noPowerOfTwo = place();
        Files.write(noPowerOfTwo.ring(), new byte[HEAD_BYTES + CAPACITY_BYTES - 1]);
        offer(noPowerOfTwo.name());
        RingPlace garbage = place();
        Files.write(garbage.ring(), new byte[HEAD_BYTES + CAPACITY_BYTES]);
        offer(garbage.name());
        RingPlace open = place();
        SharedRing.create(open.ring(), CAPACITY_BYTES).close();
        Files.setPosixFilePermissions(open.ring().getParent(), PosixFilePermissions.fromString("rwxr-xr-x"));
        offer(open.name());
        RingPlace link = place();
        Files.createSymbolicLink(link.ring(), garbage.ring());
        offer(link.name());
    }

    @Test
    void shouldGoOnOverTheNetworkWhenItCannotReachTheDoorbell() throws Exception {
        for (int i = 0; i < CONNECTIONS; i++) {
            RingPlace place = place();
            SharedRing ring = SharedRing.create(place.ring(), CAPACITY_BYTES);
            offer(place.name());
            assertFalse(ring.isAttached());
            assertFalse(Files.exists(place.ring().getParent()), "nothing is left");
            ring.close();
        }
        assertLines("Cannot reach the doorbell of the worker at .*, number \\d+ by now, so its frames come over the network\\. Let this"
            + " worker open more files \\(ulimit -n\\) if it has reached its limit, or set topology.transfer.shared.memory to off\\.");
    }

    /** There is a line for each doubling of the number of such offers in this process, and no other. */
    private void assertLines(String pattern) {
        assertTrue(log.lines().size() >= 1 && log.lines().size() < CONNECTIONS / 4, log.lines()::toString);
        for (String line : log.lines()) {
            assertTrue(line.matches(pattern), line);
        }
    }

    private RingPlace place() throws IOException {
        RingPlace place = RingPlace.create(RingPlace.SHARED_MEMORY);
        folders.add(place.ring().getParent());
        return place;
    }

    /** Offers that on a connection of its own, with the end of its messages over the network, and expects a tuple behind it. */
    private void offer(String name) throws Exception {
        try (Socket stranger = new Socket(InetAddress.getLoopbackAddress(), worker.getPort())) {
            stranger.setSoTimeout((int) TimeUnit.SECONDS.toMillis(DEADLINE_SECS));
            assertTrue(stranger.getInputStream().read() >= 0, "the worker announces what it takes");
            byte[] offer = WorkerPortFuzzTest.message(RingSender.OFFER_TASK, name.getBytes(StandardCharsets.US_ASCII));
            byte[] frame = WorkerPortFuzzTest.message(FrameMessage.TASK, TOPOLOGY.frame(TASK, TOPOLOGY.tuple(name)));
            for (int i = 0; i < REPETITIONS; i++) {
                stranger.getOutputStream().write(offer);
                stranger.getOutputStream().write(frame);
                AddressedTuple tuple = arrived.poll(DEADLINE_SECS, TimeUnit.SECONDS);
                assertNotNull(tuple, "the connection goes on");
                assertEquals(name, tuple.getTuple().getValue(0));
            }
            stranger.getOutputStream().write(WorkerPortFuzzTest.message(RingSender.SWITCH_TASK, new byte[0]));
            stranger.getOutputStream().write(frame);
            assertNotNull(arrived.poll(DEADLINE_SECS, TimeUnit.SECONDS), "a switch to no ring is none");
        }
    }
}
