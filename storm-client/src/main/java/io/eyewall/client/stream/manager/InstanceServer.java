package io.eyewall.client.stream.manager;

import io.eyewall.client.stream.manager.PassageProbe.Passage;
import io.eyewall.client.stream.wire.DomainSockets;
import io.eyewall.client.stream.wire.ForwardingSplitter;
import io.eyewall.client.stream.wire.Hello;
import io.eyewall.client.stream.wire.InstanceStatus;
import io.eyewall.client.stream.wire.RingChannel;
import io.eyewall.client.stream.wire.StreamWire;
import io.eyewall.client.stream.wire.WireException;
import io.eyewall.client.time.NanoClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.shade.io.netty.bootstrap.ServerBootstrap;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;
import org.apache.storm.shade.io.netty.buffer.PooledByteBufAllocator;
import org.apache.storm.shade.io.netty.channel.Channel;
import org.apache.storm.shade.io.netty.channel.ChannelFuture;
import org.apache.storm.shade.io.netty.channel.ChannelHandlerContext;
import org.apache.storm.shade.io.netty.channel.ChannelInboundHandlerAdapter;
import org.apache.storm.shade.io.netty.channel.ChannelInitializer;
import org.apache.storm.shade.io.netty.channel.ChannelOption;
import org.apache.storm.shade.io.netty.channel.EventLoop;
import org.apache.storm.shade.io.netty.channel.unix.Errors;
import org.apache.storm.shade.io.netty.util.ReferenceCountUtil;
import org.apache.storm.shade.io.netty.util.concurrent.Future;
import org.apache.storm.shade.io.netty.util.concurrent.GenericFutureListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The socket to which the instances of a container connect, and the way of tuples between them and to other containers. An instance's
 * channel is its socket, or a {@link RingChannel}; both are treated alike.
 *
 * <p>{@link Backlog} counts what waits for instances. {@link Router} turns that into back-pressure and decides which instances are not
 * read because they have sent to one that is full. An instance that sends a large message is not read either until there is room for it.
 * Nobody else waits: not the other instances, and not the threads that bring what other containers send. Those hand it to the loop, which
 * waits for nobody.
 *
 * <p>Everything is done by the loop's thread, except {@link #deliver}.
 */
final class InstanceServer implements RouterOutput {

    private static final Logger LOG = LoggerFactory.getLogger(InstanceServer.class);

    /** How often to look for space while somebody waits for it. */
    private static final long LOOK_MS = 1;

    private final EventLoop loop;
    private final Greetings greetings;
    private final Containers containers;
    private final Backlog backlog;
    private final AbsentInstances absent;
    private final BackPressureCauses held;
    private final LoopGuard guard;
    private final NanoClock clock;
    private final Arrivals arrivals;
    private final Map<Integer, Connection> connections = new HashMap<>();
    private final Map<Integer, Connection> byTask = new HashMap<>();
    private final Set<Channel> unflushed = new HashSet<>();
    private final Door door = new Door();
    private Router router;
    private PassageProbe probe = PassageProbe.NONE;
    private boolean isBackPressureDue;
    private Channel listener;

    /**
     * Does not listen yet.
     *
     * @param secret what instances must have
     * @param containers the way to the other containers
     * @param held is told of the tasks of this container that cause back-pressure
     * @param guard ends the process after a failure
     */
    InstanceServer(EventLoop loop, String secret, Containers containers, Backlog backlog, BackPressureCauses held, LoopGuard guard,
            NanoClock clock) {
        this.guard = guard;
        this.held = held;
        this.clock = clock;
        this.loop = loop;
        greetings = new Greetings(secret);
        this.containers = containers;
        this.backlog = backlog;
        absent = new AbsentInstances(backlog, containers);
        arrivals = new Arrivals(loop, this::take, guard);
    }

    /** Has a probe see what passes; before {@link #listen}. */
    void watch(PassageProbe by) {
        probe = by;
    }

    /**
     * Begins to listen at a path, in a directory that only this user may enter. Messages may wait for long. The pooled allocator reuses
     * the memory of each one, while Netty's default allocator may keep a chunk until all of its messages are gone.
     */
    void listen(Path socket, Router routes) throws IOException, InterruptedException {
        Files.deleteIfExists(socket);
        router = routes;
        listener = new ServerBootstrap().group(loop).channel(DomainSockets.serverType())
            .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT).childHandler(new ChannelInitializer<>() {
                @Override
                protected void initChannel(Channel channel) {
                    greetings.await(channel, InstanceServer.this::connected);
                }
            }).bind(DomainSockets.address(socket)).sync().channel();
    }

    /** An instance has shown who it is. It may have to move by now. It belongs here until it has left. */
    private void connected(Hello hello, Channel channel) {
        Connection connection = new Connection(hello, channel);
        List<Connection> before = connections.values().stream().filter(other -> other.instance == hello.instance()
            || !Collections.disjoint(other.tasks, hello.tasks())).toList();
        before.forEach(Connection::replaced);
        connections.put(hello.instance(), connection);
        hello.tasks().forEach(task -> byTask.put(task, connection));
        LOG.info("Instance {} has connected.", hello.instance());
        router.connected(hello.instance(), hello.tasks());
        // What has waited counts again from the next measurement on.
        hello.tasks().forEach(task -> absent.connected(task, router).forEach(tuples -> connection.write(tuples, Passage.UNWATCHED)));
        flush();
        applyBackPressureSoon();
        channel.pipeline().addLast(connection.gate, connection);
        channel.pipeline().replace(Greetings.SPLITTER, Greetings.SPLITTER, new ForwardingSplitter(connection)); // Passes on what has come.
    }

    /** Closes the socket and all connections. */
    void close() {
        Future<Void> unused = listener.close();
        for (Connection connection : connections.values()) {
            unused = connection.channel.close();
        }
        absent.close();
    }

    /** Handles, once a second, what has waited too long for an instance or for other stream managers. */
    void everySecond() {
        absent.dropOverdue(router, clock.nanoTime());
        router.everySecond();
    }

    /** Sends a status to an instance, if it is connected. */
    @Override
    public void toInstance(int instance, InstanceStatus status) {
        if (connections.containsKey(instance) && connections.get(instance).statuses.send(status)) {
            applyBackPressureSoon();
        }
    }

    @Override
    public void toOthers(InstanceStatus status) {
        containers.send(status);
    }

    @Override
    public void culprits(Set<Integer> tasks) {
        held.changed(tasks, router.ownInstances(), clock.nanoTime());
    }

    @Override
    public void toOther(NodeInfo container, InstanceStatus status) {
        containers.send(container, status);
    }

    @Override
    public void end(int instance) {
        connections.get(instance).end();
    }

    @Override
    public WaitingTuples waiting() {
        return absent;
    }

    @Override
    public void read(int instance, boolean isRead) {
        Optional.ofNullable(connections.get(instance)).ifPresent(connection -> connection.read(isRead));
    }

    /**
     * Takes what another container has sent, tuples and statuses, on a thread of that connection's. It waits for no instance, only until
     * the loop has taken most of what was handed to it before. Messages for which there is no way or no room are counted.
     */
    void deliver(List<TaskMessage> messages) {
        arrivals.add(messages);
    }

    private void take(List<TaskMessage> messages) {
        for (TaskMessage message : messages) {
            Connection connection = byTask.get(message.task());
            if (message.task() == StreamWire.STATUS_TASK) {
                reported(message);
            } else if (Arrivals.bytes(message) < Short.BYTES) {
                containers.dropped(1, message.task()); // Without the task that tuples begin with, the instance would close its connection.
            } else if (connection == null) {
                absent.arrived(message, router, clock.nanoTime());
            } else if (connection.hasRoom(message.message().length, false)) {
                ByteBuf tuples = StreamWire.fromContainer(connection.channel.alloc(), message);
                connection.write(tuples, watched(tuples, true));
            }
            applyBackPressureIfDue();
        }
        flush();
        containers.flush();
        applyBackPressureIfDue();
    }

    private Passage watched(ByteBuf message, boolean fromOtherContainer) {
        return StreamWire.isOfOneTuple(message)
            ? probe.passes(message, message.readerIndex() + StreamWire.TUPLE_AT, fromOtherContainer) : Passage.UNWATCHED;
    }

    private void reported(TaskMessage message) {
        if (Arrivals.bytes(message) > 0) {
            containers.take(message, router, clock.nanoTime());
            absent.follow(router);
        }
    }

    private void flush() {
        unflushed.forEach(Channel::flush);
        unflushed.clear();
    }

    private void applyBackPressureIfDue() {
        if (backlog.isDecisionDue()) {
            flush();
            applyBackPressure();
        }
    }

    /** Measures what waits for whom, and does what follows from it. */
    private void applyBackPressure() {
        for (Connection connection : connections.values()) {
            connection.measure();
        }
        absent.measure();
        containers.measure();
        door.look();
        backlog.decide();
        boolean isAnyLate = false;
        for (Connection connection : connections.values()) {
            isAnyLate |= connection.statuses.isLate();
        }
        if (isAnyLate || !backlog.isCalm() || !door.isEmpty()) {
            applyBackPressureSoon();
        }
    }

    private void applyBackPressureSoon() {
        if (!isBackPressureDue) {
            isBackPressureDue = true;
            Future<?> unused = loop.schedule(guard.guard(() -> {
                isBackPressureDue = false;
                applyBackPressure();
            }), LOOK_MS, TimeUnit.MILLISECONDS);
        }
    }

    /** One instance's connection. */
    private final class Connection extends ChannelInboundHandlerAdapter implements ForwardingSplitter.LargeMessageListener, Door.Sender {

        private final int instance;
        private final Channel channel;
        private final Set<Integer> tasks;
        private final Backlog.Destination destination;
        /** Its large message that is coming, and the task that it is for; null if none is. */
        private Door.LargeMessage large;
        private int largeTarget;
        /** Whether the router has it read. */
        private boolean isRead = true;
        private final Gate gate = new Gate();
        /** Whether it has asked to leave. */
        private boolean hasAsked;
        /** Whether it gets nothing more. */
        private boolean hasAll;
        /** Whether it has sent its last tuple. */
        private boolean hasSentAll;
        private final InstanceStatuses statuses;
        private final Exchange exchange;
        /** Counts what the instance has not taken when its connection ends. */
        private final GenericFutureListener<Future<Void>> written;

        Connection(Hello hello, Channel channel) {
            instance = hello.instance();
            tasks = hello.tasks();
            this.channel = channel;
            destination = backlog.add(Long.MAX_VALUE, state -> {
                router.congested(tasks, state != Backlog.State.FREE);
                router.full(tasks, state == Backlog.State.FULL);
            });
            statuses = new InstanceStatuses(channel);
            exchange = new Exchange(doesRest -> router.rests(tasks, doesRest));
            written = write -> containers.dropped(write.isSuccess() ? 0 : 1, instance);
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object read) throws WireException {
            ByteBuf message = (ByteBuf) read;
            boolean passedOn = false;
            try {
                byte type = StreamWire.type(message);
                if (type == StreamWire.DATA) {
                    passedOn = pass(message);
                } else if (type == StreamWire.STATUS) {
                    InstanceStatus status = InstanceStatus.read(StreamWire.content(message));
                    exchange.reported(status.moves());
                    router.reported(instance, status);
                } else if (type == StreamWire.LEAVE) {
                    leave();
                } else {
                    throw new WireException("A message of type " + type + ", which there is not.");
                }
            } finally {
                if (!passedOn) {
                    ReferenceCountUtil.release(message);
                }
            }
        }

        private void replaced() {
            forget();
            router.disconnected(instance);
            Future<Void> unused = channel.close();
        }

        /** Sends nothing more to it. */
        private void forget() {
            connections.remove(instance);
            byTask.keySet().removeAll(tasks);
            backlog.remove(destination);
        }

        /** The first time the instance wants to leave; the second time it has sent its last tuple. */
        private void leave() {
            if (hasAsked || connections.get(instance) != this) {
                hasSentAll = hasAll;
                Future<Void> unused = channel.close();
                return;
            }
            LOG.info("Instance {} leaves.", instance);
            hasAsked = true;
            router.leaves(instance);
        }

        /** Sends nothing more to the instance, whose tuples wait for another process from now on. */
        private void end() {
            forget();
            hasAll = true;
            read(true);
            Future<Void> unused = channel.writeAndFlush(StreamWire.leave(channel.alloc()));
        }

        void read(boolean shouldRead) {
            isRead = shouldRead;
            channel.config().setAutoRead(isRead && (large == null || !large.isWaiting()));
            gate.open(isRead);
        }

        /** A message that has to wait since its target is full waits without a place at the door. */
        @Override
        public void begins(int messageBytes, int target) {
            sent(target);
            largeTarget = target;
            large = door.begins(messageBytes, this);
            door.look();
            entered();
            if (large.isWaiting()) {
                applyBackPressureSoon();
            }
        }

        @Override
        public boolean isNext() {
            return isRead && gate.isEmpty();
        }

        @Override
        public Backlog.Destination destination() {
            Connection connection = byTask.get(largeTarget);
            return connection != null ? connection.destination
                : router.place(largeTarget).map(containers::destination).orElseGet(() -> absent.destination(largeTarget));
        }

        @Override
        public boolean mustPass() {
            return hasAll || router.mustPass(instance, largeTarget);
        }

        @Override
        public void entered() {
            read(isRead);
        }

        @Override
        public void ends() {
            door.ends(large);
            large = null;
            entered();
        }

        private void sent(int target) {
            if (!hasAll) {
                router.sent(instance, target);
            }
        }

        /** Passes tuples on; returns whether the buffer was passed on with them. */
        private boolean pass(ByteBuf message) throws WireException {
            int target = StreamWire.target(message);
            exchange.goesOn();
            sent(target);
            boolean inAnyCase = !hasAll && !router.mustPass(instance, target);
            Passage passage = watched(message, false);
            Connection connection = byTask.get(target);
            if (connection != null) {
                boolean hasRoom = connection.hasRoom(message.readableBytes(), inAnyCase);
                if (hasRoom) {
                    connection.write(message, passage);
                }
                return hasRoom;
            }
            return router.place(target).isPresent() ? containers.send(router.place(target), message, passage, inAnyCase)
                : absent.offer(instance, target, message, inAnyCase, router, clock.nanoTime());
        }

        /** Whether a message may be written to it, which counts from now on; else it is counted as dropped. */
        private boolean hasRoom(int bytes, boolean inAnyCase) {
            boolean hasRoom = destination.add(bytes, inAnyCase);
            if (!hasRoom) {
                containers.refused();
            }
            return hasRoom;
        }

        private void write(ByteBuf tuples, Passage passage) {
            exchange.handed();
            ChannelFuture write = channel.write(tuples).addListener(written);
            if (passage != Passage.UNWATCHED) {
                Future<?> unused = write.addListener(its -> {
                    if (its.isSuccess()) {
                        passage.left();
                    }
                });
            }
            unflushed.add(channel);
        }

        private void measure() {
            destination.measured(statuses.waitingBytes());
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            flush();
            containers.flush();
            applyBackPressureIfDue();
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (large != null) {
                ends();
            }
            if (hasSentAll) {
                LOG.info("Instance {} has left.", instance);
                router.left(instance, tasks);
            } else if (hasAll && !connections.containsKey(instance)) {
                LOG.warn("Instance {} has disconnected before it had sent all that it had. Tuples that it still had are lost, unless spouts"
                    + " emit them again.", instance);
                router.disconnected(instance); // Its process may run on: others must not start its tasks before it has ended.
            } else if (connections.get(instance) == this) {
                LOG.info("Instance {} has disconnected.", instance);
                forget();
                router.disconnected(instance);
            }
        }

        /** The socket of a process that has ended may report an error. That is no reason to warn. */
        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            if (cause instanceof Errors.NativeIoException) {
                Future<Void> unused = context.close();
            } else {
                greetings.refuse(channel, "instance " + instance, cause.toString());
            }
        }
    }
}
