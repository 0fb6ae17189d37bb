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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.messaging.IContext;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;
import org.apache.storm.shade.io.netty.buffer.ByteBufUtil;
import org.apache.storm.shade.io.netty.buffer.Unpooled;

/**
 * The connections to the stream managers of other containers, over the messaging transport that the cluster is configured with: Netty, with
 * its TLS and authentication, or another. Used by the thread of the loop, except where a method says that any thread may call it.
 */
final class Containers {

    private final NodeInfo self;
    private final String topologyId;
    private final IContext transport;
    /** Transports set these flags, and nobody reads them: a stream manager learns of back-pressure from {@link InstanceStatus}. */
    private final AtomicBoolean[] flags;
    private final Map<NodeInfo, ContainerSender> senders = new HashMap<>();
    private final Set<ContainerSender> unflushed = new HashSet<>();
    private final AtomicLong dropped = new AtomicLong();

    /** Without connections; {@code lastTask} is the highest task of the topology. */
    Containers(NodeInfo self, String topologyId, IContext transport, int lastTask) {
        this.self = self;
        this.topologyId = topologyId;
        this.transport = transport;
        flags = IntStream.rangeClosed(0, lastTask).mapToObj(task -> new AtomicBoolean()).toArray(AtomicBoolean[]::new);
    }

    /** Connects to the containers of the plan that are new, and disconnects from those that are gone. */
    void follow(Router router) {
        Set<NodeInfo> containers = router.otherContainers();
        senders.entrySet().removeIf(entry -> {
            boolean isGone = !containers.contains(entry.getKey());
            if (isGone) {
                unflushed.remove(entry.getValue());
                entry.getValue().close();
            }
            return isGone;
        });
        containers.forEach(container -> router.host(container).ifPresent(host ->
            senders.computeIfAbsent(container, added -> new ContainerSender(host + "-" + port(container),
                transport.connect(topologyId, host, port(container), flags)))));
    }

    /** Sends tuples to the container of their instance with the next {@link #flush}; false if there is no connection to one. */
    boolean send(Optional<NodeInfo> container, ByteBuf tuples) throws WireException {
        ContainerSender sender = container.map(senders::get).orElse(null);
        if (sender == null) {
            return false;
        }
        sender.add(StreamWire.forContainer(tuples));
        unflushed.add(sender);
        return true;
    }

    /** Sends a status to all. */
    void send(InstanceStatus status) {
        ByteBuf content = Unpooled.buffer();
        byte[] node = self.get_node().getBytes(StandardCharsets.UTF_8);
        content.writeInt(node.length).writeBytes(node).writeInt(port(self));
        status.write(content);
        byte[] bytes = ByteBufUtil.getBytes(content);
        senders.values().forEach(sender -> {
            sender.add(new TaskMessage(StreamWire.STATUS_TASK, bytes));
            sender.flush();
        });
    }

    /** Reads which stream manager has sent a status with {@link #send(InstanceStatus)}; the status remains in the buffer. */
    static NodeInfo sender(ByteBuf content) throws WireException {
        int length = content.readableBytes() < Integer.BYTES ? -1 : content.readInt();
        if (length < 0 || length > content.readableBytes() - Integer.BYTES) {
            throw new WireException("A status of a container without its name.");
        }
        String node = content.readCharSequence(length, StandardCharsets.UTF_8).toString();
        return new NodeInfo(node, Set.of((long) content.readInt()));
    }

    /** Sends what was added. */
    void flush() {
        unflushed.forEach(ContainerSender::flush);
        unflushed.clear();
    }

    /** Whether more than this number of bytes wait for one of the containers. */
    boolean isOver(long bytes) {
        return senders.values().stream().anyMatch(sender -> sender.waitingBytes() > bytes);
    }

    /** Counts messages whose instance cannot be reached; for any thread. */
    void dropped(int messages) {
        dropped.addAndGet(messages);
    }

    /** How many messages were dropped since the last call; for any thread. */
    long takeDropped() {
        return dropped.getAndSet(0);
    }

    void close() {
        senders.values().forEach(ContainerSender::close);
        senders.clear();
        transport.term();
    }

    private static int port(NodeInfo container) {
        return container.get_port_iterator().next().intValue();
    }
}
