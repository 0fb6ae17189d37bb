package io.eyewall.client.frame;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.ring.RingPlace;
import io.eyewall.client.ring.SharedRing;
import io.eyewall.client.seam.ConnectionCounters;
import io.eyewall.client.substitute.LoggedDrops;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.tuple.AddressedTuple;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which way the frames of a thread take that must not wait, while workers with rings and without come and go. */
class RingLinksTest {

    private static final FrameTopology TOPOLOGY = new FrameTopology(Map.of());
    private static final NodeInfo NEAR = new NodeInfo("node", Set.of(1L));
    private static final NodeInfo FAR = new NodeInfo("node", Set.of(2L));

    @TempDir
    private Path folder;
    private final Deque<Object> lanes = new ArrayDeque<>();
    private Map<Integer, NodeInfo> homes = Map.of(1, NEAR, 2, FAR);
    private final Connection near = new Connection();
    private final Connection far = new Connection();
    private final Map<NodeInfo, IConnection> connections = new HashMap<>(Map.of(NEAR, near));
    private final OutgoingFrames frames = new OutgoingFrames(() -> homes, FrameTopology.TASKS, new OutgoingFrames.Queue() {
        @Override
        public boolean tryPublish(Object lane) {
            return lanes.add(lane);
        }

        @Override
        public void hurry() {
            // The test sends.
        }
    }, new FramePool(1_024, 2), () -> TOPOLOGY.splitter(new LoggedDrops()), connection -> true, message -> { });

    @BeforeEach
    void switchToRing() throws IOException {
        frames.shareMemory();
        offer(1);
        assertEquals(1, send(true));
        near.makeRing();
        offer(1);
        assertEquals(1, send(true));
        assertTrue(frames.allRingsHaveSpace());
        near.sent.clear();
    }

    @AfterEach
    void close() throws IOException {
        near.close();
        far.close();
    }

    @Test
    void shouldSendIntoRingsWithoutWaiting() {
        offer(1);
        assertEquals(1, send(false));
        assertFalse(frames.hasTaken());
        assertEquals(List.of(), near.sent);
    }

    @Test
    void shouldLeaveAConnectionThatWasAddedToTheThreadThatMayWait() {
        connections.put(FAR, far);
        offer(1);
        offer(2);
        assertTrue(frames.allRingsHaveSpace(), "nothing was sent over the new connection yet");
        assertEquals(0, send(false));
        assertEquals(List.of(), far.sent);
        assertTrue(frames.hasTaken());

        offer(2);
        assertEquals(0, send(false), "what comes later does not overtake it");
        assertEquals(List.of(), far.sent);

        assertEquals(3, send(true));
        assertFalse(frames.hasTaken());
        assertEquals(1, far.frames());
        assertEquals(List.of(), near.sent);
        assertFalse(frames.allRingsHaveSpace());
        offer(1);
        assertEquals(1, send(false), "the other ring still takes what is for it");
    }

    @Test
    void shouldLeaveAConnectionWhoseRingHasEndedToTheThreadThatMayWait() {
        offer(1);
        near.ring.close();
        assertEquals(0, send(false));
        assertEquals(List.of(), near.sent);
        assertEquals(1, send(true));
        assertEquals(1, near.frames());
    }

    @Test
    void shouldLeaveFramesThatMustBeSplitToTheThreadThatMayWait() {
        connections.put(FAR, far);
        offer(1);
        homes = Map.of(1, FAR, 2, NEAR);
        assertEquals(0, send(false));
        assertEquals(1, send(true));
        assertEquals(1, far.sent.stream().filter(message -> !(message instanceof RingRequest)).count());
    }

    @Test
    void shouldLeaveMessagesToAWorkerWithoutARingToTheThreadThatMayWait() {
        connections.put(FAR, far);
        frames.take(new TaskMessage(2, new byte[1]));
        assertEquals(0, send(false));
        frames.take(new TaskMessage(1, new byte[1]));
        assertEquals(0, send(false));
        assertEquals(2, send(true));
    }

    @Test
    void shouldAskAChannelOnceItHasTheRequestAndTheNextOneAgain() {
        connections.put(FAR, far);
        for (int i = 0; i < 3; i++) {
            offer(2);
            send(true);
        }
        assertEquals(3, far.requests(), "no channel has got one");
        RingRequest request = far.request();
        FrameGate first = new FrameGate(folder);
        request.hold(first);
        offer(2);
        send(true);
        assertEquals(3, far.requests());

        FrameGate second = new FrameGate(folder);
        request.hold(second);
        request.release(first);
        offer(2);
        send(true);
        assertEquals(3, far.requests(), "the first one ends late");
        request.release(second);
        offer(2);
        send(true);
        assertEquals(4, far.requests());
        assertEquals(6, far.frames());
    }

    private void offer(int task) {
        assertEquals(OutgoingFrames.Offer.TAKEN, frames.offer(new AddressedTuple(task, TOPOLOGY.tuple(7)), TOPOLOGY.writer()));
    }

    private int send(boolean mayWait) {
        while (!lanes.isEmpty()) {
            frames.take(lanes.remove());
        }
        return frames.send(homes, connections, mayWait);
    }

    /** A connection as Storm's Netty transport has it, and the other worker's end of its ring. */
    private final class Connection implements SendingConnection, ConnectionCounters, RingSender.Owner {

        private final AtomicInteger messagesSent = new AtomicInteger();
        private final AtomicInteger messagesLost = new AtomicInteger();
        private final AtomicLong pendingMessages = new AtomicLong();
        private final List<TaskMessage> sent = new ArrayList<>();
        private RingSender ring;
        private SharedRing reader;
        private SocketChannel bell;

        void makeRing() throws IOException {
            ring = RingSender.create(folder, this, this);
            RingPlace place = RingPlace.find(folder, new String(ring.offer().message(), StandardCharsets.US_ASCII)).orElseThrow();
            reader = SharedRing.open(place.ring());
            bell = SocketChannel.open(UnixDomainSocketAddress.of(place.bell()));
            reader.attach();
            FrameGate gate = new FrameGate(folder);
            request().hold(gate);
            request().answer(gate, ring);
        }

        RingRequest request() {
            return (RingRequest) sent.stream().filter(RingRequest.class::isInstance).findFirst().orElseThrow();
        }

        long requests() {
            return sent.stream().filter(RingRequest.class::isInstance).count();
        }

        long frames() {
            return sent.stream().filter(FrameMessage.class::isInstance).count();
        }

        @Override
        public void send(Iterator<TaskMessage> messages) {
            messages.forEachRemaining(sent::add);
        }

        @Override
        public AtomicInteger getMessagesSent() {
            return messagesSent;
        }

        @Override
        public AtomicInteger getMessagesLost() {
            return messagesLost;
        }

        @Override
        public AtomicLong getPendingMessages() {
            return pendingMessages;
        }

        @Override
        public void broken() {
            throw new AssertionError("The reader is there.");
        }

        @Override
        public void behind(BooleanSupplier catchesUp) {
            throw new AssertionError("There is space.");
        }

        @Override
        public int getPort() {
            return 0;
        }

        @Override
        public void close() {
            try {
                if (ring != null) {
                    ring.close();
                    bell.close();
                    reader.close();
                }
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }
}
