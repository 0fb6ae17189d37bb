package io.eyewall.client.stream.instance;

import io.eyewall.client.engine.NettyLoops;
import io.eyewall.client.ring.RingPlace;
import io.eyewall.client.seam.ClientLoops;
import io.eyewall.client.seam.DrainableTransport;
import io.eyewall.client.seam.LocalEndpoint;
import io.eyewall.client.seam.TupleLimit;
import io.eyewall.client.stream.StreamConfiguration;
import io.eyewall.client.stream.plan.Instance;
import io.eyewall.client.stream.plan.InstancePlan;
import io.eyewall.client.stream.slot.ParentContainer.Leave;
import io.eyewall.client.stream.slot.ProcessFile;
import io.eyewall.client.stream.wire.Introduction;
import io.eyewall.client.stream.wire.StreamWire;
import io.eyewall.client.time.NanoClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.IConnectionCallback;
import org.apache.storm.shade.io.netty.channel.EventLoopGroup;
import org.apache.storm.shade.io.netty.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The messaging of an instance. All of its connections, to whatever instance, are one to the stream manager of its container, and one
 * thread: the gateway. It also runs the instance's transfer.
 */
final class StreamTransport implements DrainableTransport, ClientLoops, LocalEndpoint {

    private static final Logger LOG = LoggerFactory.getLogger(StreamTransport.class);
    private static final long LOOK_MS = 5;
    /** An instance in a loop says each time that it has nothing to do. */
    private static final long LOOP_LOOK_MS = 20;

    private final Path socket;
    private final Instance instance;
    private final String secret;
    private final Path directory;
    private final boolean sharesMemory;
    private NettyLoops loops;
    private StreamLink link;
    /** Null until the worker has started. */
    private volatile Drain drain;
    /** The tasks that send to this instance, and those of them in its container. Written when the assignment is read, on any thread. */
    private volatile Set<Integer> senders = Set.of();
    private volatile Set<Integer> slotSenders = Set.of();
    /** Whether tuples of this instance can lead to tuples for it. Written with these. */
    private volatile boolean isInLoop;

    /**
     * Leads to the stream manager that listens at {@code socket}; {@code instance} is what this process runs, {@code secret} what its
     * container has given to it, and {@code directory} where the container reads what this process says. If it {@code sharesMemory},
     * everything goes through rings where there is memory for them.
     */
    StreamTransport(Path socket, Instance instance, String secret, Path directory, boolean sharesMemory) {
        this.sharesMemory = sharesMemory;
        this.directory = directory;
        this.socket = socket;
        this.instance = instance;
        this.secret = secret;
    }

    @Override
    @SuppressWarnings("deprecation") // The other form has metrics of connections, of which an instance has one.
    public void prepare(Map<String, Object> topologyConf) {
        loops = new NettyLoops(1, work -> {
            Thread thread = new Thread(work, "gateway");
            thread.setDaemon(true);
            return thread;
        });
        Introduction introduction = new Introduction(instance.id(), Set.copyOf(instance.tasks()), secret,
            sharesMemory ? Optional.of(RingPlace.SHARED_MEMORY) : Optional.empty());
        link = new StreamLink(loops, socket, introduction, topologyConf, !new StreamConfiguration(topologyConf).holdsStages(),
            NanoClock.SYSTEM);
    }

    @Override
    public IConnection bind(String topologyId, int port, IConnectionCallback received, Supplier<Object> newConnectionResponse) {
        return link.start(received, port, newConnectionResponse);
    }

    /** A connection to the task with that {@linkplain InstancePlan#PORT_OFFSET port}. */
    @Override
    public IConnection connect(String topologyId, String host, int port, AtomicBoolean[] remoteBackPressure) {
        return link.connection(port - InstancePlan.PORT_OFFSET, remoteBackPressure);
    }

    @Override
    public EventLoopGroup getWorkerEventLoopGroup() {
        return loops;
    }

    @Override
    public void servesAt(int port) {
        try {
            ProcessFile.write(directory.resolve(ProcessFile.FIGURES_PORT), String.valueOf(port));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write where this instance serves its figures, which its container reads", e);
        }
    }

    @Override
    public String carrier() {
        return "the stream manager";
    }

    @Override
    public TupleLimit tupleLimit() {
        return new TupleLimit(StreamWire.MAX_TUPLE_BYTES, "a stream manager", "set topology.worker.mode to worker");
    }

    @Override
    public void drainedBy(Drain by) {
        drain = by;
    }

    /**
     * The assignment has been read, by which these are the tasks of the container, and those of the topology that send to this instance
     * and do not get its tuples; on any thread.
     *
     * @param isLoop whether tuples of this instance can lead to tuples for it
     */
    void isAssigned(Set<Integer> inSlot, Set<Integer> toThis, boolean isLoop) {
        isInLoop = isLoop;
        Set<Integer> sendersOfSlot = new HashSet<>(toThis);
        sendersOfSlot.retainAll(inSlot);
        senders = toThis;
        slotSenders = Set.copyOf(sendersOfSlot);
        link.slotHas(inSlot);
    }

    @Override
    public Set<Integer> slotTasks() {
        return link.slotTasks();
    }

    /**
     * Has the instance do all that it has to do. Spouts get the acks of their messages before that. When its container stops, it also waits
     * for those that send to it, and for the loop of bolts that it is in. Then the stream manager sends nothing more, and everything that
     * has come is executed and sent. It ends early if there is no stream manager, and none comes for some time. The container does not wait
     * for ever.
     *
     * @param when what the container asks for, which may change
     */
    void leave(Supplier<Leave> when) throws InterruptedException {
        Drain executors = drain;
        if (executors == null) {
            LOG.info("This instance leaves, and has no executors that could do anything before.");
            return;
        }
        executors.stopSpouts(() -> when.get() != Leave.BEHIND_CONTAINER);
        awaitOthers(when, executors);
        if (!link.leave()) {
            LOG.warn("There is no stream manager, so this instance ends without it.");
            return;
        }
        int lost = executors.end();
        link.left();
        if (lost > 0) {
            LOG.warn("This instance has ended, and {} tuples could neither be executed nor sent.", lost);
        } else {
            LOG.info("This instance has executed and sent all that it had.");
        }
    }

    private void awaitOthers(Supplier<Leave> when, Drain executors) throws InterruptedException {
        while (!mayLeave(when.get(), executors)) {
            TimeUnit.MILLISECONDS.sleep(isInLoop ? LOOP_LOOK_MS : LOOK_MS);
        }
    }

    private boolean mayLeave(Leave when, Drain executors) {
        return switch (when) {
            case NOW -> true;
            case BEHIND_ALL -> link.haveLeft(senders) && (!isInLoop || hasLoopEnded(executors));
            case BEHIND_CONTAINER -> link.haveLeft(slotSenders);
        };
    }

    /** Whether nothing is left in the loop of bolts that this instance is in. If not, says whether it has something to do itself. */
    private boolean hasLoopEnded(Drain executors) {
        long executed = link.taken(); // Before the look at the executors, so that they have got at least these.
        boolean hasEnded = link.hasLoopEnded(instance.id());
        if (!hasEnded && executors.areAtRest()) {
            link.reportRest(instance.id(), executed);
        }
        return hasEnded;
    }

    @Override
    public void term() {
        link.close();
        Future<?> unused = loops.shutdownGracefully();
    }
}
