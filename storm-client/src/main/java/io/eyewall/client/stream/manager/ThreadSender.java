package io.eyewall.client.stream.manager;

import io.eyewall.client.seam.ReconnectingConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.storm.messaging.ConnectionWithStatus;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.TaskMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends on a thread of its own, over a transport that keeps the thread waiting for space. */
final class ThreadSender implements ContainerSender {

    private static final Logger LOG = LoggerFactory.getLogger(ThreadSender.class);

    private final IConnection connection;
    private final Thread thread;
    // Guarded by this object.
    private List<TaskMessage> waiting = new ArrayList<>();
    private long waitingBytes;
    private boolean closed;

    /** Starts the thread. */
    ThreadSender(String name, IConnection connection) {
        this.connection = connection;
        thread = new Thread(this::run, "to-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public synchronized void add(TaskMessage message) {
        waiting.add(message);
        waitingBytes += ContainerSender.bytes(message);
    }

    /** Has the thread send what there is. */
    @Override
    public synchronized void flush() {
        notifyAll();
    }

    @Override
    public boolean isConnecting() {
        return waitingBytes() > 0 && isUnconnected();
    }

    @Override
    public synchronized long waitingBytes() {
        return waitingBytes;
    }

    /** Has the thread end, and close the connection. */
    @Override
    public int close() {
        int dropped;
        synchronized (this) {
            closed = true;
            dropped = waiting.size();
            notifyAll();
        }
        thread.interrupt(); // It may wait for space.
        return dropped;
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
        ContainerSender.left(batch);
        synchronized (this) {
            batch.forEach(message -> waitingBytes -= ContainerSender.bytes(message));
        }
    }
}
