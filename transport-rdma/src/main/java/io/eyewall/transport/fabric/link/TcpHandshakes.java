package io.eyewall.transport.fabric.link;

import io.eyewall.client.time.NanoClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets peers without connections greet each other over TCP, and keeps the TCP connection open, because its end tells at once when a peer
 * has gone. A greeting is a {@link Hello} after its length; nothing else is ever sent.
 *
 * <p>Has a thread of its own, which calls its listeners. Other methods are safe for any thread.
 */
final class TcpHandshakes implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TcpHandshakes.class);
    private static final long GREETING_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long ACCEPT_AGAIN_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int LOOK_MS = 100;

    private final NanoClock clock;
    private final Selector selector;
    private final Queue<Step> steps = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private volatile boolean running = true;
    /** For this thread alone. */
    private long acceptAgainNs;

    TcpHandshakes(String name, NanoClock clock) {
        this.clock = clock;
        this.acceptAgainNs = clock.nanoTime();
        try {
            selector = Selector.open();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot watch sockets for " + name + "; raise the number of open files (ulimit -n)", e);
        }
        thread = new Thread(this::run, name + "-rendezvous");
        thread.setDaemon(true);
        thread.start();
    }

    /** Told about one conversation. */
    interface Listener {

        /** The peer greeted. */
        void onGreeting(Hello hello) throws ProtocolException;

        /** The conversation is over, and not by this end. */
        void onEnd(String reason);
    }

    private interface Step {

        void run() throws IOException;
    }

    /**
     * Takes conversations.
     *
     * @param listeners makes the listener of each
     */
    LinkServer.Port listen(InetSocketAddress address, Function<Conversation, Listener> listeners) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open();
        try {
            server.bind(address).configureBlocking(false);
        } catch (IOException e) {
            server.close();
            throw e;
        }
        int number = server.socket().getLocalPort();
        later(() -> server.register(selector, SelectionKey.OP_ACCEPT, listeners));
        return new LinkServer.Port() {

            @Override
            public int number() {
                return number;
            }

            @Override
            public void close() {
                later(server::close);
            }
        };
    }

    /** Starts a conversation by greeting the peer. */
    Conversation connect(InetSocketAddress peer, Hello hello, Function<Conversation, Listener> listeners) {
        Conversation conversation = new Conversation(peer);
        conversation.listener = listeners.apply(conversation);
        later(() -> {
            try {
                conversation.start(SocketChannel.open(), SelectionKey.OP_CONNECT);
                conversation.greeting = hello;
                if (conversation.channel.connect(peer)) {
                    conversation.connected();
                }
            } catch (IOException e) {
                conversation.end("cannot connect: " + e.getMessage());
            }
        });
        return conversation;
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

    private void later(Step step) {
        steps.add(step);
        selector.wakeup();
    }

    private void run() {
        try (selector) {
            while (running) {
                selector.select(LOOK_MS);
                runSteps();
                for (SelectionKey key : selector.selectedKeys()) {
                    handle(key);
                }
                selector.selectedKeys().clear();
                endSilentOnes();
                acceptAgain();
            }
            runSteps();
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
        } catch (IOException e) {
            LOG.error("{} ended: no links can be made any more; restart the process", thread.getName(), e);
        }
    }

    private void runSteps() {
        for (Step step = steps.poll(); step != null; step = steps.poll()) {
            try {
                step.run();
            } catch (IOException e) {
                LOG.warn("{}: a step failed", thread.getName(), e);
            }
        }
    }

    private void handle(SelectionKey key) {
        if (!key.isValid()) {
            return;
        }
        if (key.attachment() instanceof Conversation conversation) {
            conversation.handle(key);
            return;
        }
        try {
            SocketChannel channel = ((ServerSocketChannel) key.channel()).accept();
            if (channel != null) {
                Conversation conversation = new Conversation((InetSocketAddress) channel.getRemoteAddress());
                @SuppressWarnings("unchecked") // what listen attached
                Function<Conversation, Listener> listeners = (Function<Conversation, Listener>) key.attachment();
                conversation.listener = listeners.apply(conversation);
                conversation.start(channel, SelectionKey.OP_READ);
            }
        } catch (IOException e) {
            LOG.warn("{}: a peer could not be accepted; if there are too many open files, raise their number (ulimit -n)",
                thread.getName(), e);
            // It would be reported again at once, and for as long as it lasts.
            key.interestOps(0);
        }
    }

    private void endSilentOnes() {
        long nowNs = clock.nanoTime();
        for (SelectionKey key : selector.keys()) {
            if (key.attachment() instanceof Conversation conversation && !conversation.greeted
                && nowNs - conversation.bornNs > GREETING_NS) {
                conversation.end("no greeting from the peer in time");
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

    /** A TCP connection with one peer. Methods that say nothing else are for the thread of the rendezvous. */
    final class Conversation {

        private final InetSocketAddress peer;
        private final long bornNs = clock.nanoTime();
        private final ByteBuffer in = ByteBuffer.allocate(Integer.BYTES + Hello.MAX_BYTES);
        private Listener listener;
        private SocketChannel channel;
        private Hello greeting;
        private boolean greeted;
        private boolean ended;
        /** Belongs to the {@link TaggedEndpointDriver}, for the progress thread. */
        TaggedFrameChannel wire;

        private Conversation(InetSocketAddress peer) {
            this.peer = peer;
        }

        /** The peer's address. Safe for any thread. */
        InetSocketAddress peer() {
            return peer;
        }

        /** The peer's address for people to read. Safe for any thread. */
        String describePeer() {
            return peer.getAddress().getHostAddress() + ":" + peer.getPort();
        }

        /** Greets the peer in answer. Safe for any thread. */
        void greet(Hello hello) {
            later(() -> {
                if (!ended) {
                    write(hello);
                }
            });
        }

        /** Ends the conversation without telling its listener. Safe for any thread. */
        void close() {
            later(() -> {
                ended = true;
                if (channel != null) {
                    channel.close();
                }
            });
        }

        private void start(SocketChannel started, int interest) throws IOException {
            channel = started;
            channel.configureBlocking(false);
            channel.register(selector, interest, this);
        }

        private void handle(SelectionKey key) {
            try {
                if (key.isConnectable() && channel.finishConnect()) {
                    connected();
                } else if (key.isReadable()) {
                    read();
                }
            } catch (IOException e) {
                end("the rendezvous broke: " + e.getMessage());
            } catch (ProtocolException e) {
                LOG.warn("{}: the conversation with {} ends: {}", thread.getName(), describePeer(), e.getMessage());
                end(e.getMessage());
            }
        }

        private void connected() throws IOException {
            channel.keyFor(selector).interestOps(SelectionKey.OP_READ);
            write(greeting);
        }

        private void write(Hello hello) throws IOException {
            ByteBuffer out = ByteBuffer.allocate(Integer.BYTES + Hello.MAX_BYTES).putInt(hello.encodedBytes());
            hello.encode(out);
            channel.write(out.flip());
            if (out.hasRemaining()) {
                throw new IOException("an empty socket does not take " + out.limit() + " bytes");
            }
        }

        private void read() throws IOException, ProtocolException {
            if (channel.read(in) < 0) {
                end(greeted ? "the peer has gone"
                    : "the peer hung up before it greeted: it runs something else or does not know the secret");
                return;
            }
            if (greeted) {
                throw new ProtocolException("the peer says something after its greeting");
            }
            if (in.position() < Integer.BYTES) {
                return;
            }
            int lengthBytes = in.getInt(0);
            if (lengthBytes < 0 || lengthBytes > Hello.MAX_BYTES) {
                throw new ProtocolException("the first message is not the greeting of a link");
            }
            if (in.position() >= Integer.BYTES + lengthBytes) {
                greeted = true;
                Hello hello = Hello.decode(in.slice(Integer.BYTES, lengthBytes));
                if (in.position() > Integer.BYTES + lengthBytes) {
                    throw new ProtocolException("the peer says something after its greeting");
                }
                in.clear();
                listener.onGreeting(hello);
            }
        }

        private void end(String reason) {
            if (!ended) {
                ended = true;
                try {
                    if (channel != null) {
                        channel.close();
                    }
                } catch (IOException e) {
                    LOG.debug("{}: closing a socket failed", thread.getName(), e);
                }
                listener.onEnd(reason);
            }
        }
    }
}
