package io.eyewall.transport.fabric;

import io.eyewall.client.seam.FrameTransport;
import io.eyewall.client.time.NanoClock;
import io.eyewall.transport.fabric.binding.FabricException;
import io.eyewall.transport.fabric.link.IdleMode;
import io.eyewall.transport.fabric.link.LinkConfiguration;
import io.eyewall.transport.fabric.link.LinkGroup;
import io.eyewall.transport.fabric.link.LinkSecret;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.IConnectionCallback;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The messaging context over libfabric, which {@link FabricContext} loads. It has a progress thread for connections that send tuples,
 * another for those that receive them, and a thread that looks up hosts. Safe for any thread after {@link #prepare}.
 */
public final class FabricTransport implements FrameTransport {

    private static final Logger LOG = LoggerFactory.getLogger(FabricTransport.class);
    /** Buffers for the direction against the tuples, which carries only loads and back-pressure. */
    private static final int REVERSE_BUFFERS = 4;

    private final List<FabricServer> servers = new ArrayList<>();
    private FabricConfiguration configuration;
    private StormMetricRegistry registry;
    private ScheduledExecutorService scheduler;
    private LinkGroup receiving;
    private LinkGroup sending;

    @Override
    @Deprecated
    @SuppressWarnings("InlineMeSuggester") // upstream calls it
    public void prepare(Map<String, Object> topologyConf) {
        prepare(topologyConf, null);
    }

    /**
     * Opens the transport.
     *
     * @throws IllegalArgumentException if the value of a key is out of range
     * @throws FabricException if libfabric or the provider is missing, with the remedy
     */
    @Override
    public void prepare(Map<String, Object> topologyConf, StormMetricRegistry metricRegistry) {
        configuration = new FabricConfiguration(topologyConf);
        registry = metricRegistry;
        openGroups();
        scheduler = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "fabric-connect");
            thread.setDaemon(true);
            return thread;
        });
    }

    @Override
    public String carrier() {
        return "libfabric";
    }

    @Override
    public synchronized IConnection bind(String topologyId, int port, IConnectionCallback callback,
        Supplier<Object> newConnectionResponse) {
        FabricServer server = new FabricServer(receiving, port, secret(topologyId), callback, newConnectionResponse);
        servers.add(server);
        LOG.info("Receiving tuples of {} on port {} over libfabric", topologyId, server.getPort());
        return server;
    }

    @Override
    public synchronized IConnection connect(String topologyId, String host, int port, AtomicBoolean[] remoteBackPressure) {
        return new FabricClient(sending, host, port, secret(topologyId), configuration, remoteBackPressure, scheduler, registry);
    }

    @Override
    public synchronized void term() {
        scheduler.shutdownNow();
        servers.forEach(FabricServer::close);
        servers.clear();
        sending.close();
        receiving.close();
    }

    private LinkSecret secret(String topologyId) {
        return new LinkSecret(topologyId, configuration.secret());
    }

    private void openGroups() {
        String address = localAddress(configuration.networkInterface());
        FabricException failure = null;
        for (String provider : configuration.providers()) {
            try {
                receiving = LinkGroup.open("fabric-receive",
                    links(provider, address, configuration.receiveBuffers(), REVERSE_BUFFERS, configuration.idleMode()), NanoClock.SYSTEM);
                // A thread that sends polls for its completed sends itself, so that no tuple waits for this progress thread.
                IdleMode idleMode = configuration.idleMode() == IdleMode.SPIN ? IdleMode.WAIT : configuration.idleMode();
                sending = LinkGroup.open("fabric-send",
                    links(provider, address, REVERSE_BUFFERS, configuration.sendBuffers(), idleMode), NanoClock.SYSTEM);
                return;
            } catch (FabricException e) {
                failure = e;
            }
        }
        throw failure;
    }

    private LinkConfiguration links(String provider, String address, int receiveBuffers, int sendBuffers,
        IdleMode idleMode) {
        return new LinkConfiguration(configuration.endpoint(), provider, address, configuration.bufferBytes(), receiveBuffers, sendBuffers,
            idleMode, configuration.hugePages(), configuration.peerTimeoutMs());
    }

    /** The address of a network interface that is given by name or by address, preferably its IPv4 address; null stands for all. */
    private static String localAddress(String given) {
        if (given == null) {
            return null;
        }
        try {
            NetworkInterface named = NetworkInterface.getByName(given);
            if (named == null) {
                return InetAddress.getByName(given).getHostAddress();
            }
            return named.inetAddresses().filter(address -> !address.isLinkLocalAddress())
                .min(Comparator.comparing(address -> address.getAddress().length)).map(FabricTransport::numeric)
                .orElseThrow(() -> new FabricException("The interface " + given + ", which " + FabricConfiguration.INTERFACE
                    + " names, has no IP address: assign one, or name another interface"));
        } catch (SocketException | UnknownHostException e) {
            throw new FabricException(FabricConfiguration.INTERFACE + " is '" + given + "', but must be the name or the IP address of a"
                + " network interface of this host, or all");
        }
    }

    /** The address without the name of the interface, which libfabric would take for a part of the address. */
    private static String numeric(InetAddress address) {
        try {
            return InetAddress.getByAddress(address.getAddress()).getHostAddress();
        } catch (UnknownHostException e) {
            throw new IllegalStateException("An address of 4 or 16 bytes was refused", e);
        }
    }
}
