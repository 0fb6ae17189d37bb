package io.eyewall.transport.fabric;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.Metric;
import io.eyewall.client.engine.SpaceSignal;
import io.eyewall.client.frame.FrameCarrier;
import io.eyewall.client.seam.ReconnectingConnection;
import io.eyewall.transport.fabric.link.Link;
import io.eyewall.transport.fabric.link.LinkGroup;
import io.eyewall.transport.fabric.link.LinkHandler;
import io.eyewall.transport.fabric.link.LinkSecret;
import io.eyewall.transport.fabric.link.ReconnectingLink;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.storm.Constants;
import org.apache.storm.grouping.Load;
import org.apache.storm.messaging.ConnectionWithStatus;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sending end of a connection between workers. While the peer cannot be reached, messages are dropped, as with Netty: their tuples time
 * out, and their spouts replay them. Safe for any thread.
 */
final class FabricClient extends ConnectionWithStatus implements LinkHandler, FrameCarrier, ReconnectingConnection {

    private static final Logger LOG = LoggerFactory.getLogger(FabricClient.class);
    /** A connection with this many pending messages reports a load of 1. */
    private static final long FULL_LOAD_MESSAGES = 1024;
    /** If Storm sends this many messages or more at once, the worker is busy, and more will follow. */
    private static final int BUSY_MESSAGES = 16;

    private final int port;
    private final int flushTimeoutMs;
    private final AtomicBoolean[] remoteBackPressure;
    private final ReconnectingLink link;
    private final StormMetricRegistry registry;
    private final Set<Metric> metrics = new HashSet<>();
    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicInteger lost = new AtomicInteger();
    private final AtomicInteger droppedSinceOpen = new AtomicInteger();
    /** Written by the progress thread. */
    private volatile Map<Integer, Double> loads;
    private volatile boolean closing;

    /**
     * Starts to connect.
     *
     * @param remoteBackPressure by task, the flags that Storm's executors check before they send
     * @param registry may be null
     */
    FabricClient(LinkGroup group, String host, int port, LinkSecret secret, FabricConfiguration configuration,
        AtomicBoolean[] remoteBackPressure, ScheduledExecutorService scheduler, StormMetricRegistry registry) {
        this.port = port;
        this.flushTimeoutMs = configuration.peerTimeoutMs();
        this.remoteBackPressure = remoteBackPressure;
        this.registry = registry;
        this.link = new ReconnectingLink(group, host, port, secret, this, scheduler, configuration.reconnectMaxMs());
        register("reconnects", () -> Math.max(0, link.attempts() - 1));
        register("sent", () -> sent.getAndSet(0));
        register("pending", this::pendingMessages);
        register("lostOnSend", () -> lost.getAndSet(0));
    }

    @Override
    public void send(Iterator<TaskMessage> messages) {
        if (messages == null) {
            return;
        }
        Link open = closing ? null : link.current();
        int packed = 0;
        try {
            while (open != null && messages.hasNext()) {
                TaskMessage message = messages.next();
                if (open.send(message.task(), message.message())) {
                    packed++;
                } else {
                    open = null;
                    drop(1);
                }
            }
        } catch (InterruptedException e) {
            drop(1);
            Thread.currentThread().interrupt();
        }
        sent.addAndGet(packed);
        if (open != null && packed >= BUSY_MESSAGES) {
            open.flushSoon();
        } else if (open != null && packed > 0) {
            open.flush();
        }
        int left = 0;
        for (; messages.hasNext(); messages.next()) {
            left++;
        }
        drop(left);
    }

    @Override
    public Map<Integer, Load> getLoad(Collection<Integer> tasks) {
        Map<Integer, Double> latest = loads;
        Map<Integer, Load> known = new HashMap<>();
        if (latest != null) {
            double connectionLoad = Math.min(pendingMessages(), FULL_LOAD_MESSAGES) / (double) FULL_LOAD_MESSAGES;
            for (Integer task : tasks) {
                Double load = latest.get(task);
                if (load != null) {
                    known.put(task, new Load(true, load, connectionLoad));
                }
            }
        }
        return known;
    }

    @Override
    public Status status() {
        if (closing) {
            return Status.Closed;
        }
        return link.current() == null ? Status.Connecting : Status.Ready;
    }

    @Override
    public int getPort() {
        return port;
    }

    @Override
    public void sendLoadMetrics(Map<Integer, Double> taskToLoad) {
        throw new UnsupportedOperationException("Loads are sent by the receiving end of a connection, not by " + this);
    }

    @Override
    public void sendBackPressureStatus(BackPressureStatus status) {
        throw new UnsupportedOperationException("Back-pressure is sent by the receiving end of a connection, not by " + this);
    }

    /** Waits until the peer has received all messages, for {@link FabricConfiguration#peerTimeoutMs()} at most, and closes. */
    @Override
    public void close() {
        if (closing) {
            return;
        }
        closing = true;
        int pending = pendingMessages();
        if (!link.close(flushTimeoutMs) && pending > 0) {
            LOG.warn("{} is closed; its peer may not have received all of the last {} messages", this, pending);
        }
        if (registry != null) {
            registry.deregister(metrics);
        }
    }

    @Override
    public void onOpen(Link opened) {
        int dropped = droppedSinceOpen.getAndSet(0);
        if (dropped > 0) {
            LOG.info("{} is connected again; {} messages were dropped in between", this, dropped);
        }
    }

    @Override
    public void onMessage(Link from, int address, ByteBuffer message) {
        switch (address) {
            case FeedbackMessages.LOADS -> loads = FeedbackMessages.decodeLoads(message);
            case FeedbackMessages.BACK_PRESSURE -> {
                FeedbackMessages.apply(message, remoteBackPressure);
                SpaceSignal.ofOtherWorkers().signal();
            }
            default -> throw new IllegalArgumentException("The receiving end sent a message with the unknown address " + address);
        }
    }

    @Override
    public void onBatchEnd(Link from) {
        // onMessage has handled each message.
    }

    @Override
    public void onWritable(Link to) {
        // This end never offers messages: send waits.
    }

    @Override
    public void onClosed(Link closed, String reason) {
        // ReconnectingLink logs the reason and connects again.
    }

    @Override
    public String toString() {
        return "fabric client of " + link;
    }

    private int pendingMessages() {
        Link open = link.current();
        return open == null ? 0 : open.pendingMessages();
    }

    private void drop(int count) {
        if (count > 0) {
            lost.addAndGet(count);
            if (droppedSinceOpen.getAndAdd(count) == 0) {
                LOG.warn("{} has no connection: it drops messages until it has one; their tuples are replayed", this);
            }
        }
    }

    private void register(String name, Gauge<Integer> gauge) {
        if (registry != null) {
            metrics.add(registry.gauge("__send-iconnection-" + name + "-" + link, gauge, Constants.SYSTEM_COMPONENT_ID,
                (int) Constants.SYSTEM_TASK_ID));
        }
    }
}
