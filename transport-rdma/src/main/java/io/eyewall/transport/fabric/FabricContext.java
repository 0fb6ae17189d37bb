package io.eyewall.transport.fabric;

import io.eyewall.client.seam.TransportChoice;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.IConnectionCallback;
import org.apache.storm.messaging.IContext;
import org.apache.storm.messaging.netty.Context;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The messaging context that Storm creates for {@code storm.messaging.transport: io.eyewall.transport.fabric.FabricContext}. It uses
 * libfabric, or Netty where libfabric is not available and {@link FabricConfiguration#FALLBACK} allows Netty. Safe for any thread after
 * {@link #prepare}.
 */
public final class FabricContext implements TransportChoice {

    private static final Logger LOG = LoggerFactory.getLogger(FabricContext.class);

    private final Supplier<IContext> fabric;
    private IContext transport;

    /** Storm calls this by reflection. */
    public FabricContext() {
        this(TransportClassLoader::newTransport);
    }

    FabricContext(Supplier<IContext> fabric) {
        this.fabric = fabric;
    }

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
     * @throws IllegalStateException if libfabric or the provider is missing and Netty is not allowed, with the remedy
     */
    @Override
    public void prepare(Map<String, Object> topologyConf, StormMetricRegistry metricRegistry) {
        FabricConfiguration configuration = new FabricConfiguration(topologyConf);
        try {
            transport = fabric.get();
            transport.prepare(topologyConf, metricRegistry);
        } catch (RuntimeException e) {
            // The classes of the exceptions belong to another class loader, so they cannot be distinguished here.
            if (!configuration.fallsBackToNetty()) {
                throw new IllegalStateException("The libfabric transport cannot start: " + e.getMessage() + ". To use Netty instead, set "
                    + FabricConfiguration.FALLBACK + ": netty; then all workers of the topology must use Netty", e);
            }
            LOG.warn("Using Netty instead of libfabric, as {} allows: {}", FabricConfiguration.FALLBACK, e.getMessage());
            transport = new Context();
            transport.prepare(topologyConf, metricRegistry);
        }
    }

    @Override
    public IContext chosen() {
        return transport;
    }

    @Override
    public IConnection bind(String topologyId, int port, IConnectionCallback callback, Supplier<Object> newConnectionResponse) {
        return transport.bind(topologyId, port, callback, newConnectionResponse);
    }

    @Override
    public IConnection connect(String topologyId, String host, int port, AtomicBoolean[] remoteBackPressure) {
        return transport.connect(topologyId, host, port, remoteBackPressure);
    }

    @Override
    public void term() {
        transport.term();
    }
}
