package io.eyewall.client.frame;

import io.eyewall.client.engine.NettyLoops;
import io.eyewall.client.ring.RingPlace;
import io.eyewall.client.seam.ClientLoops;
import io.eyewall.client.seam.Receivers;
import io.eyewall.client.substitute.LoggedDrops;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.messaging.ConnectionWithStatus;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.apache.storm.messaging.netty.Client;
import org.apache.storm.messaging.netty.Context;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.tuple.AddressedTuple;

/** The transport of a worker that sends consecutive numbers in frames, or receives them; also as a process of its own. */
final class Numbers implements AutoCloseable {

    private static final FrameTopology TOPOLOGY = new FrameTopology(Map.of());
    private static final int TASK = 1;
    /** In front of what a process says, between what is logged. */
    static final String SAYS = "> ";
    private static final NodeInfo PLACE = new NodeInfo("node", Set.of(1L));
    private static final Map<Integer, NodeInfo> HOMES = Map.of(TASK, PLACE);
    private static final int BATCH = 50;
    private static final int SLOW = 1_000;
    private static final long SOON_NS = TimeUnit.MICROSECONDS.toNanos(50);

    private final Context context = new Context();
    private final List<Object> lanes = new ArrayList<>();
    private final OutgoingFrames frames = new OutgoingFrames(() -> HOMES, FrameTopology.TASKS, new OutgoingFrames.Queue() {
        @Override
        public boolean tryPublish(Object lane) {
            return lanes.add(lane);
        }

        @Override
        public void hurry() {
            // The caller sends.
        }
    }, new FramePool(1_024, 2), () -> TOPOLOGY.splitter(new LoggedDrops()), Client.class::isInstance, message -> { });
    private int sent;
    private IConnection connection;
    /** The first and the last number since {@link #expectAnew}; -1 before. Written by the connection's thread. */
    private volatile int first = -1;
    private volatile int last = -1;
    /** What was out of order; null for nothing. */
    private volatile String defect;

    private Numbers() {
        context.prepare(TOPOLOGY.conf, new StormMetricRegistry());
    }

    /** A worker that receives. */
    static Numbers receiver(int port) {
        Numbers numbers = new Numbers();
        FramedMessages queues = new FramedMessages(TOPOLOGY.conf, TOPOLOGY.context, tuples -> tuples.forEach(numbers::arrived), () -> null,
            FrameWires.NONE, false, new LoggedDrops());
        Receivers.Request announcing = FramedMessages.announcing(new Receivers.Request(null, "topology", port, queues,
            () -> new BackPressureStatus("worker", new ArrayList<>(), new ArrayList<>())), true);
        numbers.connection = numbers.context.bind("topology", port, queues, announcing.newConnectionResponse());
        return numbers;
    }

    /** A worker that sends. */
    static Numbers sender(int port) {
        return sender(port, RingPlace.SHARED_MEMORY);
    }

    /** A worker that sends, and makes rings in a folder. */
    private static Numbers sender(int port, Path memory) {
        Numbers numbers = new Numbers();
        numbers.frames.shareMemory();
        ((NettyLoops) ((ClientLoops) numbers.context).getWorkerEventLoopGroup()).carryFrames(memory);
        numbers.connection = numbers.context.connect("topology", "127.0.0.1", port, new AtomicBoolean[] {null, new AtomicBoolean()});
        return numbers;
    }

    private void arrived(AddressedTuple tuple) {
        int number = (int) tuple.getTuple().getValue(0);
        if (first < 0) {
            first = number;
        } else if (number != last + 1 && defect == null) {
            defect = number + " after " + last;
        }
        last = number;
    }

    void awaitConnection() {
        while (((ConnectionWithStatus) connection).status() != ConnectionWithStatus.Status.Ready) {
            LockSupport.parkNanos(SOON_NS);
        }
    }

    /** Waits for the connection, and for the ring. Sends meanwhile. */
    void awaitRing() {
        awaitConnection();
        while (!frames.allRingsHaveSpace()) {
            send(1);
            LockSupport.parkNanos(SOON_NS);
        }
    }

    /** Sends the next numbers, and waits while the ring is full. */
    void send(int count) {
        for (int i = 0; i < count; i += BATCH) {
            while (!frames.catchUp()) {
                LockSupport.parkNanos(SOON_NS);
            }
            for (int j = i; j < Math.min(i + BATCH, count); j++) {
                if (frames.offer(new AddressedTuple(TASK, TOPOLOGY.tuple(sent++)), TOPOLOGY.writer()) != OutgoingFrames.Offer.TAKEN) {
                    throw new AssertionError("There is space.");
                }
            }
            lanes.forEach(frames::take);
            lanes.clear();
            frames.send(HOMES, Map.of(PLACE, connection), true);
        }
    }

    boolean isInRing() {
        return frames.allRingsHaveSpace();
    }

    int sent() {
        return sent;
    }

    int port() {
        return connection.getPort();
    }

    int first() {
        return first;
    }

    int last() {
        return last;
    }

    String defect() {
        return defect;
    }

    /** What comes next is of another sender, or over another connection. */
    void expectAnew() {
        first = -1;
    }

    @Override
    public void close() {
        while (!frames.catchUp()) {
            LockSupport.parkNanos(SOON_NS);
        }
        connection.close();
        context.term();
    }

    /**
     * A process of its own, which writes what {@link #say} says. {@code send PORT COUNT} sends so many numbers when it has a ring, and for
     * ever if it is 0; {@code network PORT COUNT FOLDER} does not wait for a ring, and makes it in that folder; {@code receive PORT} says
     * its port, and for each line that it reads the first and the last number and what was wrong.
     */
    public static void main(String... arguments) throws IOException {
        int port = Integer.parseInt(arguments[1]);
        if (arguments[0].equals("receive")) {
            Numbers numbers = receiver(port);
            say(numbers.port());
            BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            while (lines.readLine() != null) {
                say(numbers.first + " " + numbers.last + " " + numbers.defect);
            }
            System.exit(0);
        }
        int count = Integer.parseInt(arguments[2]);
        Numbers numbers = sender(port, arguments[0].equals("network") ? Path.of(arguments[3]) : RingPlace.SHARED_MEMORY);
        numbers.awaitConnection();
        if (arguments[0].equals("send")) {
            numbers.awaitRing();
            say("ring");
        }
        for (int i = 0; i < SLOW; i++) { // Until long after both ends have agreed on frames.
            numbers.send(1);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        do {
            numbers.send(count == 0 ? BATCH : count);
        } while (count == 0);
        say(numbers.sent + " " + numbers.isInRing());
        numbers.close();
        System.exit(0);
    }

    private static void say(Object what) {
        System.out.println(SAYS + what);
    }
}
