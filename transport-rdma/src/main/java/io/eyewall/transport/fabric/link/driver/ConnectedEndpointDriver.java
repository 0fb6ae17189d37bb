package io.eyewall.transport.fabric.link.driver;

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

/** Drives links over connected endpoints (FI_EP_MSG). Each link has an endpoint; events report what happens to its connection. */
final class ConnectedEndpointDriver implements EndpointDriver, EventQueue.Handler {

    private static final Logger LOG = LoggerFactory.getLogger(ConnectedEndpointDriver.class);

    private final DriverConfiguration configuration;
    private final String name;
    private final Runnable onNewDevice;
    private final OperationContextTable contexts;
    private final Map<String, NetworkDevice> devices = new HashMap<>();
    private final Map<Long, ListeningPort> ports = new HashMap<>();
    private final Map<Long, DriverLink> linksByEndpoint = new HashMap<>();
    private final DescriptorWaiter waiter;

    /** See {@link EndpointDriver#open}. */
    ConnectedEndpointDriver(DriverConfiguration configuration, String name, Runnable onNewDevice) {
        this.configuration = configuration;
        this.name = name;
        this.onNewDevice = onNewDevice;
        // A driver without a provider must not open.
        try (FabricInfo info = listeningAt(0)) {
            LOG.debug("{} uses {}", name, info);
        }
        waiter = new DescriptorWaiter();
        try {
            contexts = new OperationContextTable(configuration.slots());
        } catch (FabricException e) {
            waiter.close();
            throw e;
        }
    }

    @Override
    public int poll(boolean withEvents) {
        int work = 0;
        for (NetworkDevice device : devices.values()) {
            work += device.pollReceives();
        }
        return withEvents ? work + pollEvents() : work;
    }

    @Override
    public int pollSends() {
        int work = 0;
        for (NetworkDevice device : devices.values()) {
            work += device.pollAllSends();
        }
        return work;
    }

    @Override
    public Port listen(int port, Acceptor acceptor) {
        try (FabricInfo info = listeningAt(port)) {
            NetworkDevice device = device(info);
            PassiveEndpoint endpoint = device.fabric().openPassiveEndpoint(info);
            try {
                endpoint.listen(device.events());
            } catch (FabricException e) {
                endpoint.close();
                throw e;
            }
            long key = endpoint.key();
            ListeningPort open = new ListeningPort(endpoint, acceptor, () -> ports.remove(key));
            ports.put(key, open);
            return open;
        }
    }

    @Override
    public void connect(DriverLink link, InetSocketAddress peer) {
        String node = peer.getAddress().getHostAddress();
        try (FabricInfo info = FabricInfo.of(
            new FabricQuery(EndpointType.CONNECTED, configuration.provider(), node, peer.getPort(), false))) {
            open(link, info).connect();
        }
    }

    @Override
    public Sleeper sleeper() {
        List<NetworkDevice> all = List.copyOf(devices.values());
        return all.stream().allMatch(NetworkDevice::isWaitable) ? new DescriptorSleeper(waiter, all) : null;
    }

    @Override
    public int linksWithBuffers() {
        return contexts.links();
    }

    @Override
    public void closeEndpoints() {
        ports.values().forEach(port -> port.endpoint.close());
        ports.clear();
    }

    @Override
    public void close() {
        devices.values().forEach(NetworkDevice::close);
        devices.clear();
        waiter.close();
        contexts.close();
    }

    @Override
    public void onRequest(long key, FabricInfo request) {
        try (request) {
            ListeningPort port = ports.get(key);
            if (port == null) {
                LOG.debug("{} ignores a connection to a port that is closed", name);
                return;
            }
            DriverLink link = port.acceptor.accept(SocketEndpointName.describe(request.peerName()));
            try {
                open(link, request).accept();
            } catch (FabricException e) {
                LOG.warn("{} cannot accept a connection", name, e);
                link.fail(e.getMessage());
            }
        }
    }

    @Override
    public void onConnected(long endpoint) {
        DriverLink link = linksByEndpoint.get(endpoint);
        if (link != null) {
            link.onConnected();
        }
    }

    @Override
    public void onShutdown(long endpoint) {
        end(endpoint, "the peer closed the connection");
    }

    @Override
    public void onError(long endpoint, FabricException cause) {
        end(endpoint, cause.getMessage());
    }

    private int pollEvents() {
        int work = 0;
        // Handling an event may open another device.
        for (NetworkDevice device : devices.values().toArray(new NetworkDevice[0])) {
            work += device.events().poll(this);
        }
        return work;
    }

    private void end(long endpoint, String reason) {
        DriverLink link = linksByEndpoint.get(endpoint);
        if (link == null) {
            return;
        }
        // Frames that the peer sent before it closed the connection have arrived before this event, and count.
        for (NetworkDevice device : devices.values()) {
            int read = CompletionQueue.BATCH;
            while (read == CompletionQueue.BATCH) {
                read = device.pollReceives();
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
            // Accepts IPv4 and IPv6.
            return FabricInfo.of(new FabricQuery(EndpointType.CONNECTED, configuration.provider(), "::", port, true));
        } catch (FabricException e) {
            LOG.debug("{} cannot listen over IPv6: {}", name, e.getMessage());
            return FabricInfo.of(new FabricQuery(EndpointType.CONNECTED, configuration.provider(), "0.0.0.0", port, true));
        }
    }

    private NetworkDevice device(FabricInfo info) {
        NetworkDevice device = devices.get(info.domainName());
        if (device == null) {
            device = new NetworkDevice(info, true, configuration, contexts);
            devices.put(info.domainName(), device);
            onNewDevice.run();
        }
        return device;
    }

    private Endpoint open(DriverLink link, FabricInfo info) {
        NetworkDevice device = device(info);
        if (info.receiveQueueSize() < configuration.receiveSlots()) {
            throw new FabricException("Provider " + info.provider() + " can post " + info.receiveQueueSize() + " receives, but "
                + configuration.receiveSlots() + " are needed: configure fewer receive buffers");
        }
        Endpoint endpoint = device.domain().openEndpoint(info);
        try {
            endpoint.bind(device.events());
            endpoint.bind(device.receives(), device.sends());
            endpoint.enable();
            LinkBuffers buffers = LinkBuffers.allocate(device::allocate, contexts, link, configuration);
            long key = endpoint.key();
            linksByEndpoint.put(key, link);
            link.attach(buffers, new ConnectedFrameChannel(endpoint, buffers.descriptor(), device, () -> linksByEndpoint.remove(key)));
            return endpoint;
        } catch (FabricException e) {
            endpoint.close();
            throw e;
        }
    }

    private static final class ListeningPort implements Port {

        private final PassiveEndpoint endpoint;
        private final Acceptor acceptor;
        private final Runnable onClose;
        private final int number;

        ListeningPort(PassiveEndpoint endpoint, Acceptor acceptor, Runnable onClose) {
            this.endpoint = endpoint;
            this.acceptor = acceptor;
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
