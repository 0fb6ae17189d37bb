package io.eyewall.transport.fabric.binding;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;

/** One end of a connection, which the test polls: the smallest use of the binding. */
public final class MessagePeer implements AutoCloseable, EventQueue.Handler {

    private static final int BUFFER_BYTES = 32 << 10;
    private static final byte[] TOUCH = new byte[2 * BUFFER_BYTES];

    private final FabricInfo info;
    private final Fabric fabric;
    private final EventQueue events;
    private final Domain domain;
    private final CompletionQueue completions;
    private PassiveEndpoint listener;
    private MemoryRegion region;
    private Endpoint endpoint;
    private boolean connected;
    private boolean shutDown;
    private FabricException refusal;

    private MessagePeer(FabricInfo info) {
        this.info = info;
        fabric = Fabric.open(info);
        events = fabric.openEventQueue();
        domain = fabric.openDomain(info);
        completions = domain.openCompletionQueue(64, CompletionQueue.Sleep.ON_DESCRIPTOR);
    }

    static MessagePeer listening() {
        MessagePeer peer = new MessagePeer(FabricInfo.of(new FabricQuery(EndpointType.CONNECTED, "tcp", "127.0.0.1", 0, true)));
        peer.listener = peer.fabric.openPassiveEndpoint(peer.info);
        peer.listener.listen(peer.events);
        return peer;
    }

    /** Starts to connect to a port of this host. */
    public static MessagePeer connecting(int port) {
        MessagePeer peer = new MessagePeer(FabricInfo.of(new FabricQuery(EndpointType.CONNECTED, "tcp", "127.0.0.1", port, false)));
        peer.open(peer.info);
        peer.endpoint.connect();
        return peer;
    }

    int port() {
        return ByteBuffer.wrap(listener.name()).getShort(2) & 0xffff;
    }

    void awaitConnected(MessagePeer server) {
        Polling.until("connected", () -> {
            events.poll(this);
            server.events.poll(server);
            return connected && server.connected;
        });
    }

    /** Waits until a server that another thread polls has accepted. */
    public void awaitConnected() {
        Polling.until("connected", () -> events.poll(this) > 0 && connected);
    }

    FabricException awaitRefusal() {
        Polling.until("refused", () -> events.poll(this) > 0 && refusal != null);
        return refusal;
    }

    /** Waits until the peer shuts the connection down. */
    public void awaitShutdown() {
        Polling.until("shut down", () -> completions.poll() + events.poll(this) > 0 && shutDown);
    }

    /** Sends, and waits until the message has left. */
    public void send(byte[] message) {
        region.buffer().put(BUFFER_BYTES, message);
        assertEquals(0, endpoint.send(region.address() + BUFFER_BYTES, message.length, region.descriptor(), context(1)));
        awaitCompletion(1);
    }

    byte[] receive() {
        byte[] message = new byte[awaitCompletion(0)];
        region.buffer().get(0, message);
        assertEquals(0, endpoint.receive(region.address(), BUFFER_BYTES, region.descriptor(), context(0)));
        return message;
    }

    void closeEndpoint() {
        if (endpoint != null) {
            endpoint.close();
            region.close();
            endpoint = null;
            connected = false;
            while (completions.poll() > 0) {
                assertEquals(true, completions.context(0) != 0);
            }
        }
    }

    @Override
    public void close() {
        closeEndpoint();
        if (listener != null) {
            listener.close();
        }
        completions.close();
        domain.close();
        events.close();
        fabric.close();
        info.close();
    }

    @Override
    public void onRequest(long key, FabricInfo request) {
        assertEquals(listener.key(), key);
        open(request);
        request.close();
        endpoint.accept();
    }

    @Override
    public void onConnected(long key) {
        assertEquals(endpoint.key(), key);
        connected = true;
    }

    @Override
    public void onShutdown(long key) {
        shutDown = true;
    }

    @Override
    public void onError(long key, FabricException cause) {
        refusal = cause;
    }

    private void open(FabricInfo from) {
        region = domain.allocate(2 * BUFFER_BYTES + 4096, false);
        // Written to, so that a leaked region shows in the size of the process.
        region.buffer().put(TOUCH);
        endpoint = domain.openEndpoint(from);
        endpoint.bind(events);
        endpoint.bind(completions, completions);
        endpoint.enable();
        assertEquals(0, endpoint.receive(region.address(), BUFFER_BYTES, region.descriptor(), context(0)));
    }

    private long context(int slot) {
        return region.address() + 2 * BUFFER_BYTES + (long) slot * Endpoint.CONTEXT_BYTES;
    }

    private int awaitCompletion(int slot) {
        Polling.until("completed", () -> completions.poll() == 1);
        assertEquals(0, completions.error());
        assertEquals(context(slot), completions.context(0));
        return completions.lengthBytes(0);
    }
}
