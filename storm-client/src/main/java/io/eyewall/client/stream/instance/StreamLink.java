package io.eyewall.client.stream.instance;

import io.eyewall.client.engine.FullQueueWaitStrategy;
import io.eyewall.client.engine.SpaceSignal;
import io.eyewall.client.frame.FrameCarrier;
import io.eyewall.client.stream.wire.DomainSockets;
import io.eyewall.client.stream.wire.InstanceStatus;
import io.eyewall.client.stream.wire.Introduction;
import io.eyewall.client.stream.wire.Moves;
import io.eyewall.client.stream.wire.StreamWire;
import io.eyewall.client.stream.wire.WireException;
import io.eyewall.client.time.NanoClock;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.storm.grouping.Load;
import org.apache.storm.messaging.ConnectionWithStatus;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.IConnectionCallback;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.apache.storm.policy.IWaitStrategy;
import org.apache.storm.shade.io.netty.bootstrap.Bootstrap;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;
import org.apache.storm.shade.io.netty.channel.Channel;
import org.apache.storm.shade.io.netty.channel.ChannelFuture;
import org.apache.storm.shade.io.netty.channel.ChannelFutureListener;
import org.apache.storm.shade.io.netty.channel.ChannelHandlerContext;
import org.apache.storm.shade.io.netty.channel.ChannelInitializer;
import org.apache.storm.shade.io.netty.channel.ChannelOption;
import org.apache.storm.shade.io.netty.channel.EventLoopGroup;
import org.apache.storm.shade.io.netty.channel.SimpleChannelInboundHandler;
import org.apache.storm.shade.io.netty.channel.WriteBufferWaterMark;
import org.apache.storm.shade.io.netty.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An instance's connection to the stream manager of its container: a socket, or rings in shared memory that have taken its place. If it
 * breaks, the instance connects again. Until then it holds its tuples back; tuples that were on their way are lost, and time out. The
 * gateway thread reads and writes.
 *
 * <p>While a queue of this instance is too full, and back-pressure stops only spouts, nothing is read, so that tuples wait in the
 * connection and at the stream manager, and not in the heap. This instance needs no message of that time for its own progress, with two
 * exceptions. Its bolts are prepared when all tasks to which they send can be reached, so it reads until it knows that they can. And it
 * holds all its tuples back while it is not connected, so it reads the first status of each connection, which says where to send again.
 * When it leaves, it reads all that is left. Where back-pressure stops the senders of an executor, the instance continues to read: it must
 * learn when it may send again itself.
 */
final class StreamLink {

    private static final Logger LOG = LoggerFactory.getLogger(StreamLink.class);

    private static final long RECONNECT_MS = 50;
    /** How long an instance that leaves waits for a stream manager. */
    private static final long LEAVES_WITHOUT_MS = 10_000;
    /** How long an instance that ends waits for its stream manager to read what it has sent. */
    private static final long FLUSH_MS = 500;
    /** How much waits in the process before a sender waits for space. */
    private static final WriteBufferWaterMark FULL = new WriteBufferWaterMark(128 * 1024, 256 * 1024);

    private final EventLoopGroup loops;
    private final Path socket;
    private final Introduction introduction;
    private final IWaitStrategy fullWait;
    /** How the gateway thread waits: it continues to read and write. */
    private final IWaitStrategy loopWait = new FullQueueWaitStrategy();
    private final boolean pausesWhenHeld;
    private final NanoClock clock;

    // Written by the gateway thread, except the flags.
    /** The socket, or the rings that have taken its place; null while there is none. */
    private volatile Channel channel;
    private volatile boolean closed;
    /** What the stream manager said last. */
    private volatile InstanceStatus status = InstanceStatus.NONE;
    private final Map<Integer, Double> loads = new ConcurrentHashMap<>();
    /** The tasks of the container by the assignment, and those of them that can be reached. */
    private Set<Integer> assigned = Set.of();
    private volatile Set<Integer> slotTasks = Set.of();
    /** The own tasks that cannot keep up. */
    private volatile Set<Integer> held = Set.of();
    /** The tasks to which this instance sends, and of which no stream manager has said so far that they can be reached. */
    private final Set<Integer> awaited = new HashSet<>();
    /** Whether no status has come over the current connection so far. */
    private boolean isStatusDue;
    /** By task, whether this instance holds tuples for it back; null before the first connection. */
    private volatile AtomicBoolean[] flags;

    /** How many messages with tuples the executors' queues have got, and how many of them before the current connection. */
    private volatile long taken;
    private long takenBefore;

    /** Reached when nothing more comes, since this instance leaves. */
    private final CountDownLatch last = new CountDownLatch(1);
    private volatile boolean leaves;

    private IConnectionCallback received;
    private Supplier<Object> firstStatus;
    private final LostMessages lost;

    StreamLink(EventLoopGroup loops, Path socket, Introduction introduction, Map<String, Object> topologyConf, boolean pausesWhenHeld,
            NanoClock clock) {
        this.loops = loops;
        this.socket = socket;
        this.introduction = introduction;
        this.pausesWhenHeld = pausesWhenHeld;
        this.clock = clock;
        lost = new LostMessages(clock);
        fullWait = IWaitStrategy.createBackPressureWaitStrategy(topologyConf);
    }

    /** Begins to connect. The receiving end reports to the stream manager. */
    IConnection start(IConnectionCallback callback, int port, Supplier<Object> newConnectionResponse) {
        received = callback;
        firstStatus = newConnectionResponse;
        connect();
        return new ReceivingEnd(this, port);
    }

    /** The connection to a task. */
    IConnection connection(int task, AtomicBoolean[] remoteBackPressure) {
        flags = remoteBackPressure;
        loops.execute(() -> {
            if (!status.tasks().contains(task)) {
                awaited.add(task);
            }
            hold();
            readOrPause();
        });
        return new TaskConnection(task);
    }

    /**
     * Has the stream manager send nothing more, and returns when everything has come that it had sent. From then on no tuple is held back.
     * If there is no connection, it waits for one for some time: a stream manager that has died is started again.
     *
     * @return false if there is no connection by then, or none any more
     */
    boolean leave() throws InterruptedException {
        awaitChannel();
        leaves = true;
        Channel current = channel; // One that breaks from now on ends the wait below.
        if (current == null) {
            return false;
        }
        loops.execute(this::readOrPause);
        Future<Void> unused = current.writeAndFlush(StreamWire.leave(current.alloc()));
        last.await();
        return channel == current;
    }

    private void awaitChannel() throws InterruptedException {
        long untilNs = clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LEAVES_WITHOUT_MS);
        while (channel == null && !closed && clock.nanoTime() - untilNs < 0) {
            TimeUnit.MILLISECONDS.sleep(RECONNECT_MS);
        }
    }

    /** Whether no instance of these tasks sends any longer, and all that they have sent is here or at the stream manager. */
    boolean haveLeft(Set<Integer> tasks) {
        InstanceStatus now = status;
        return !now.tasks().isEmpty() && !now.hasAny(tasks); // Its own tasks are there, once anything is known.
    }

    /** How many messages with tuples the executors' queues have got. */
    long taken() {
        return taken;
    }

    /**
     * Reports behind all that was sent, if this instance is connected, that it had nothing to do.
     *
     * @param task one of its own
     * @param executed what {@link #taken} had returned before it was found to have nothing to do
     */
    void reportRest(int task, long executed) {
        loops.execute(() -> {
            if (executed >= takenBefore) {
                report(Moves.ofRest(task, executed - takenBefore), Map.of());
            }
        });
    }

    /** Whether no tuple is left in the loop of bolts to which an own task belongs. */
    boolean hasLoopEnded(int task) {
        return status.moves().resting().containsKey(task);
    }

    /** Returns when the stream manager has everything that was sent. */
    void left() throws InterruptedException {
        Channel current = channel;
        if (current != null) {
            Future<Void> unused = current.writeAndFlush(StreamWire.leave(current.alloc()));
            unused = current.closeFuture().await();
        }
    }

    /** Closes the connection when all that was sent has been written, or after {@value #FLUSH_MS} ms. Not on the gateway thread. */
    void close() {
        closed = true;
        Channel current = channel;
        if (current != null) {
            current.writeAndFlush(StreamWire.message(current.alloc(), new InstanceStatus(Set.of(), held, Map.of())))
                .awaitUninterruptibly(FLUSH_MS);
            Future<Void> unused = current.close();
        }
    }

    private void connect() {
        ChannelFuture attempt = new Bootstrap().group(loops).channel(DomainSockets.clientType())
            .option(ChannelOption.WRITE_BUFFER_WATER_MARK, FULL).handler(new ChannelInitializer<>() {
                @Override
                protected void initChannel(Channel made) {
                    introduction.to(made.pipeline(), StreamLink.this::begin, StreamLink.this::reconnect);
                }
            }).connect(DomainSockets.address(socket));
        Future<Void> unused = attempt.addListener((ChannelFutureListener) done -> {
            if (!done.isSuccess()) {
                reconnect();
            }
        });
    }

    /** The stream manager knows this instance by now, or will before anything else that this channel carries. */
    private void begin(Channel made) {
        made.pipeline().addLast(new Reader());
        held = ReceivingEnd.held(firstStatus.get());
        isStatusDue = true;
        takenBefore = taken;
        channel = made;
        if (closed) { // While it connected.
            Future<Void> unused = made.close();
        } else {
            report(Moves.NONE, Map.of());
        }
    }

    private void reconnect() {
        if (!closed && !leaves) {
            Future<?> unused = loops.schedule(this::connect, RECONNECT_MS, TimeUnit.MILLISECONDS);
        }
    }

    /** Sends to a task. The calling thread is the gateway's, or the one that has its place. */
    private void send(int task, Iterator<TaskMessage> messages) {
        Channel current = channel;
        while (messages.hasNext()) {
            TaskMessage message = messages.next();
            if (!StreamWire.fits(message)) {
                lost.tooLong(message);
            } else if (current == null || !awaitSpace(current)) {
                lost.unconnected();
            } else {
                Future<?> unused = current.write(StreamWire.message(current.alloc(), task, message));
            }
        }
        if (current != null) {
            current.flush();
        }
    }

    private boolean awaitSpace(Channel current) {
        try {
            int idle = 0;
            while (!current.isWritable() && current.isActive()) {
                if (idle == 0) {
                    current.flush();
                }
                idle = (current.eventLoop().inEventLoop() ? loopWait : fullWait).idle(idle);
            }
            return current.isActive();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    boolean isConnected() {
        return channel != null;
    }

    /** Reports loads of own tasks to the stream manager. For any thread. */
    void reportSoon(Map<Integer, Double> taskLoads) {
        loops.execute(() -> report(Moves.NONE, taskLoads));
    }

    /** Reports the own tasks that cannot keep up. For any thread. */
    void reportSoon(Set<Integer> now) {
        loops.execute(() -> {
            held = now;
            report(Moves.NONE, Map.of());
        });
    }

    /** Reports to the stream manager, on the gateway thread. */
    private void report(Moves moves, Map<Integer, Double> newLoads) {
        Channel current = channel;
        if (current != null) {
            InstanceStatus next = new InstanceStatus(Set.of(), moves, held, Set.of(), newLoads);
            Future<Void> unused = current.writeAndFlush(StreamWire.message(current.alloc(), next));
            readOrPause();
        }
    }

    /** Reads what comes, or lets it wait; on the gateway thread. */
    private void readOrPause() {
        Channel current = channel;
        if (current != null) {
            current.config().setAutoRead(!pausesWhenHeld || held.isEmpty() || !awaited.isEmpty() || isStatusDue || leaves);
        }
    }

    /** The assignment gives these tasks to the container. */
    void slotHas(Set<Integer> tasks) {
        loops.execute(() -> {
            assigned = tasks;
            followSlot();
        });
    }

    /** The tasks of the container that can be reached: the same object until they change. For any thread. */
    Set<Integer> slotTasks() {
        return slotTasks;
    }

    /** One that is assigned and has not started, or leaves another container first, does not count. On the gateway thread. */
    private void followSlot() {
        Set<Integer> reachable = status.tasks();
        Set<Integer> now = assigned.stream().filter(reachable::contains).collect(Collectors.toUnmodifiableSet());
        if (!now.equals(slotTasks)) {
            slotTasks = now;
        }
    }

    /** Applies back-pressure to own tuples, to all of them while no stream manager is there to come. On the gateway thread. */
    private void hold() {
        AtomicBoolean[] byTask = flags;
        if (byTask != null) {
            for (int task = 0; task < byTask.length; task++) {
                byTask[task].set((channel == null && !leaves) || status.held().contains(task));
            }
        }
    }

    /** What comes from the stream manager; on the gateway thread. */
    private final class Reader extends SimpleChannelInboundHandler<ByteBuf> {

        private List<TaskMessage> batch = new ArrayList<>();

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf message) throws WireException {
            byte type = StreamWire.type(message);
            if (type == StreamWire.DATA) {
                batch.add(StreamWire.tuples(message));
            } else if (type == StreamWire.STATUS) {
                InstanceStatus next = InstanceStatus.read(StreamWire.content(message));
                status = next;
                loads.putAll(next.loads());
                hold();
                followSlot();
                boolean wasDue = isStatusDue;
                isStatusDue = false;
                if (awaited.removeAll(next.tasks()) || wasDue) {
                    readOrPause();
                }
            } else if (type == StreamWire.LEAVE) {
                receiveBatch();
                status = InstanceStatus.NONE;
                hold();
                last.countDown();
            } else {
                throw new WireException("The stream manager has sent a message of type " + type + ", which there is not.");
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            receiveBatch();
            SpaceSignal.ofOtherWorkers().signal();
        }

        private void receiveBatch() {
            if (!batch.isEmpty()) {
                List<TaskMessage> complete = batch;
                batch = new ArrayList<>();
                receive(complete);
                long now = taken + complete.size();
                taken = now;
            }
        }

        /**
         * An executor may just have left this instance. Bytes that are no frame close the connection: their exception is not a runtime
         * exception.
         */
        private void receive(List<TaskMessage> complete) {
            try {
                received.recv(complete);
            } catch (RuntimeException e) {
                LOG.warn("Dropping {} messages with tuples that this instance cannot take", complete.size(), e);
            }
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            SpaceSignal.ofOtherWorkers().signal();
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (channel == context.channel()) {
                channel = null;
                status = InstanceStatus.NONE;
                hold();
            }
            if (!closed && !leaves) {
                LOG.warn("The connection to the stream manager is closed. Connecting again.");
            }
            if (leaves) {
                last.countDown();
            }
            reconnect();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            LOG.warn("Closing the connection to the stream manager", cause);
            Future<Void> unused = context.close();
        }
    }

    /** The way to one task of another instance. */
    private final class TaskConnection extends ConnectionWithStatus implements FrameCarrier {

        private final int task;

        TaskConnection(int task) {
            this.task = task;
        }

        @Override
        public void sendLoadMetrics(Map<Integer, Double> taskLoads) {
            throw new UnsupportedOperationException("Loads go to the senders, not to the receivers");
        }

        @Override
        public void sendBackPressureStatus(BackPressureStatus report) {
            throw new UnsupportedOperationException("Back-pressure goes to the senders, not to the receivers");
        }

        @Override
        public void send(Iterator<TaskMessage> messages) {
            StreamLink.this.send(task, messages);
        }

        /** The load of the executor whose first task it is; Storm's groupings look for no others. */
        @Override
        public Map<Integer, Load> getLoad(Collection<Integer> tasks) {
            Map<Integer, Load> known = new HashMap<>();
            Double load = loads.get(task);
            if (load != null && tasks.contains(task)) {
                known.put(task, new Load(true, load, 0));
            }
            return known;
        }

        @Override
        public int getPort() {
            return 0;
        }

        @Override
        public Status status() {
            if (closed) {
                return Status.Closed;
            }
            return channel != null && status.tasks().contains(task) ? Status.Ready : Status.Connecting;
        }

        @Override
        public void close() {
            // All connections share the socket.
        }
    }
}
