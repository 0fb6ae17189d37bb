package io.eyewall.transport.fabric.link.driver;

import io.eyewall.transport.fabric.link.frame.Hello;
import io.eyewall.transport.fabric.link.frame.ProtocolException;
import io.eyewall.transport.fabric.link.frame.RefusedPeers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One TCP connection, on which two peers exchange their hellos. It stays open as long as their link. For the thread of
 * {@link TcpHandshakes}, except where a method says otherwise.
 */
final class TcpHandshake {

    private static final Logger LOG = LoggerFactory.getLogger(TcpHandshake.class);

    private final TcpHandshakes owner;
    private final InetSocketAddress peer;
    private final Handler handler;
    private final long startedNs;
    private final ByteBuffer in = ByteBuffer.allocate(Integer.BYTES + Hello.MAX_BYTES);
    private SocketChannel channel;
    /** The hello that this end sends as soon as it is connected; null if the peer connected. */
    private Hello firstHello;
    private boolean peerGreeted;
    private boolean ended;

    TcpHandshake(TcpHandshakes owner, InetSocketAddress peer, Handler handler, long startedNs) {
        this.owner = owner;
        this.peer = peer;
        this.handler = handler;
        this.startedNs = startedNs;
    }

    /** Receives what happens to one handshake, on the thread of {@link TcpHandshakes}. */
    interface Handler {

        /**
         * The peer sent its hello.
         *
         * @throws ProtocolException if the peer is refused
         */
        void onHello(TcpHandshake handshake, Hello hello) throws ProtocolException;

        /** The peer ended the connection, or it failed. */
        void onEnd(String reason);
    }

    /** The peer's address. Any thread may ask. */
    InetSocketAddress peer() {
        return peer;
    }

    /** The peer's address, in words for the log. Any thread may ask. */
    String describePeer() {
        return peer.getAddress().getHostAddress() + ":" + peer.getPort();
    }

    /** Sends this end's hello to a peer that has connected. Any thread may call it. */
    void reply(Hello hello) {
        owner.execute(() -> {
            if (!ended) {
                write(hello);
            }
        });
    }

    /** Closes the connection without a call of its handler. Any thread may call it. */
    void close() {
        owner.execute(() -> {
            ended = true;
            if (channel != null) {
                channel.close();
            }
        });
    }

    /** Connects to the peer and then sends this end's hello. */
    void connect(Selector selector, Hello hello) {
        try {
            register(SocketChannel.open(), selector, SelectionKey.OP_CONNECT);
            firstHello = hello;
            if (channel.connect(peer)) {
                onConnected();
            }
        } catch (IOException e) {
            end("cannot connect: " + e.getMessage());
        }
    }

    /** Goes on with a connection that the peer made. */
    void accept(Selector selector, SocketChannel accepted) throws IOException {
        register(accepted, selector, SelectionKey.OP_READ);
    }

    /** Reads what has arrived, or completes the connection. */
    void onSelected(SelectionKey key) {
        try {
            if (key.isConnectable() && channel.finishConnect()) {
                onConnected();
            } else if (key.isReadable()) {
                read();
            }
        } catch (IOException e) {
            end("the TCP connection failed: " + e.getMessage());
        } catch (ProtocolException e) {
            RefusedPeers.log(LOG, owner + " with " + describePeer(), e.getMessage());
            end(e.getMessage());
        }
    }

    /** Ends the connection if the peer has not sent its hello in time. */
    void endIfSilent(long nowNs, long timeoutNs) {
        if (!peerGreeted && nowNs - startedNs > timeoutNs) {
            end("the peer did not send its hello in time");
        }
    }

    private void register(SocketChannel opened, Selector selector, int interest) throws IOException {
        channel = opened;
        channel.configureBlocking(false);
        channel.register(selector, interest, this);
    }

    private void onConnected() throws IOException {
        owner.awaitReads(channel);
        write(firstHello);
    }

    private void write(Hello hello) throws IOException {
        ByteBuffer out = ByteBuffer.allocate(Integer.BYTES + Hello.MAX_BYTES).putInt(hello.encodedBytes());
        hello.encode(out);
        channel.write(out.flip());
        if (out.hasRemaining()) {
            throw new IOException("an empty socket did not take " + out.limit() + " bytes");
        }
    }

    private void read() throws IOException, ProtocolException {
        if (channel.read(in) < 0) {
            end(peerGreeted ? "the peer closed the connection"
                : "the peer closed the connection before it sent its hello: it is not a worker, or does not know the secret");
            return;
        }
        if (peerGreeted) {
            throw new ProtocolException("the peer sent more than its hello");
        }
        if (in.position() < Integer.BYTES) {
            return;
        }
        int lengthBytes = in.getInt(0);
        if (lengthBytes < 0 || lengthBytes > Hello.MAX_BYTES) {
            throw new ProtocolException("the peer's first message is not a hello");
        }
        if (in.position() >= Integer.BYTES + lengthBytes) {
            peerGreeted = true;
            Hello hello = Hello.decode(in.slice(Integer.BYTES, lengthBytes));
            if (in.position() > Integer.BYTES + lengthBytes) {
                throw new ProtocolException("the peer sent more than its hello");
            }
            in.clear();
            handler.onHello(this, hello);
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
                LOG.debug("{} cannot close a socket", owner, e);
            }
            handler.onEnd(reason);
        }
    }
}
