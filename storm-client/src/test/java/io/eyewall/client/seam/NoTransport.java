package io.eyewall.client.seam;

import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.IConnectionCallback;
import org.apache.storm.messaging.IContext;

/** Nobody is ever connected to, unless a subclass does. */
public class NoTransport implements IContext {
    @Override
    @SuppressWarnings("deprecation")
    public void prepare(Map<String, Object> topologyConf) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void term() {
        // There is nothing to end.
    }

    @Override
    public IConnection bind(String topologyId, int port, IConnectionCallback received, Supplier<Object> newConnectionResponse) {
        throw new UnsupportedOperationException();
    }

    @Override
    public IConnection connect(String topologyId, String host, int port, AtomicBoolean[] remoteBackPressure) {
        throw new UnsupportedOperationException();
    }
}
