package io.eyewall.client.stream.manager;

import io.eyewall.client.seam.ReconnectingConnection;
import io.eyewall.client.stream.wire.StreamWire;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.storm.messaging.ConnectionWithStatus;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.TaskMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What waits for one other container, and the thread that sends it. Messages add up here while the transport keeps that thread waiting for
 * space, and while there is no connection. What the transport had when a connection broke is lost.
 */
final class ContainerSender {

    private static final Logger LOG = LoggerFactory.getLogger(ContainerSender.class);

    /** What a message takes beside its bytes: objects, and a place in a list. */
    private static final int OVERHEAD_BYTES = 96;
    /**
     * A status that says nothing. Storm's transport notices that it has lost its connection when it is given a message. It drops that one,
     * and connects again. A {@link ReconnectingConnection} needs none.
     */
    private static final TaskMessage ATTEMPT = new TaskMessage(StreamWire.STATUS_TASK, new byte[1]);
    private static final int LOOKS_PER_ATTEMPT = 1_000;
    private static final long LOOK_MS = 10;

    private final IConnection connection;
    private final Thread thread;
    // Guarded by this object.
    private List<TaskMessage> waiting = new ArrayList<>();
    private long waitingBytes;
    private boolean closed;

    /** Starts the thread. */
    ContainerSender(String name, IConnection connection) {
        this.connection = connection;
        thread = new Thread(this::run, "to-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Adds a message, which leaves with the next {@link #flush}. */
    synchronized void add(TaskMessage message) {
        waiting.add(message);
        waitingBytes += bytes(message);
    }

    /** Has the thread send what there is. */
    synchronized void flush() {
        notifyAll();
    }

    /** Whether messages wait for a connection. For any thread. */
    boolean isConnecting() {
        return waitingBytes() > 0 && isUnconnected();
    }

    /** How much waits, in bytes, including what is being sent. */
    synchronized long waitingBytes() {
        return waitingBytes;
    }

    /** Has the thread end, and close the connection. Returns how many messages still waited, and are dropped. */
    int close() {
        int dropped;
        synchronized (this) {
            closed = true;
            dropped = waiting.size();
            notifyAll();
        }
        thread.interrupt(); // It may wait for space.
        return dropped;
    }

    /** Whether another stream manager has sent a message only to connect. */
    static boolean isAttempt(TaskMessage message) {
        return message.message().length == ATTEMPT.message().length;
    }

    private void run() {
        try {
            List<TaskMessage> batch = take();
            while (!batch.isEmpty()) {
                connect();
                connection.send(batch.iterator());
                sent(batch);
                batch = take();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            if (!isClosed()) {
                LOG.error("The thread {} has failed, and with it this stream manager. Its container starts another one.",
                    thread.getName(), e);
                Runtime.getRuntime().halt(1);
            }
        } finally {
            connection.close();
        }
    }

    /** Returns when there is a connection, or at once if the transport does not say whether there is. */
    private void connect() throws InterruptedException {
        for (int look = 0; isUnconnected(); look++) {
            if (look % LOOKS_PER_ATTEMPT == 0 && !(connection instanceof ReconnectingConnection)) {
                connection.send(List.of(ATTEMPT).iterator());
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MS);
        }
    }

    private boolean isUnconnected() {
        return connection instanceof ConnectionWithStatus link && link.status() == ConnectionWithStatus.Status.Connecting;
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /** What waits; empty when the sender is closed. */
    private synchronized List<TaskMessage> take() throws InterruptedException {
        while (waiting.isEmpty() && !closed) {
            wait();
        }
        List<TaskMessage> taken = closed ? List.of() : waiting;
        waiting = new ArrayList<>();
        return taken;
    }

    private void sent(List<TaskMessage> batch) {
        for (TaskMessage message : batch) {
            if (message instanceof WatchedMessage watched) {
                watched.left();
            }
        }
        synchronized (this) {
            batch.forEach(message -> waitingBytes -= bytes(message));
        }
    }

    private static int bytes(TaskMessage message) {
        return message.message().length + OVERHEAD_BYTES;
    }
}
