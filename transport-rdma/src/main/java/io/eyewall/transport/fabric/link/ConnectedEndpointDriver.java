package io.eyewall.transport.fabric.link;

import io.eyewall.transport.fabric.binding.CompletionQueue;
import io.eyewall.transport.fabric.binding.DescriptorWaiter;
import io.eyewall.transport.fabric.binding.Endpoint;
import io.eyewall.transport.fabric.binding.EndpointType;
import io.eyewall.transport.fabric.binding.EventQueue;
import io.eyewall.transport.fabric.binding.FabricException;
import io.eyewall.transport.fabric.binding.FabricInfo;
import io.eyewall.transport.fabric.binding.FabricQuery;
import io.eyewall.transport.fabric.binding.PassiveEndpoint;
import io.eyewall.transport.fabric.binding.SocketEndpointName;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Links over connected endpoints (FI_EP_MSG), each with an endpoint of its own; connections are made and watched through events. */
final class ConnectedEndpointDriver implements EndpointDriver, EventQueue.Handler {

    private static final Logger LOG = LoggerFactory.getLogger(ConnectedEndpointDriver.class);

    private final LinkGroup group;
    private final LinkConfiguration configuration;
    private final OperationContextTable contexts;
    private final Map<String, NetworkDevice> rails = new HashMap<>();
    private final Map<Long, MessagePort> ports = new HashMap<>();
    private final Map<Long, Link> linksByEndpoint = new HashMap<>();
    private final DescriptorWaiter waiter = new DescriptorWaiter();

    ConnectedEndpointDriver(LinkGroup group, OperationContextTable contexts) {
        this.group = group;
        this.configuration = group.configuration();
        this.contexts = contexts;
        try (FabricInfo info = listeningAt(0)) {
            LOG.debug("{} will use {}", group, info);
        } catch (FabricException e) {
            waiter.close();
            throw e;
        }
    }

    @Override
    public int poll(boolean withEvents) {
        int work = 0;
        for (NetworkDevice rail : rails.values()) {
            work += rail.poll(contexts);
        }
        return withEvents ? work + pollEvents() : work;
    }

    @Override
    public int pollSends() {
        int work = 0;
        for (NetworkDevice rail : rails.values()) {
            work += rail.pollAllSends(contexts);
        }
        return work;
    }

    @Override
    public LinkServer.Port listen(int port, LinkSecret secret, LinkHandler listener) {
        try (FabricInfo info = listeningAt(port)) {
            NetworkDevice rail = rail(info);
            PassiveEndpoint endpoint = rail.fabric().openPassiveEndpoint(info);
            try {
                endpoint.listen(rail.events());
            } catch (FabricException e) {
                endpoint.close();
                throw e;
            }
            long key = endpoint.key();
            MessagePort open = new MessagePort(endpoint, secret, listener, () -> ports.remove(key));
            ports.put(key, open);
            return open;
        }
    }

    @Override
    public void connect(Link link, InetSocketAddress peer, LinkSecret secret) {
        String node = peer.getAddress().getHostAddress();
        try (FabricInfo info = FabricInfo.of(
            new FabricQuery(EndpointType.CONNECTED, configuration.provider(), node, peer.getPort(), false))) {
            open(link, info).connect();
        }
    }

    @Override
    public Sleeper sleeper() {
        List<NetworkDevice> all = List.copyOf(rails.values());
        return all.stream().allMatch(NetworkDevice::isWaitable) ? new DescriptorSleeper(waiter, all) : null;
    }

    @Override
    public void closeEndpoints() {
        ports.values().forEach(port -> port.endpoint.close());
        ports.clear();
    }

    @Override
    public void close() {
        rails.values().forEach(NetworkDevice::close);
        rails.clear();
        waiter.close();
    }

    @Override
    public void onRequest(long key, FabricInfo request) {
        try (request) {
            MessagePort port = ports.get(key);
            if (port == null) {
                LOG.debug("{}: a connection is requested from a listener that is closed", group);
                return;
            }
            Link link = group.newLink(port.secret, port.listener, SocketEndpointName.describe(request.peerName()), false);
            try {
                open(link, request).accept();
            } catch (FabricException e) {
                LOG.warn("{} refuses a connection", group, e);
                link.fail(e.getMessage());
            }
        }
    }

    @Override
    public void onConnected(long endpoint) {
        Link link = linksByEndpoint.get(endpoint);
        if (link != null) {
            link.onConnected();
        }
    }

    @Override
    public void onShutdown(long endpoint) {
        end(endpoint, "the peer has gone");
    }

    @Override
    public void onError(long endpoint, FabricException cause) {
        end(endpoint, cause.getMessage());
    }

    private int pollEvents() {
        int work = 0;
        // Links may add rails.
        for (NetworkDevice rail : rails.values().toArray(new NetworkDevice[0])) {
            work += rail.events().poll(this);
        }
        return work;
    }

    private void end(long endpoint, String reason) {
        Link link = linksByEndpoint.get(endpoint);
        if (link == null) {
            return;
        }
        // What the peer sent before it went has arrived before this event, and counts.
        for (NetworkDevice rail : rails.values()) {
            int read = CompletionQueue.BATCH;
            while (read == CompletionQueue.BATCH) {
                read = rail.poll(contexts);
            }
        }
        link.fail(reason);
    }

    private FabricInfo listeningAt(int port) {
        String local = configuration.localAddress();
        if (local != null) {
            return FabricInfo.of(new FabricQuery(EndpointType.CONNECTED, configuration.provider(), local, port, true));
        }
        try {
            // Takes both versions of IP.
            return FabricInfo.of(new FabricQuery(EndpointType.CONNECTED, configuration.provider(), "::", port, true));
        } catch (FabricException e) {
            LOG.debug("No listening over IPv6: {}", e.getMessage());
            return FabricInfo.of(new FabricQuery(EndpointType.CONNECTED, configuration.provider(), "0.0.0.0", port, true));
        }
    }

    private NetworkDevice rail(FabricInfo info) {
        NetworkDevice rail = rails.get(info.domainName());
        if (rail == null) {
            rail = new NetworkDevice(info, true, configuration);
            rails.put(info.domainName(), rail);
            group.railsChanged();
        }
        return rail;
    }

    private Endpoint open(Link link, FabricInfo info) {
        NetworkDevice rail = rail(info);
        if (info.receiveQueueSize() < configuration.receiveSlots()) {
            throw new FabricException("Provider " + info.provider() + " can have " + info.receiveQueueSize() + " receives posted, but "
                + configuration.receiveSlots() + " are wanted: ask for fewer");
        }
        Endpoint endpoint = rail.domain().openEndpoint(info);
        try {
            endpoint.bind(rail.events());
            endpoint.bind(rail.receives(), rail.sends());
            endpoint.enable();
            LinkBuffers memory = LinkBuffers.allocate(rail::allocate, contexts, link, configuration);
            long key = endpoint.key();
            linksByEndpoint.put(key, link);
            link.attach(memory, new ConnectedFrameChannel(endpoint, memory.descriptor(), () -> rail.pollSends(contexts),
                () -> linksByEndpoint.remove(key)), configuration);
            return endpoint;
        } catch (FabricException e) {
            endpoint.close();
            throw e;
        }
    }

    private static final class MessagePort implements LinkServer.Port {

        private final PassiveEndpoint endpoint;
        private final LinkSecret secret;
        private final LinkHandler listener;
        private final Runnable onClose;
        private final int number;

        MessagePort(PassiveEndpoint endpoint, LinkSecret secret, LinkHandler listener, Runnable onClose) {
            this.endpoint = endpoint;
            this.secret = secret;
            this.listener = listener;
            this.onClose = onClose;
            this.number = SocketEndpointName.decode(endpoint.name()).getPort();
        }

        @Override
        public int number() {
            return number;
        }

        @Override
        public void close() {
            onClose.run();
            endpoint.close();
        }
    }
}
