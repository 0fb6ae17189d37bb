package io.eyewall.client.frame;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.seam.TupleLimit;
import io.eyewall.client.substitute.LoggedDrops;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.apache.storm.Config;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.serialization.KryoTupleDeserializer;
import org.apache.storm.serialization.KryoTupleSerializer;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.MessageId;
import org.apache.storm.tuple.TupleImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutgoingFramesTest {

    private static final FrameTopology TOPOLOGY = new FrameTopology(Map.of(Config.TOPOLOGY_FALL_BACK_ON_JAVA_SERIALIZATION, true));
    private static final int FRAME_BYTES = 200;
    private static final int CAPACITY = 3;
    private static final int STEPS = 20_000;
    private static final int SOURCES = 4;
    private static final int TASKS = 6;
    private static final List<NodeInfo> PLACES = List.of(place(1), place(2), place(3));

    private final Waiting queue = new Waiting();
    private final Map<NodeInfo, IConnection> connections = new HashMap<>();
    private final List<Delivery> delivered = new ArrayList<>();
    private final KryoTupleSerializer serializer = new KryoTupleSerializer(TOPOLOGY.conf, TOPOLOGY.context);
    private int byThemselves;
    private Map<Integer, NodeInfo> homes = homes(PLACES.get(0), PLACES.get(1));
    private final OutgoingFrames frames = new OutgoingFrames(() -> homes, FrameTopology.TASKS, queue, new FramePool(FRAME_BYTES, 4),
        () -> TOPOLOGY.splitter(new LoggedDrops()), one -> one instanceof Collector peer && peer.reads,
        message -> byThemselves++);

    OutgoingFramesTest() {
        PLACES.forEach(place -> connections.put(place, new Collector(place, true)));
    }

    @Test
    void shouldSendTheTuplesOfATaskToAWorkerInOneFrameAndGiveItOnePlaceInTheQueue() {
        assertEquals(OutgoingFrames.Offer.TAKEN, offer(1, 1, "a"));
        assertEquals(OutgoingFrames.Offer.TAKEN, offer(1, 3, "b"));
        assertEquals(OutgoingFrames.Offer.TAKEN, offer(1, 1, BigInteger.TEN));
        assertEquals(1, queue.lanes.size());
        assertEquals(3, send());
        assertEquals(1, collector(PLACES.get(1)).messages);
        assertEquals(List.of("a", "b", "10"), delivered.stream().map(tuple -> tuple.value().toString()).toList());
        assertEquals(0, send());
    }

    @Test
    void shouldRefuseATupleAndKeepNothingOfItWhenTheQueueIsFull() {
        for (int source = 1; source <= CAPACITY; source++) {
            assertEquals(OutgoingFrames.Offer.TAKEN, offer(source, 1, source));
        }
        assertEquals(OutgoingFrames.Offer.REFUSED, offer(CAPACITY + 1, 1, "no"));
        assertEquals(OutgoingFrames.Offer.TAKEN, offer(1, 1, "of a lane in the queue"));
        send();
        assertEquals(OutgoingFrames.Offer.TAKEN, offer(CAPACITY + 1, 1, "now"));
        send();
        assertEquals(CAPACITY + 2, delivered.size());
        assertFalse(delivered.stream().anyMatch(tuple -> tuple.value().equals("no")));
    }

    @Test
    void shouldRefuseTuplesForAFullFrameAndHurryTheSendingThreadBefore() {
        int taken = 0;
        while (offer(1, 1, "0123456789") == OutgoingFrames.Offer.TAKEN) {
            taken++;
        }
        assertEquals(1, queue.hurried);
        assertTrue(taken * 11 >= FRAME_BYTES - 30, "taken: " + taken);
        assertEquals(taken, send());
        assertEquals(OutgoingFrames.Offer.TAKEN, offer(1, 1, "0123456789"));
    }

    @Test
    void shouldLeaveToUpstreamWhatHasNoLane() {
        assertEquals(OutgoingFrames.Offer.NO_LANE, offer(1, TASKS + 1, "to a task without a home"));
        TupleImpl ofTheSystem = new TupleImpl(TOPOLOGY.context, List.of(1), "words", -1, "default", MessageId.makeUnanchored());
        assertEquals(OutgoingFrames.Offer.NO_LANE, frames.offer(new AddressedTuple(1, ofTheSystem), TOPOLOGY.writer()));
        assertEquals(0, queue.lanes.size());
    }

    @Test
    void shouldSendAMessageForEachTupleToAWorkerThatReadsNoFrames() {
        collector(PLACES.get(1)).reads = false;
        offer(1, 1, "a");
        offer(1, 3, "b");
        send();
        assertEquals(2, collector(PLACES.get(1)).messages);
        assertEquals(List.of("a", "b"), delivered.stream().map(Delivery::value).toList());
    }

    @Test
    void shouldSendByTheHomesOfNowWhenATaskHasMovedSinceAndKeepTheOrder() {
        offer(1, 1, "a");
        offer(1, 3, "b");
        homes = with(1, PLACES.get(2));
        assertEquals(OutgoingFrames.Offer.REFUSED, offer(1, 1, "c"), "the earlier ones have to leave first");
        send();
        assertEquals(OutgoingFrames.Offer.TAKEN, offer(1, 1, "c"));
        send();
        assertEquals(List.of(new Delivery(1, 1, PLACES.get(2), "a"), new Delivery(1, 3, PLACES.get(1), "b"),
            new Delivery(1, 1, PLACES.get(2), "c")), delivered);
    }

    /** What another thread does while a serializer of the topology's runs, the serializer does here. */
    @Test
    void shouldKeepTheOrderOfAThreadThatSerializesWhileTheHomesChangeAndAnotherThreadEmits() {
        List<Object> first = new ArrayList<>(List.of(BigInteger.ONE)) {
            @Override
            public Iterator<Object> iterator() {
                if (homes.get(2).equals(PLACES.get(0))) {
                    homes = with(2, PLACES.get(2));
                    assertEquals(OutgoingFrames.Offer.TAKEN, offer(1, 1, "of the other thread"));
                }
                return super.iterator();
            }
        };
        FrameWriter own = new FrameWriter(TOPOLOGY.conf, TOPOLOGY.context, null, TupleLimit.NONE);
        OutgoingFrames.Offer offer = frames.offer(withValues(1, 1, first), own);
        if (offer == OutgoingFrames.Offer.REFUSED) { // Then it is offered again, as after any refusal.
            offer = frames.offer(withValues(1, 1, first), own);
        }
        assertEquals(OutgoingFrames.Offer.TAKEN, offer);
        assertEquals(OutgoingFrames.Offer.TAKEN, offer(1, 1, "second"));
        send();
        assertEquals(List.of("of the other thread", "1", "second"), delivered.stream().map(tuple -> tuple.value().toString()).toList());
    }

    @Test
    void shouldGoOnWithItsLanesWhenTheHomesAreReadAgain() {
        offer(1, 1, "a");
        homes = new HashMap<>(homes);
        assertEquals(OutgoingFrames.Offer.TAKEN, offer(1, 1, "b"));
        send();
        assertEquals(1, collector(PLACES.get(1)).messages);
    }

    @Test
    void shouldKeepTheOrderOfMessagesAndFrames() {
        offer(1, 1, "in a frame");
        assertEquals(OutgoingFrames.Offer.TAKEN, frames.offer(1, new TaskMessage(1, upstreams(1, "as a message"))));
        offer(1, 1, "in another frame");
        assertEquals(1, queue.lanes.size());
        assertEquals(3, send());
        assertEquals(3, collector(PLACES.get(1)).messages);
        assertEquals(1, byThemselves);
        assertEquals(List.of("in a frame", "as a message", "in another frame"), delivered.stream().map(Delivery::value).toList());
    }

    @Test
    void shouldHaveTheFrameAsItWasWhenATupleCannotBeSerialized() {
        offer(1, 1, "a");
        assertThrows(RuntimeException.class, () -> offer(1, 1, new Object[] {Thread.currentThread()}));
        assertThrows(RuntimeException.class, () -> offer(2, 1, new Object[] {Thread.currentThread()}));
        offer(1, 1, "b");
        send();
        assertEquals(List.of("a", "b"), delivered.stream().map(Delivery::value).toList());
    }

    /** Emitters, the sending thread, rebalances and reconnections take turns at random; the values of each task count up. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldBringEachTupleThatItTookOnceInOrderAndToItsHome(long seed) {
        Random random = new Random(seed);
        int[] counts = new int[SOURCES + 1];
        int refused = 0;
        int split = 0;
        for (int step = 0; step < STEPS; step++) {
            int source = 1 + random.nextInt(SOURCES);
            switch (random.nextInt(40)) {
                case 0, 1, 2, 3 -> send();
                case 4 -> homes = random.nextBoolean() ? new HashMap<>(homes)
                    : with(1 + random.nextInt(TASKS), PLACES.get(random.nextInt(PLACES.size())));
                case 5 -> {
                    Collector peer = collector(PLACES.get(random.nextInt(PLACES.size())));
                    peer.reads = !peer.reads;
                    split += peer.reads ? 0 : 1;
                }
                default -> {
                    Object value = random.nextInt(5) == 0 ? BigInteger.valueOf(counts[source]) : counts[source];
                    int task = 1 + random.nextInt(TASKS);
                    OutgoingFrames.Offer offer = random.nextInt(10) == 0
                        ? frames.offer(source, new TaskMessage(task, upstreams(source, value))) : offer(source, task, value);
                    if (offer == OutgoingFrames.Offer.TAKEN) {
                        counts[source]++;
                    } else {
                        refused++;
                    }
                }
            }
        }
        send();
        assertTrue(refused > 0 && split > 0, () -> "nothing to see");
        assertEquals(Arrays.stream(counts).sum(), delivered.size());
        Map<List<Integer>, Integer> last = new HashMap<>();
        for (Delivery tuple : delivered) {
            int value = Integer.parseInt(tuple.value().toString());
            Integer before = last.put(List.of(tuple.source(), tuple.task()), value);
            assertTrue(before == null || before < value, () -> tuple + " came behind " + before);
        }
    }

    /** Two threads emit as the same task and as two, while a third one sends. */
    @Test
    void shouldBringEachTupleOnceWhenThreadsShareALane() throws Exception {
        BlockingQueue<Object> shared = new ArrayBlockingQueue<>(2);
        OutgoingFrames threads = new OutgoingFrames(() -> homes, FrameTopology.TASKS, new OutgoingFrames.Queue() {
            @Override
            public boolean tryPublish(Object lane) {
                return shared.offer(lane);
            }

            @Override
            public void hurry() {
                // The sending thread never waits.
            }
        }, new FramePool(FRAME_BYTES, 4), () -> TOPOLOGY.splitter(new LoggedDrops()), connection -> true,
            message -> { });
        List<Thread> emitters = List.of(emitter(threads, 0, 2), emitter(threads, 1, 2));
        emitters.forEach(Thread::start);
        while (emitters.stream().anyMatch(Thread::isAlive) || !shared.isEmpty()) {
            Object lane = shared.poll();
            if (lane != null) {
                threads.take(lane);
                threads.send(homes, connections, true);
            }
        }
        for (int first : List.of(0, 1)) {
            assertEquals(STEPS / 2, delivered.stream().filter(tuple -> (int) tuple.value() % 2 == first).count());
            int next = first;
            for (Delivery tuple : delivered) {
                if ((int) tuple.value() % 2 == first) {
                    assertEquals(next, tuple.value());
                    next += 2;
                }
            }
        }
    }

    private static Thread emitter(OutgoingFrames frames, int first, int step) {
        FrameWriter writer = new FrameWriter(TOPOLOGY.conf, TOPOLOGY.context, null, TupleLimit.NONE);
        return new Thread(() -> {
            for (int i = first; i < STEPS; i += step) {
                AddressedTuple tuple = tuple(1, 1, i);
                while (frames.offer(tuple, writer) != OutgoingFrames.Offer.TAKEN) {
                    Thread.onSpinWait();
                }
            }
        });
    }

    private OutgoingFrames.Offer offer(int source, int task, Object value) {
        return frames.offer(tuple(source, task, value), TOPOLOGY.writer());
    }

    private static AddressedTuple tuple(int source, int task, Object value) {
        return withValues(source, task, new ArrayList<>(List.of(value)));
    }

    private static AddressedTuple withValues(int source, int task, List<Object> values) {
        return new AddressedTuple(task, new TupleImpl(TOPOLOGY.context, values, "words", source, "default", MessageId.makeUnanchored()));
    }

    private byte[] upstreams(int source, Object value) {
        return serializer.serialize(tuple(source, 1, value).getTuple());
    }

    private int send() {
        while (!queue.lanes.isEmpty()) {
            frames.take(queue.lanes.remove());
        }
        return frames.send(homes, connections, true);
    }

    private Collector collector(NodeInfo place) {
        return (Collector) connections.get(place);
    }

    private Map<Integer, NodeInfo> with(int task, NodeInfo place) {
        Map<Integer, NodeInfo> next = new HashMap<>(homes);
        next.put(task, place);
        return next;
    }

    private static Map<Integer, NodeInfo> homes(NodeInfo even, NodeInfo odd) {
        Map<Integer, NodeInfo> homes = new HashMap<>();
        for (int task = 1; task <= TASKS; task++) {
            homes.put(task, task % 2 == 0 ? even : odd);
        }
        return homes;
    }

    private static NodeInfo place(long port) {
        return new NodeInfo("node", Set.of(port));
    }

    /** A tuple that came to a place. */
    private record Delivery(int source, int task, NodeInfo place, Object value) {
    }

    /** A short transfer queue. */
    private static final class Waiting implements OutgoingFrames.Queue {
        private final Deque<Object> lanes = new ArrayDeque<>();
        private int hurried;

        @Override
        public boolean tryPublish(Object lane) {
            return lanes.size() < CAPACITY && lanes.add(lane);
        }

        @Override
        public void hurry() {
            hurried++;
        }
    }

    /** The other end of a connection: reads frames, or messages only. */
    private final class Collector implements SendingConnection {
        private final NodeInfo place;
        private boolean reads;
        private int messages;
        private final KryoTupleDeserializer deserializer = new KryoTupleDeserializer(TOPOLOGY.conf, TOPOLOGY.context);

        Collector(NodeInfo place, boolean reads) {
            this.place = place;
            this.reads = reads;
        }

        @Override
        public void send(Iterator<TaskMessage> sent) {
            sent.forEachRemaining(message -> {
                messages++;
                try {
                    List<AddressedTuple> tuples = message instanceof FrameMessage ? TOPOLOGY.read(message.message())
                        : List.of(new AddressedTuple(message.task(), deserializer.deserialize(message.message())));
                    tuples.forEach(tuple -> delivered.add(new Delivery(tuple.getTuple().getSourceTask(), tuple.getDest(), place,
                        tuple.getTuple().getValue(0))));
                    tuples.forEach(tuple -> assertEquals(place, homes.get(tuple.getDest())));
                    assertTrue(reads || !(message instanceof FrameMessage), "a frame for a worker that reads none");
                } catch (FrameException e) {
                    throw new AssertionError(e);
                }
            });
        }

        @Override
        public int getPort() {
            return place.get_port_iterator().next().intValue();
        }

        @Override
        public void close() {
            // There is nothing to close.
        }
    }
}
