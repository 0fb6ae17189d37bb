package io.eyewall.transport.fabric.link;

import io.eyewall.transport.fabric.binding.AddressVector;
import io.eyewall.transport.fabric.binding.Endpoint;
import io.eyewall.transport.fabric.binding.EndpointType;
import io.eyewall.transport.fabric.binding.FabricException;
import io.eyewall.transport.fabric.binding.FabricInfo;
import io.eyewall.transport.fabric.binding.FabricQuery;
import io.eyewall.transport.fabric.binding.SocketEndpointName;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Links over one endpoint of tagged datagrams (FI_EP_RDM). Datagrams have no connections, so peers find each other and notice each
 * other's end over TCP, see {@link TcpHandshakes}. As on a connection, the connecting end then sends the first frame and the other end
 * waits for it: a provider that connects underneath can lose what both ends send first at the same time.
 */
final class TaggedEndpointDriver implements EndpointDriver {

    private static final Logger LOG = LoggerFactory.getLogger(TaggedEndpointDriver.class);

    private final LinkGroup group;
    private final LinkConfiguration configuration;
    private final OperationContextTable contexts;
    private final NetworkDevice rail;
    private final AddressVector peers;
    private final Endpoint endpoint;
    private final TcpHandshakes rendezvous;
    /** Counts up, so that a datagram to a link that is gone cannot be taken for one to another. */
    private int lastLinkId;

    TaggedEndpointDriver(LinkGroup group, OperationContextTable contexts) {
        this.group = group;
        this.configuration = group.configuration();
        this.contexts = contexts;
        try (FabricInfo info = ownEndpoint()) {
            rail = new NetworkDevice(info, false, configuration);
            peers = rail.domain().openAddressVector();
            endpoint = rail.domain().openEndpoint(info);
            endpoint.bind(peers);
            endpoint.bind(rail.receives(), rail.sends());
            endpoint.enable();
        }
        rendezvous = new TcpHandshakes(group.toString(), group.clock());
    }

    @Override
    public int poll(boolean withEvents) {
        return rail.poll(contexts);
    }

    @Override
    public int pollSends() {
        return rail.pollAllSends(contexts);
    }

    @Override
    public LinkServer.Port listen(int port, LinkSecret secret, LinkHandler listener) {
        String local = configuration.localAddress();
        InetSocketAddress address = local == null ? new InetSocketAddress(port) : new InetSocketAddress(local, port);
        try {
            return rendezvous.listen(address, conversation -> new Incoming(conversation, secret, listener));
        } catch (IOException e) {
            FabricException failure = new FabricException("Cannot listen at " + address + ": " + e.getMessage());
            failure.initCause(e);
            throw failure;
        }
    }

    @Override
    public void connect(Link link, InetSocketAddress peer, LinkSecret secret) {
        int linkId = ++lastLinkId;
        Hello hello = group.hello(secret.connectingProof(), linkId, endpoint.name());
        TcpHandshakes.Conversation conversation = rendezvous.connect(peer, hello, conversationOfLink -> new TcpHandshakes.Listener() {

            @Override
            public void onGreeting(Hello answer) throws ProtocolException {
                Link.check(answer, secret, true);
                group.execute(() -> greeted(link, conversationOfLink, answer));
            }

            @Override
            public void onEnd(String reason) {
                link.failSoon(reason);
            }
        });
        try {
            attach(link, linkId, conversation);
        } catch (FabricException e) {
            conversation.close();
            throw e;
        }
    }

    @Override
    public Sleeper sleeper() {
        return rail.isWaitable() ? new CompletionQueueSleeper(rail) : null;
    }

    @Override
    public void closeEndpoints() {
        rendezvous.close();
        endpoint.close();
    }

    @Override
    public void close() {
        peers.close();
        rail.close();
    }

    private FabricInfo ownEndpoint() {
        String provider = configuration.provider();
        if (configuration.localAddress() != null) {
            return FabricInfo.of(new FabricQuery(EndpointType.TAGGED, provider, configuration.localAddress(), 0, true));
        }
        try {
            return FabricInfo.of(new FabricQuery(EndpointType.TAGGED, provider, "0.0.0.0", 0, true));
        } catch (FabricException e) {
            LOG.debug("Provider {} has no endpoints named by IP addresses: {}", provider, e.getMessage());
            return FabricInfo.of(new FabricQuery(EndpointType.TAGGED, provider, null, -1, true));
        }
    }

    private void attach(Link link, int linkId, TcpHandshakes.Conversation conversation) {
        LinkBuffers memory = LinkBuffers.allocate(rail::allocate, contexts, link, configuration);
        conversation.wire = new TaggedFrameChannel(endpoint, peers, memory.descriptor(), linkId, () -> rail.pollSends(contexts),
            conversation::close);
        link.attach(memory, conversation.wire, configuration);
    }

    private void greeted(Link link, TcpHandshakes.Conversation conversation, Hello hello) {
        if (link.isClosed()) {
            return;
        }
        try {
            conversation.wire.setPeer(SocketEndpointName.reachable(hello.endpointName(), conversation.peer().getAddress()), hello.linkId());
            link.onConnected();
        } catch (FabricException e) {
            link.fail(e.getMessage());
        }
    }

    private void accept(Incoming incoming, Hello hello) {
        TcpHandshakes.Conversation conversation = incoming.conversation;
        Link link = group.newLink(incoming.secret, incoming.listener, conversation.describePeer(), false);
        incoming.link = link;
        try {
            int linkId = ++lastLinkId;
            attach(link, linkId, conversation);
            conversation.greet(group.hello(incoming.secret.listeningProof(), linkId, endpoint.name()));
            greeted(link, conversation, hello);
        } catch (FabricException e) {
            LOG.warn("{} refuses a link", group, e);
            link.fail(e.getMessage());
            conversation.close();
        }
    }

    /** A peer that asks for a link. */
    private final class Incoming implements TcpHandshakes.Listener {

        private final TcpHandshakes.Conversation conversation;
        private final LinkSecret secret;
        private final LinkHandler listener;
        /** For the progress thread. */
        private Link link;

        Incoming(TcpHandshakes.Conversation conversation, LinkSecret secret, LinkHandler listener) {
            this.conversation = conversation;
            this.secret = secret;
            this.listener = listener;
        }

        @Override
        public void onGreeting(Hello hello) throws ProtocolException {
            Link.check(hello, secret, false);
            group.execute(() -> accept(this, hello));
        }

        @Override
        public void onEnd(String reason) {
            group.execute(() -> {
                if (link != null) {
                    link.fail(reason);
                }
            });
        }
    }
}
