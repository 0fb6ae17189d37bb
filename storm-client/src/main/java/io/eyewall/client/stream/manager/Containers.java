package io.eyewall.client.stream.manager;

import io.eyewall.client.stream.wire.InstanceStatus;
import io.eyewall.client.stream.wire.StreamWire;
import io.eyewall.client.stream.wire.WireException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.messaging.IContext;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;
import org.apache.storm.shade.io.netty.buffer.ByteBufUtil;
import org.apache.storm.shade.io.netty.buffer.Unpooled;
import org.apache.storm.shade.io.netty.channel.EventLoop;
import org.apache.storm.shade.io.netty.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections to the stream managers of other containers, over the messaging transport that the cluster is configured with: Netty, with
 * its TLS and authentication, or another. Used by the thread of the loop, except where a method says that any thread may call it.
 */
final class Containers implements ContainerForwarder {

    private static final Logger LOG = LoggerFactory.getLogger(Containers.class);

    /** More than that need not wait for a network, and comes too late to be stopped if its instance is full then. */
    private static final long MAX_BYTES = 4L << 20;

    /** A stream manager that has not reported for so long is taken to be unreachable. It reports every second. */
    private static final long SILENT_NS = TimeUnit.SECONDS.toNanos(5);

    private static final int MAX_PORT = 65_535;

    private final NodeInfo self;
    private final String host;
    private final String topologyId;
    private final IContext transport;
    /** Transports set these flags, and nobody reads them: a stream manager learns of back-pressure from {@link InstanceStatus}. */
    private final AtomicBoolean[] flags;
    private final ContainerSenders senders;
    private final Backlog backlog;
    private final Map<NodeInfo, Link> links = new HashMap<>();
    private final Set<ContainerSender> unflushed = new HashSet<>();
    /** Where each other container is, as it reports itself. */
    private final Map<NodeInfo, String> hosts = new HashMap<>();
    /** When each other container has reported last. */
    private final Map<NodeInfo, Long> reportedNs = new HashMap<>();
    private final TasksOfOtherContainers tasksOfOthers = new TasksOfOtherContainers();
    private final DroppedMessages dropped = new DroppedMessages();
    private final AtomicLong refused = new AtomicLong();
    /** How many reports could not be read, which is logged at every doubling. */
    private long unreadable;
    private boolean closed;

    /** The way to a container, and what waits for it. */
    private record Link(ContainerSender sender, Backlog.Destination destination) {

        /** Statuses do not add up while there is no connection: the next one replaces them. */
        void send(byte[] status) {
            if (!sender.isConnecting()) {
                sender.add(new TaskMessage(StreamWire.STATUS_TASK, status));
                sender.flush();
            }
        }
    }

    /**
     * Without connections.
     *
     * @param host where others find this container
     * @param lastTask the highest task of the topology
     * @param senders makes the senders
     */
    Containers(NodeInfo self, String host, String topologyId, IContext transport, int lastTask, ContainerSenders senders,
            Backlog backlog) {
        this.senders = senders;
        this.backlog = backlog;
        this.self = self;
        this.host = host;
        this.topologyId = topologyId;
        this.transport = transport;
        flags = IntStream.rangeClosed(0, lastTask).mapToObj(task -> new AtomicBoolean()).toArray(AtomicBoolean[]::new);
    }

    /** Connects to containers that are new, and disconnects from those that are gone. */
    void follow(Router router) {
        if (closed) { // What was read meanwhile comes too late.
            return;
        }
        Set<NodeInfo> containers = router.otherContainers();
        links.entrySet().removeIf(entry -> {
            boolean isGone = !containers.contains(entry.getKey());
            if (isGone) {
                unflushed.remove(entry.getValue().sender());
                backlog.remove(entry.getValue().destination());
                close(entry.getKey(), entry.getValue());
            }
            return isGone;
        });
        hosts.keySet().retainAll(containers);
        containers.forEach(container -> router.host(container).or(() -> Optional.ofNullable(hosts.get(container))).ifPresent(its ->
            links.computeIfAbsent(container, added -> new Link(
                senders.over(its + "-" + port(container), transport.connect(topologyId, its, port(container), flags)),
                backlog.add(MAX_BYTES, state -> router.full(container, state == Backlog.State.FULL))))));
    }

    /**
     * Sends tuples to the container of their task with the next {@link #flush}. Those for which there is no way are counted. Returns
     * false: their buffer is copied, and still the caller's.
     */
    boolean send(Optional<NodeInfo> container, ByteBuf tuples, PassageProbe.Passage passage, boolean inAnyCase) throws WireException {
        TaskMessage message = StreamWire.forContainer(tuples);
        forward(container, passage == PassageProbe.Passage.UNWATCHED ? message : new WatchedMessage(message, passage), inAnyCase);
        return false;
    }

    @Override
    public void forward(Optional<NodeInfo> container, TaskMessage message, boolean inAnyCase) {
        Link link = container.map(links::get).orElse(null);
        if (link == null) {
            dropped(1, message.task());
        } else if (link.destination().add(message.message().length, inAnyCase)) {
            link.sender().add(message);
            unflushed.add(link.sender());
        } else {
            refused();
        }
    }

    /** Where messages for a container wait. */
    Backlog.Destination destination(NodeInfo container) {
        Link link = links.get(container);
        return link == null ? backlog.unknown() : link.destination();
    }

    /** Sends a status that has changed to all that can take it soon; others get the next {@link #report}. */
    void send(InstanceStatus status) {
        byte[] bytes = bytes(status);
        links.values().stream().filter(link -> !link.destination().isFull()).forEach(link -> link.send(bytes));
    }

    /** Sends a status to one of them. */
    void send(NodeInfo container, InstanceStatus status) {
        Link link = links.get(container);
        if (link != null) {
            link.send(bytes(status));
        }
    }

    /** Sends a status to all, which happens every second. */
    void report(InstanceStatus status) {
        byte[] bytes = bytes(status);
        links.values().forEach(link -> link.send(bytes));
    }

    private byte[] bytes(InstanceStatus status) {
        return bytes(topologyId, self, host, status);
    }

    /** A status of a container, as it goes to others. */
    static byte[] bytes(String topologyId, NodeInfo container, String host, InstanceStatus status) {
        ByteBuf content = Unpooled.buffer();
        write(topologyId, content);
        write(container.get_node(), content);
        content.writeInt(port(container));
        write(host, content);
        status.write(content);
        return ByteBufUtil.getBytes(content);
    }

    private static void write(String text, ByteBuf to) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        to.writeInt(bytes.length).writeBytes(bytes);
    }

    /** Takes a status that another stream manager has sent. One that is not readable is logged. */
    void take(TaskMessage message, Router router, long nowNs) {
        try {
            reported(message, router, nowNs);
        } catch (WireException e) {
            if (Long.bitCount(++unreadable) == 1) {
                LOG.warn("A report of another container is not readable, number {} by now: {}", unreadable, e.getMessage());
            }
        }
    }

    /**
     * Takes a status that another stream manager has sent. One of another topology is left out: its container has sent to the slot before
     * this one had it.
     */
    void reported(TaskMessage message, Router router, long nowNs) throws WireException {
        if (ContainerSender.isAttempt(message)) {
            return;
        }
        ByteBuf content = Unpooled.wrappedBuffer(message.message());
        boolean isOfThisTopology = text(content).equals(topologyId);
        String node = text(content);
        NodeInfo container = new NodeInfo(node, Set.of((long) port(content)));
        String itsHost = text(content);
        InstanceStatus status = InstanceStatus.read(content);
        if (isOfThisTopology && router.reported(container, status)) {
            reportedNs.put(container, nowNs);
            tasksOfOthers.reported(container, status, nowNs);
            if (!itsHost.equals(hosts.put(container, itsHost))) {
                follow(router);
            }
        }
    }

    /** The tasks that may be started here: of which all others know that, and which no other has. */
    Set<Integer> startable(Router router, long nowNs) {
        Set<Integer> startable = new TreeSet<>();
        tasksOfOthers.tasks(router.otherContainers(), nowNs).ifPresent(others -> {
            startable.addAll(router.startable());
            startable.removeAll(others);
        });
        return startable;
    }

    /** Has the router forget the containers that have been silent for too long. */
    void forgetSilent(Router router, long nowNs) {
        reportedNs.entrySet().removeIf(entry -> {
            boolean isSilent = nowNs - entry.getValue() > SILENT_NS;
            if (isSilent) {
                router.lost(entry.getKey());
            }
            return isSilent;
        });
    }

    private static String text(ByteBuf content) throws WireException {
        int length = number(content);
        if (length < 0 || length > content.readableBytes()) {
            throw new WireException("A status of a container that does not say where it comes from.");
        }
        return content.readCharSequence(length, StandardCharsets.UTF_8).toString();
    }

    private static int port(ByteBuf content) throws WireException {
        int port = number(content);
        if (port < 1 || port > MAX_PORT) {
            throw new WireException("A status of a container at port " + port + ", which there is not.");
        }
        return port;
    }

    private static int number(ByteBuf content) throws WireException {
        if (content.readableBytes() < Integer.BYTES) {
            throw new WireException("A status of a container ends before it begins.");
        }
        return content.readInt();
    }

    @Override
    public void flush() {
        unflushed.forEach(ContainerSender::flush);
        unflushed.clear();
    }

    /** Whether the transport has everything that was sent. */
    boolean haveAll() {
        return links.values().stream().allMatch(link -> link.sender().waitingBytes() == 0);
    }

    /** Measures what waits for each container. */
    void measure() {
        links.values().forEach(link -> link.destination().measured(link.sender().waitingBytes()));
    }

    @Override
    public void refused() {
        refused.incrementAndGet();
    }

    /** For how many messages there was no room since the last call; for any thread. */
    long takeRefused() {
        return refused.getAndSet(0);
    }

    /** Counts messages for a task whose instance cannot be reached; for any thread. */
    @Override
    public void dropped(int messages, int task) {
        dropped.add(messages, "task " + task);
    }

    /** The messages that were dropped since the last call; for any thread. */
    Map<String, Long> takeDroppedByTarget() {
        return dropped.take();
    }

    /** How many messages were dropped since the last call; for any thread. */
    long takeDropped() {
        return DroppedMessages.sum(dropped.take());
    }

    /**
     * Closes the connections, and on the loop whatever else has to be closed there. Then it closes the transport, whose threads may be
     * waiting for the loop; so another thread than the loop's has to call this.
     */
    void end(EventLoop loop, Runnable others) throws InterruptedException {
        try {
            Future<?> unused = loop.submit(() -> {
                try {
                    others.run();
                } finally {
                    close();
                }
            }).sync();
        } finally {
            transport.term();
        }
    }

    /** Closes the connections, and makes none any longer. */
    void close() {
        closed = true;
        links.forEach(this::close);
        links.clear();
    }

    private void close(NodeInfo container, Link link) {
        dropped.add(link.sender().close(), "container " + container.get_node() + ":" + port(container));
    }

    private static int port(NodeInfo container) {
        return container.get_port_iterator().next().intValue();
    }
}
