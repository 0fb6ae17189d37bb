package io.eyewall.integration.cluster;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * A slow link: a TCP port that passes every connection on to another address, and holds back the bytes in both directions. Nothing is lost;
 * bytes on their way are held in memory. Thread safe.
 */
public final class DelayingRelay implements AutoCloseable {

    private static final int CONNECT_TIMEOUT_MS = 10_000;
    private static final int CHUNK_BYTES = 1 << 16;

    private final ServerSocket server;
    private final InetSocketAddress target;
    private final long delayNs;
    private final Thread acceptor;
    private final Histogram keptNs = new ConcurrentHistogram(3);
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();

    /**
     * Listens at once.
     *
     * @param listen the address and port of the relay; port 0 for any
     * @param target where connections go; nothing needs to listen there yet
     * @param delay how long every byte is held back
     * @throws ClusterException if the port is in use
     */
    public DelayingRelay(InetSocketAddress listen, InetSocketAddress target, Duration delay) {
        this.target = target;
        this.delayNs = delay.toNanos();
        try {
            server = new ServerSocket();
            server.bind(listen);
        } catch (IOException e) {
            throw new ClusterException("No relay to " + target + " can listen on " + listen + ": " + e.getMessage() + ".", e);
        }
        acceptor = start("relay on port " + port(), this::accept);
    }

    /** The port that it listens on. */
    public int port() {
        return server.getLocalPort();
    }

    /** How long bytes for the target were really held back, in nanoseconds: from when they were read until they were written. */
    public Histogram keptNs() {
        return keptNs.copy();
    }

    /** Ends all connections; accepts no new ones after it has returned. */
    @Override
    public void close() {
        try {
            server.close();
            acceptor.join(); // Until the acceptor has ended, the kernel accepts connections.
        } catch (IOException e) {
            throw new ClusterException("The relay to " + target + " cannot be closed: " + e.getMessage() + ".", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            connections.forEach(Connection::close);
        }
    }

    private void accept() {
        while (true) {
            Connection connection;
            try {
                connection = new Connection(server.accept());
            } catch (IOException closed) {
                return;
            }
            connections.add(connection);
            start("relay to " + target, connection::open);
        }
    }

    private static Thread start(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** A connection, and the one that it is passed on to. */
    private final class Connection {

        private final Socket client;
        private final Socket onward = new Socket();
        private final AtomicInteger openDirections = new AtomicInteger(2);

        Connection(Socket client) {
            this.client = client;
        }

        void open() {
            try {
                client.setTcpNoDelay(true);
                onward.setTcpNoDelay(true);
                onward.connect(target, CONNECT_TIMEOUT_MS);
            } catch (IOException refused) {
                close();
                return;
            }
            start("relay back from " + target, () -> pass(onward, client));
            pass(client, onward);
        }

        void close() {
            connections.remove(this);
            for (Socket socket : new Socket[] {client, onward}) {
                try {
                    socket.close();
                } catch (IOException e) {
                    throw new ClusterException("The relay to " + target + " cannot be closed: " + e.getMessage() + ".", e);
                }
            }
        }

        /** Reads what one side sends, until it ends, and schedules that it is written to the other side. */
        private void pass(Socket from, Socket to) {
            ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor(task -> {
                Thread thread = new Thread(task, "delayed relay to " + to.getRemoteSocketAddress());
                thread.setDaemon(true);
                return thread;
            });
            try {
                byte[] buffer = new byte[CHUNK_BYTES];
                for (int length = from.getInputStream().read(buffer); length >= 0; length = from.getInputStream().read(buffer)) {
                    byte[] chunk = Arrays.copyOf(buffer, length);
                    long readNs = System.nanoTime();
                    ScheduledFuture<?> unused = later.schedule(() -> write(to, chunk, readNs), delayNs, TimeUnit.NANOSECONDS);
                }
                ScheduledFuture<?> unused = later.schedule(() -> end(to), delayNs, TimeUnit.NANOSECONDS);
            } catch (IOException reset) {
                close();
            } finally {
                later.shutdown(); // Writes that are scheduled still run.
            }
        }

        private void write(Socket to, byte[] chunk, long readNs) {
            try {
                to.getOutputStream().write(chunk);
                if (to == onward) {
                    keptNs.recordValue(System.nanoTime() - readNs);
                }
            } catch (IOException reset) {
                close();
            }
        }

        private void end(Socket to) {
            try {
                to.shutdownOutput();
            } catch (IOException reset) {
                close();
            }
            if (openDirections.decrementAndGet() == 0) {
                close();
            }
        }
    }
}
