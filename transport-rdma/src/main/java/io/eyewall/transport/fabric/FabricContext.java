package io.eyewall.transport.fabric;

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
 * What Storm makes for {@code storm.messaging.transport: io.eyewall.transport.fabric.FabricContext}: messaging over libfabric, or over
 * Netty where libfabric cannot be used and {@link FabricConfiguration} allows that. Safe for any thread after {@link #prepare}.
 */
public final class FabricContext implements IContext {

    private static final Logger LOG = LoggerFactory.getLogger(FabricContext.class);

    private final Supplier<IContext> fabric;
    private IContext transport;

    /** Made by Storm, by name. */
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
     * Opens the fabric.
     *
     * @throws IllegalArgumentException if a key is out of range
     * @throws IllegalStateException if libfabric or the provider is missing and there is to be no fallback, with the remedy
     */
    @Override
    public void prepare(Map<String, Object> topologyConf, StormMetricRegistry metricRegistry) {
        FabricConfiguration configuration = new FabricConfiguration(topologyConf);
        try {
            transport = fabric.get();
            transport.prepare(topologyConf, metricRegistry);
        } catch (RuntimeException e) {
            // Whatever the reason is: its class is that of another class loader.
            if (!configuration.fallsBackToNetty()) {
                throw new IllegalStateException("The transport over libfabric cannot start: " + e.getMessage() + ". To go without it, set "
                    + FabricConfiguration.FALLBACK + ": netty, which must then hold on all hosts", e);
            }
            LOG.warn("Netty takes the place of libfabric, as {} allows: {}", FabricConfiguration.FALLBACK, e.getMessage());
            transport = new Context();
            transport.prepare(topologyConf, metricRegistry);
        }
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
