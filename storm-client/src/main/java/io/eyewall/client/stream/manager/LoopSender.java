package io.eyewall.client.stream.manager;

import io.eyewall.client.seam.ClientChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.storm.messaging.ConnectionWithStatus;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.shade.io.netty.channel.Channel;
import org.apache.storm.shade.io.netty.util.concurrent.Future;

/**
 * Sends on the loop that has the connection, one of Storm's Netty transport. That would keep the loop waiting if the connection had no
 * space, and nobody would make any. So it gets one of its batches at a time, and only while there is space. Everything is sent from here:
 * what another thread sends is a task of the loop, which the loop's own messages would overtake.
 */
final class LoopSender implements ContainerSender {

    private static final long SPACE_LOOK_MS = 1;

    private final String name;
    private final ConnectionWithStatus connection;
    private final ClientChannel client;
    private final ContainerSenders senders;
    private final Runnable guardedSend;
    private final Runnable guardedLook;
    private final Deque<TaskMessage> waiting = new ArrayDeque<>();
    private long waitingBytes;
    private boolean isLookDue;
    private int looks;
    private boolean closed;

    /** {@code connection} and {@code client} are the same object. */
    LoopSender(String name, ConnectionWithStatus connection, ClientChannel client, ContainerSenders senders) {
        this.name = name;
        this.connection = connection;
        this.client = client;
        this.senders = senders;
        guardedSend = senders.guard().guard(this::send);
        guardedLook = senders.guard().guard(this::look);
    }

    @Override
    public void add(TaskMessage message) {
        waiting.add(message);
        waitingBytes += ContainerSender.bytes(message);
    }

    @Override
    public void flush() {
        if (!waiting.isEmpty() && !isLookDue) {
            guardedSend.run();
        }
    }

    @Override
    public boolean isConnecting() {
        return !waiting.isEmpty() && isUnconnected();
    }

    @Override
    public long waitingBytes() {
        return waitingBytes;
    }

    /** Closes the connection on another thread, since the transport first waits for what it has. */
    @Override
    public int close() {
        closed = true;
        int dropped = waiting.size();
        waiting.clear();
        Thread closing = new Thread(connection::close, "close-" + name);
        closing.setDaemon(true);
        closing.start();
        return dropped;
    }

    private void send() {
        while (!waiting.isEmpty() && hasSpace()) {
            sendBatch();
        }
        if (!waiting.isEmpty()) {
            lookLater();
        }
    }

    private boolean hasSpace() {
        Channel channel = client.getChannelRef().get();
        return channel != null && channel.isWritable() && !isUnconnected();
    }

    private boolean isUnconnected() {
        return connection.status() == ConnectionWithStatus.Status.Connecting;
    }

    /** Sends what makes one batch: a message, and others while all together are shorter than a batch. */
    private void sendBatch() {
        List<TaskMessage> batch = new ArrayList<>();
        long bytes = 0;
        do {
            TaskMessage message = waiting.poll();
            batch.add(message);
            bytes += ContainerSender.bytes(message);
        } while (!waiting.isEmpty() && bytes + ContainerSender.bytes(waiting.peek()) < senders.batchBytes());
        connection.send(batch.iterator());
        waitingBytes -= bytes;
        ContainerSender.left(batch);
    }

    private void lookLater() {
        isLookDue = true;
        Future<?> unused =
            senders.loop().schedule(guardedLook, isUnconnected() ? LOOK_MS : SPACE_LOOK_MS, TimeUnit.MILLISECONDS);
    }

    private void look() {
        isLookDue = false;
        if (closed) {
            return;
        }
        if (!isUnconnected()) {
            looks = 0;
        } else if (looks++ % LOOKS_PER_ATTEMPT == 0 && isChannelClosed()) {
            connection.send(List.of(ATTEMPT).iterator());
        }
        send();
    }

    private boolean isChannelClosed() {
        Channel channel = client.getChannelRef().get();
        return channel == null || !channel.isActive();
    }
}
