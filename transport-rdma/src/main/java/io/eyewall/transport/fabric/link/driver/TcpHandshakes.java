package io.eyewall.transport.fabric.link.driver;

import io.eyewall.client.time.NanoClock;
import io.eyewall.transport.fabric.link.frame.Hello;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects peers over TCP whose frames travel as datagrams. Each end sends a {@link Hello}, preceded by its length, and nothing else. The
 * TCP connection then stays open: its end shows at once that the peer has ended.
 *
 * <p>One thread serves all connections and calls their handlers. Any thread may call the methods, except where one says otherwise.
 */
final class TcpHandshakes implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TcpHandshakes.class);
    private static final long HELLO_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long ACCEPT_AGAIN_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int SELECT_MS = 100;

    private final NanoClock clock;
    private final Selector selector;
    private final Queue<Command> commands = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private volatile boolean running = true;
    /** When to accept connections again after a failure. Only this object's thread uses it. */
    private long acceptAgainNs;

    /**
     * Starts the thread.
     *
     * @param name names the thread
     */
    TcpHandshakes(String name, NanoClock clock) {
        this.clock = clock;
        this.acceptAgainNs = clock.nanoTime();
        try {
            selector = Selector.open();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot watch sockets for " + name + "; raise the number of open files (ulimit -n)", e);
        }
        thread = new Thread(this::run, name + "-handshakes");
        thread.setDaemon(true);
        thread.start();
    }

    /** An operation on sockets. */
    interface Command {

        void run() throws IOException;
    }

    /**
     * Listens for connections.
     *
     * @param handlers makes a handler for each
     * @throws IOException if the port is in use or not allowed
     */
    EndpointDriver.Port listen(InetSocketAddress address, Supplier<TcpHandshake.Handler> handlers) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open();
        try {
            server.bind(address).configureBlocking(false);
        } catch (IOException e) {
            server.close();
            throw e;
        }
        int number = server.socket().getLocalPort();
        execute(() -> server.register(selector, SelectionKey.OP_ACCEPT, handlers));
        return new EndpointDriver.Port() {

            @Override
            public int number() {
                return number;
            }

            @Override
            public void close() {
                execute(server::close);
            }
        };
    }

    /** Starts to connect to a peer. This end sends the first hello. */
    TcpHandshake connect(InetSocketAddress peer, Hello hello, TcpHandshake.Handler handler) {
        TcpHandshake handshake = new TcpHandshake(this, peer, handler, clock.nanoTime());
        execute(() -> handshake.connect(selector, hello));
        return handshake;
    }

    @Override
    public void close() {
        running = false;
        selector.wakeup();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return thread.getName();
    }

    /** Runs a command on the thread. */
    void execute(Command command) {
        commands.add(command);
        selector.wakeup();
    }

    /** Watches a channel for bytes from now on; on the thread. */
    void awaitReads(SocketChannel channel) {
        channel.keyFor(selector).interestOps(SelectionKey.OP_READ);
    }

    private void run() {
        try (selector) {
            while (running) {
                selector.select(SELECT_MS);
                runCommands();
                for (SelectionKey key : selector.selectedKeys()) {
                    handle(key);
                }
                selector.selectedKeys().clear();
                endSilentOnes();
                acceptAgain();
            }
            runCommands();
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
        } catch (IOException e) {
            LOG.error("{} failed: no more links can be made; restart the worker", this, e);
        }
    }

    private void runCommands() {
        for (Command command = commands.poll(); command != null; command = commands.poll()) {
            try {
                command.run();
            } catch (IOException e) {
                LOG.warn("{}: an operation on a socket failed", this, e);
            }
        }
    }

    private void handle(SelectionKey key) {
        if (!key.isValid()) {
            return;
        }
        if (key.attachment() instanceof TcpHandshake handshake) {
            handshake.onSelected(key);
            return;
        }
        try {
            SocketChannel channel = ((ServerSocketChannel) key.channel()).accept();
            if (channel != null) {
                @SuppressWarnings("unchecked") // listen attached it
                Supplier<TcpHandshake.Handler> handlers = (Supplier<TcpHandshake.Handler>) key.attachment();
                new TcpHandshake(this, (InetSocketAddress) channel.getRemoteAddress(), handlers.get(), clock.nanoTime())
                    .accept(selector, channel);
            }
        } catch (IOException e) {
            LOG.warn("{} cannot accept a connection; if too many files are open, raise their number (ulimit -n)", this, e);
            // The failure would repeat at once, and for as long as its cause lasts.
            key.interestOps(0);
        }
    }

    private void endSilentOnes() {
        long nowNs = clock.nanoTime();
        for (SelectionKey key : selector.keys()) {
            if (key.attachment() instanceof TcpHandshake handshake) {
                handshake.endIfSilent(nowNs, HELLO_TIMEOUT_NS);
            }
        }
    }

    private void acceptAgain() {
        long nowNs = clock.nanoTime();
        if (nowNs - acceptAgainNs > 0) {
            acceptAgainNs = nowNs + ACCEPT_AGAIN_NS;
            for (SelectionKey key : selector.keys()) {
                if (key.isValid() && key.channel() instanceof ServerSocketChannel) {
                    key.interestOps(SelectionKey.OP_ACCEPT);
                }
            }
        }
    }
}
