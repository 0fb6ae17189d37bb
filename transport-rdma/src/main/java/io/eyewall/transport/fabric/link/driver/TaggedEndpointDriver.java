package io.eyewall.transport.fabric.link.driver;

import io.eyewall.client.time.NanoClock;
import io.eyewall.transport.fabric.binding.AddressVector;
import io.eyewall.transport.fabric.binding.Endpoint;
import io.eyewall.transport.fabric.binding.EndpointType;
import io.eyewall.transport.fabric.binding.FabricException;
import io.eyewall.transport.fabric.binding.FabricInfo;
import io.eyewall.transport.fabric.binding.FabricQuery;
import io.eyewall.transport.fabric.binding.SocketEndpointName;
import io.eyewall.transport.fabric.link.frame.Hello;
import io.eyewall.transport.fabric.link.frame.ProtocolException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drives links over one endpoint of tagged datagrams (FI_EP_RDM). Datagrams have no connections, so peers find each other, and notice each
 * other's end, over TCP; see {@link TcpHandshakes}. As on a connection, the connecting end then sends the first frame and the other end
 * waits for it: a provider that makes connections underneath can lose first frames that both ends send at the same time.
 */
final class TaggedEndpointDriver implements EndpointDriver {

    private static final Logger LOG = LoggerFactory.getLogger(TaggedEndpointDriver.class);

    private final DriverConfiguration configuration;
    private final String name;
    private final Executor progressThread;
    private final OperationContextTable contexts;
    private final NetworkDevice device;
    private final AddressVector peers;
    private final Endpoint endpoint;
    private final TcpHandshakes handshakes;
    /** Never reused, so that a late datagram for a closed link cannot reach another link. */
    private int lastLinkId;

    /** See {@link EndpointDriver#open}. */
    TaggedEndpointDriver(DriverConfiguration configuration, String name, NanoClock clock, Executor progressThread) {
        this.configuration = configuration;
        this.name = name;
        this.progressThread = progressThread;
        this.contexts = new OperationContextTable(configuration.slots());
        try (FabricInfo info = ownEndpoint()) {
            device = new NetworkDevice(info, false, configuration, contexts);
            peers = device.domain().openAddressVector();
            endpoint = device.domain().openEndpoint(info);
            endpoint.bind(peers);
            endpoint.bind(device.receives(), device.sends());
            endpoint.enable();
            handshakes = new TcpHandshakes(name, clock);
        } catch (FabricException | UncheckedIOException e) {
            contexts.close();
            throw e;
        }
    }

    @Override
    public int poll(boolean withEvents) {
        return device.pollReceives();
    }

    @Override
    public int pollSends() {
        return device.pollAllSends();
    }

    @Override
    public Port listen(int port, Acceptor acceptor) {
        String local = configuration.localAddress();
        InetSocketAddress address = local == null ? new InetSocketAddress(port) : new InetSocketAddress(local, port);
        try {
            return handshakes.listen(address, () -> new Incoming(acceptor));
        } catch (IOException e) {
            FabricException failure = new FabricException("Cannot listen at " + address + ": " + e.getMessage());
            failure.initCause(e);
            throw failure;
        }
    }

    @Override
    public void connect(DriverLink link, InetSocketAddress peer) {
        int linkId = ++lastLinkId;
        Outgoing outgoing = new Outgoing(link);
        TcpHandshake handshake = handshakes.connect(peer, link.hello(linkId, endpoint.name()), outgoing);
        try {
            outgoing.channel = attach(link, linkId, handshake);
        } catch (FabricException e) {
            handshake.close();
            throw e;
        }
    }

    @Override
    public Sleeper sleeper() {
        return device.isWaitable() ? new CompletionQueueSleeper(device) : null;
    }

    @Override
    public int linksWithBuffers() {
        return contexts.links();
    }

    @Override
    public void closeEndpoints() {
        handshakes.close();
        endpoint.close();
    }

    @Override
    public void close() {
        peers.close();
        device.close();
        contexts.close();
    }

    private FabricInfo ownEndpoint() {
        String provider = configuration.provider();
        if (configuration.localAddress() != null) {
            return FabricInfo.of(new FabricQuery(EndpointType.TAGGED, provider, configuration.localAddress(), 0, true));
        }
        try {
            return FabricInfo.of(new FabricQuery(EndpointType.TAGGED, provider, "0.0.0.0", 0, true));
        } catch (FabricException e) {
            LOG.debug("Provider {} does not name endpoints by IP addresses: {}", provider, e.getMessage());
            return FabricInfo.of(new FabricQuery(EndpointType.TAGGED, provider, null, -1, true));
        }
    }

    private TaggedFrameChannel attach(DriverLink link, int linkId, TcpHandshake handshake) {
        LinkBuffers buffers = LinkBuffers.allocate(device::allocate, contexts, link, configuration);
        TaggedFrameChannel channel =
            new TaggedFrameChannel(endpoint, peers, buffers.descriptor(), linkId, device, handshake::close);
        link.attach(buffers, channel);
        return channel;
    }

    private static void openChannel(DriverLink link, TaggedFrameChannel channel, TcpHandshake handshake, Hello hello) {
        if (link.isClosed()) {
            return;
        }
        try {
            channel.setPeer(SocketEndpointName.reachable(hello.endpointName(), handshake.peer().getAddress()), hello.linkId());
            link.onConnected();
        } catch (FabricException e) {
            link.fail(e.getMessage());
        }
    }

    /** A link that this end asked for. */
    private final class Outgoing implements TcpHandshake.Handler {

        private final DriverLink link;
        /** For the progress thread. */
        private TaggedFrameChannel channel;

        Outgoing(DriverLink link) {
            this.link = link;
        }

        @Override
        public void onHello(TcpHandshake handshake, Hello hello) throws ProtocolException {
            link.check(hello);
            progressThread.execute(() -> openChannel(link, channel, handshake, hello));
        }

        @Override
        public void onEnd(String reason) {
            progressThread.execute(() -> link.fail(reason));
        }
    }

    /** A link that a peer asks for. */
    private final class Incoming implements TcpHandshake.Handler {

        private final Acceptor acceptor;
        /** For the progress thread. */
        private DriverLink link;

        Incoming(Acceptor acceptor) {
            this.acceptor = acceptor;
        }

        @Override
        public void onHello(TcpHandshake handshake, Hello hello) throws ProtocolException {
            acceptor.check(hello);
            progressThread.execute(() -> accept(handshake, hello));
        }

        @Override
        public void onEnd(String reason) {
            progressThread.execute(() -> {
                if (link != null) {
                    link.fail(reason);
                }
            });
        }

        private void accept(TcpHandshake handshake, Hello hello) {
            link = acceptor.accept(handshake.describePeer());
            try {
                int linkId = ++lastLinkId;
                TaggedFrameChannel channel = attach(link, linkId, handshake);
                handshake.reply(link.hello(linkId, endpoint.name()));
                openChannel(link, channel, handshake, hello);
            } catch (FabricException e) {
                LOG.warn("{} cannot accept a link", name, e);
                link.fail(e.getMessage());
                handshake.close();
            }
        }
    }
}
