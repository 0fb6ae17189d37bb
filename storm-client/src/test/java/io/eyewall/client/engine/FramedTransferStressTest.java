package io.eyewall.client.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eyewall.client.frame.FrameWires;
import io.eyewall.client.frame.FramedMessages;
import io.eyewall.client.seam.ClientLoops;
import io.eyewall.client.seam.ForwardingReceiver;
import io.eyewall.client.seam.Receivers;
import io.eyewall.client.seam.woven.SeamEntry;
import io.eyewall.client.seam.woven.WovenCalls;
import io.eyewall.client.substitute.LoggedDrops;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.daemon.worker.BareWorker;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.messaging.ConnectionWithStatus;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.apache.storm.messaging.netty.Context;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.serialization.KryoTupleSerializer;
import org.apache.storm.shade.io.netty.channel.epoll.Epoll;
import org.apache.storm.task.WorkerTopologyContext;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.MessageId;
import org.apache.storm.tuple.TupleImpl;
import org.apache.storm.utils.Utils;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Several threads emit, and one of them or the loop sends: whoever has the lock. Each source counts up, and the receiving worker counts
 * what comes of each.
 */
@Timeout(300)
class FramedTransferStressTest {

    private static final int SOURCES = 4;
    private static final int DESTINATION = SOURCES + 1;
    private static final int OTHER_DESTINATION = SOURCES + 2;
    private static final int ROUNDS = 400;
    private static final int ROUNDS_OF_BOTH = 100;
    /** So few tuples that emitting threads find the queue empty, and so many that they find that the loop had better nap. */
    private static final List<Integer> TUPLES_OF_A_ROUND = List.of(1, 2, 300);
    private static final int MANY_TUPLES = 3_000;
    /** The loop has raised its flag after that. */
    private static final long QUIET_NS = TimeUnit.MILLISECONDS.toNanos(3);
    /** The loop looks by itself so much later. */
    private static final long LOOKS_BY_ITSELF_NS = TimeUnit.MILLISECONDS.toNanos(90);
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final NodeInfo PLACE = new NodeInfo("node", Set.of(1L));
    private static final NodeInfo OTHER_PLACE = new NodeInfo("node", Set.of(2L));

    private final Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
    private final Context sending = new Context();
    private final List<Context> receiving = new ArrayList<>();
    private final ExecutorService emitters = Executors.newFixedThreadPool(SOURCES);
    /** How many each source has emitted; written by its thread. */
    private final AtomicIntegerArray emitted = new AtomicIntegerArray(SOURCES + 1);
    /** The number that each source is expected to bring next; written by the thread that receives. */
    private final AtomicIntegerArray next = new AtomicIntegerArray(SOURCES + 1);
    private final Queue<String> defects = new ConcurrentLinkedQueue<>();
    /** Whether numbers may be left out, since a connection has ended. */
    private volatile boolean mayLose;
    private BareWorker worker;
    private WorkerTopologyContext context;
    private FramedTransfer transfer;
    private IConnection connection;
    private Utils.SmartThread thread;
    /** Of the worker that receives. */
    private int port;

    @BeforeEach
    void start() {
        assumeTrue(Epoll.isAvailable(), () -> "no native epoll: " + Epoll.unavailabilityCause());
        conf.put(EngineConfiguration.SHARED_MEMORY, EngineConfiguration.AUTO);
        conf.put(EngineConfiguration.HOT_REBALANCE, false);
        sending.prepare(conf, new StormMetricRegistry());
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("words", new TestWordSpout(), OTHER_DESTINATION);
        StormTopology topology = builder.createTopology();
        Map<Integer, String> components = new HashMap<>();
        for (int task = 1; task <= OTHER_DESTINATION; task++) {
            components.put(task, "words");
        }
        worker = new BareWorker(conf, sending, topology, components,
            Map.of(DESTINATION, PLACE, OTHER_DESTINATION, OTHER_PLACE));
        SeamEntry.open(worker.state(), conf, Set.of());
        context = worker.state().getWorkerTopologyContext();
        transfer = assertInstanceOf(FramedTransfer.class, WovenCalls.workerTransfer(worker.state(), conf, OTHER_DESTINATION));
        connection = connect(receive(0));
        worker.connect(Map.of(PLACE, connection));
        thread = transfer.makeTransferThread();
    }

    @AfterEach
    void end() throws InterruptedException {
        emitters.shutdownNow();
        if (thread != null) {
            thread.interrupt();
            thread.join();
            SeamEntry.close(worker.state());
            receiving.parallelStream().forEach(Context::term);
            sending.term();
        }
    }

    @Test
    void shouldSendEachTupleInOrderWhoeverSendsAndWakeTheLoopForEach() throws Exception {
        awaitRing();
        Random random = new Random(7);
        int late = 0;
        for (int round = 0; round < ROUNDS; round++) {
            long beginNs = System.nanoTime();
            emitAll(TUPLES_OF_A_ROUND.get(round % TUPLES_OF_A_ROUND.size()), random.nextLong());
            awaitAll();
            late += System.nanoTime() - beginNs > LOOKS_BY_ITSELF_NS ? 1 : 0;
            LockSupport.parkNanos(random.nextInt(4) == 0 ? 0 : QUIET_NS);
        }
        assertEquals(List.of(), List.copyOf(defects));
        assertTrue(late < ROUNDS / 10, late + " rounds ended only when the loop looked by itself");
        Awaitility.await().atMost(DEADLINE).until(transfer::hasSentAll);
    }

    /** Nor may an executor wait there if it has begun to send before the connection was added. */
    @Test
    void shouldHaveTheLoopSendOverAConnectionThatWasAddedAndHasNoRing() throws Exception {
        awaitRing();
        Queue<Thread> senders = new ConcurrentLinkedQueue<>();
        Map<NodeInfo, IConnection> both = new HashMap<>(Map.of(OTHER_PLACE, new ForwardingReceiver(null) {
            @Override
            public void send(Iterator<TaskMessage> messages) {
                messages.forEachRemaining(message -> senders.add(Thread.currentThread()));
            }
        }));
        both.put(PLACE, connection);
        worker.connect(both);
        KryoTupleSerializer serializer = new KryoTupleSerializer(conf, context);
        for (int round = 0; round < ROUNDS_OF_BOTH; round++) {
            emit(1, 1);
            TupleImpl tuple = new TupleImpl(context, new ArrayList<>(List.of(round)), "words", 1, "default", MessageId.makeUnanchored());
            assertTrue(transfer.tryTransferRemote(new AddressedTuple(OTHER_DESTINATION, tuple), null, serializer));
            emit(1, 1);
            awaitAll();
            int sent = round + 1;
            Awaitility.await().atMost(DEADLINE).pollInSameThread().pollInterval(Duration.ofNanos(50_000))
                .until(() -> senders.size() == sent);
            LockSupport.parkNanos(QUIET_NS);
        }
        TransferLoop loop = TransferLoop.only(((ClientLoops) sending).getWorkerEventLoopGroup()).orElseThrow();
        assertEquals(Set.of(loop.submit(Thread::currentThread).get()), Set.copyOf(senders));
        assertTrue(transfer.allRingsHaveSpace(), "the emitting thread goes on to send into the ring");
        assertEquals(List.of(), List.copyOf(defects));
    }

    @Test
    void shouldGoOnInOrderWhenTheRingEndsWhileThreadsEmit() throws Exception {
        awaitRing();
        Random random = new Random(11);
        for (int round = 0; round < 3; round++) {
            emitAll(MANY_TUPLES, random.nextLong());
            awaitAll();
            mayLose = true;
            AtomicBoolean goesOn = new AtomicBoolean(true);
            List<Future<?>> emitting = new ArrayList<>();
            for (int source = 1; source <= SOURCES; source++) {
                int from = source;
                long seed = random.nextLong();
                emitting.add(emitters.submit(() -> {
                    Random own = new Random(seed);
                    while (goesOn.get()) {
                        emit(from, 1 + own.nextInt(20));
                        LockSupport.parkNanos(own.nextInt(1_000_000));
                    }
                    return null;
                }));
            }
            receiving.remove(0).term();
            receive(port);
            int[] before = numbers(emitted);
            Awaitility.await().atMost(DEADLINE).until(() -> {
                for (int source = 1; source <= SOURCES; source++) {
                    if (next.get(source) <= before[source]) {
                        return false;
                    }
                }
                return true;
            });
            goesOn.set(false);
            for (Future<?> each : emitting) {
                each.get();
            }
            awaitAll();
            mayLose = false;
            awaitRing();
        }
        assertEquals(List.of(), List.copyOf(defects));
    }

    private static int[] numbers(AtomicIntegerArray array) {
        int[] copy = new int[array.length()];
        for (int i = 0; i < copy.length; i++) {
            copy[i] = array.get(i);
        }
        return copy;
    }

    /** Emits until emitting threads may send. */
    private void awaitRing() throws Exception {
        long deadlineNs = System.nanoTime() + DEADLINE.toNanos();
        while (!transfer.allRingsHaveSpace()) {
            assertTrue(System.nanoTime() < deadlineNs, "there is no ring");
            emit(1, 1);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        awaitAll();
    }

    /** Has each source emit so many, each on its thread, with pauses of its own. */
    private void emitAll(int tuples, long seed) throws Exception {
        Random random = new Random(seed);
        List<Future<?>> emitting = new ArrayList<>();
        for (int source = 1; source <= SOURCES; source++) {
            int from = source;
            long pauseNs = random.nextInt(50_000);
            emitting.add(emitters.submit(() -> {
                spin(pauseNs);
                emit(from, tuples);
                return null;
            }));
        }
        for (Future<?> each : emitting) {
            each.get();
        }
    }

    private static void spin(long ns) {
        long untilNs = System.nanoTime() + ns;
        while (System.nanoTime() < untilNs) {
            Thread.onSpinWait();
        }
    }

    /** On the thread of that source, or while it rests. */
    private void emit(int source, int tuples) {
        KryoTupleSerializer serializer = new KryoTupleSerializer(conf, context);
        for (int i = 0; i < tuples; i++) {
            TupleImpl tuple = new TupleImpl(context, new ArrayList<>(List.of(emitted.get(source))), "words", source, "default",
                MessageId.makeUnanchored());
            while (!transfer.tryTransferRemote(new AddressedTuple(DESTINATION, tuple), null, serializer)) {
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(50));
            }
            emitted.incrementAndGet(source);
        }
    }

    private void awaitAll() {
        Awaitility.await().atMost(DEADLINE).pollInSameThread().pollInterval(Duration.ofNanos(50_000)).until(() -> {
            for (int source = 1; source <= SOURCES; source++) {
                if (next.get(source) != emitted.get(source)) {
                    return false;
                }
            }
            return true;
        });
    }

    /** Binds a worker that counts; returns its port. */
    private int receive(int at) {
        Context own = new Context();
        own.prepare(conf, new StormMetricRegistry());
        receiving.add(own);
        FramedMessages counting = new FramedMessages(conf, context, tuples -> tuples.forEach(this::arrived), () -> null,
            FrameWires.NONE, false, new LoggedDrops());
        Receivers.Request announcing = FramedMessages.announcing(new Receivers.Request(null, "topology", at, counting,
            () -> new BackPressureStatus("worker", new ArrayList<>(), new ArrayList<>())), true);
        port = own.bind("topology", at, counting, announcing.newConnectionResponse()).getPort();
        return port;
    }

    private void arrived(AddressedTuple tuple) {
        int source = tuple.getTuple().getSourceTask();
        int number = (int) tuple.getTuple().getValue(0);
        int expected = next.get(source);
        if (number < expected || (number > expected && !mayLose)) {
            defects.add(number + " of source " + source + " in place of " + expected);
        }
        next.set(source, number + 1);
    }

    private IConnection connect(int port) {
        AtomicBoolean[] flags = new AtomicBoolean[OTHER_DESTINATION + 1];
        for (int task = 0; task < flags.length; task++) {
            flags[task] = new AtomicBoolean();
        }
        IConnection client = sending.connect("topology", "127.0.0.1", port, flags);
        Awaitility.await().atMost(DEADLINE).until(() -> ((ConnectionWithStatus) client).status() == ConnectionWithStatus.Status.Ready);
        assertTrue(TransferLoop.only(((ClientLoops) sending).getWorkerEventLoopGroup()).isPresent(), "a single loop sends");
        return client;
    }
}
