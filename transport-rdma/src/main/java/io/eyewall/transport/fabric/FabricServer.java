package io.eyewall.transport.fabric;

import io.eyewall.client.seam.BufferCallback;
import io.eyewall.transport.fabric.link.Link;
import io.eyewall.transport.fabric.link.LinkGroup;
import io.eyewall.transport.fabric.link.LinkHandler;
import io.eyewall.transport.fabric.link.LinkSecret;
import io.eyewall.transport.fabric.link.LinkServer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.storm.grouping.Load;
import org.apache.storm.messaging.ConnectionWithStatus;
import org.apache.storm.messaging.IConnectionCallback;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.apache.storm.metric.api.IMetric;
import org.apache.storm.metric.api.IStatefulObject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The receiving end of all connections of a worker. It sends the loads and the back-pressure status of its tasks to every peer. A peer that
 * is slow to receive them gets only the latest of each. Safe for any thread.
 */
final class FabricServer extends ConnectionWithStatus implements LinkHandler, IStatefulObject {

    private static final Logger LOG = LoggerFactory.getLogger(FabricServer.class);

    private final BufferCallback callback;
    /** The callback, if it also measures what it receives, or null. */
    private final IMetric metric;
    private final Supplier<Object> firstStatus;
    private final LinkServer server;
    private final Map<Link, Peer> peers = new ConcurrentHashMap<>();
    /** Messages since the last end of a batch. Only the progress thread uses it. */
    private int batched;
    private volatile boolean closing;

    /**
     * Starts to listen.
     *
     * @param port 0 for any free one
     * @param callback receives messages on the progress thread, without a copy if it is a {@link BufferCallback}; must not block
     * @param firstStatus returns the {@link BackPressureStatus} that a new peer gets; may be null, then it gets none
     */
    FabricServer(LinkGroup group, int port, LinkSecret secret, IConnectionCallback callback, Supplier<Object> firstStatus) {
        this.callback = callback instanceof BufferCallback buffers ? buffers : new CopyingCallback(callback);
        this.metric = callback instanceof IMetric measured ? measured : null;
        this.firstStatus = firstStatus;
        this.server = group.listen(port, secret, this);
    }

    @Override
    public void sendLoadMetrics(Map<Integer, Double> taskToLoad) {
        byte[] message = FeedbackMessages.encodeLoads(taskToLoad);
        peers.forEach((link, peer) -> peer.send(link, peer.loads, message));
    }

    @Override
    public void sendBackPressureStatus(BackPressureStatus status) {
        LOG.debug("Sending the back-pressure status to {} connected workers: {}", peers.size(), status);
        byte[] message = FeedbackMessages.encode(status);
        peers.forEach((link, peer) -> peer.send(link, peer.backPressure, message));
    }

    @Override
    public void send(Iterator<TaskMessage> messages) {
        throw new UnsupportedOperationException("The connecting end of a connection sends messages, not " + this);
    }

    @Override
    public Map<Integer, Load> getLoad(Collection<Integer> tasks) {
        throw new UnsupportedOperationException("The connecting end of a connection knows loads, not " + this);
    }

    @Override
    public int getPort() {
        return server.port();
    }

    @Override
    public Status status() {
        return closing ? Status.Closed : peers.isEmpty() ? Status.Connecting : Status.Ready;
    }

    @Override
    public void close() {
        closing = true;
        server.close();
        peers.keySet().forEach(link -> link.close(0));
    }

    /** How many messages each peer has sent since the last call, for the metric __recv-iconnection. */
    @Override
    public Object getState() {
        Map<String, Object> state = new HashMap<>();
        Map<String, Integer> enqueued = new HashMap<>();
        peers.forEach((link, peer) -> {
            int count = peer.received.getAndSet(0);
            if (count > 0) {
                enqueued.put("/" + link.peer(), count);
            }
        });
        state.put("dequeuedMessages", 0);
        state.put("enqueued", enqueued);
        if (metric != null && metric.getValueAndReset() instanceof Map<?, ?> bytes) {
            state.put("messageBytes", bytes);
        }
        return state;
    }

    @Override
    public void onOpen(Link link) {
        Peer peer = new Peer();
        peers.put(link, peer);
        if (closing) {
            link.close(0);
        } else if (firstStatus != null && firstStatus.get() instanceof BackPressureStatus status) {
            peer.send(link, peer.backPressure, FeedbackMessages.encode(status));
        }
    }

    @Override
    public void onMessage(Link link, int task, ByteBuffer message) {
        callback.take(task, message);
        batched++;
    }

    @Override
    public void onBatchEnd(Link link) {
        peers.get(link).received.addAndGet(batched);
        batched = 0;
        callback.deliver();
    }

    @Override
    public void onWritable(Link link) {
        peers.get(link).sendPending(link);
    }

    @Override
    public void onClosed(Link link, String reason) {
        if (peers.remove(link) != null) {
            LOG.info("{} is closed: {}", link, reason);
        }
    }

    @Override
    public String toString() {
        return "fabric server on port " + server.port();
    }

    /** Copies each message to an array, for a callback that cannot read buffers. */
    private static final class CopyingCallback implements BufferCallback {

        private final IConnectionCallback callback;
        private List<TaskMessage> taken = new ArrayList<>();

        CopyingCallback(IConnectionCallback callback) {
            this.callback = callback;
        }

        @Override
        public void recv(List<TaskMessage> messages) {
            callback.recv(messages);
        }

        @Override
        public void take(int task, ByteBuffer message) {
            taken.add(new TaskMessage(task, bytes(message)));
        }

        @Override
        public void deliver() {
            if (!taken.isEmpty()) {
                List<TaskMessage> messages = taken;
                taken = new ArrayList<>();
                recv(messages);
            }
        }

        /** The message's own array if it has one, or a copy. */
        private static byte[] bytes(ByteBuffer message) {
            if (message.hasArray() && message.arrayOffset() == 0 && message.array().length == message.remaining()) {
                return message.array();
            }
            byte[] copy = new byte[message.remaining()];
            message.get(copy);
            return copy;
        }
    }

    /** One peer: the messages that wait to be sent to it, only the latest of each kind, and the number of messages that it has sent. */
    private static final class Peer {

        private final AtomicReference<byte[]> loads = new AtomicReference<>();
        private final AtomicReference<byte[]> backPressure = new AtomicReference<>();
        private final AtomicInteger received = new AtomicInteger();

        void send(Link link, AtomicReference<byte[]> kind, byte[] message) {
            kind.set(message);
            sendPending(link);
        }

        synchronized void sendPending(Link link) {
            offer(link, backPressure, FeedbackMessages.BACK_PRESSURE);
            offer(link, loads, FeedbackMessages.LOADS);
            link.flush();
        }

        private static void offer(Link link, AtomicReference<byte[]> kind, int address) {
            byte[] message = kind.getAndSet(null);
            if (message != null && !link.offer(address, message)) {
                kind.compareAndSet(null, message);
            }
        }
    }
}
