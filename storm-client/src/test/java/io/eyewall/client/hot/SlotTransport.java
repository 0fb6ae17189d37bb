package io.eyewall.client.hot;

import io.eyewall.client.seam.DrainableTransport;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.IConnectionCallback;

/** The transport of a process in a slot with these tasks. It carries nothing: executors of tests hand tuples to each other. */
record SlotTransport(Supplier<Set<Integer>> tasks) implements DrainableTransport {

    @Override
    public Set<Integer> slotTasks() {
        return tasks.get();
    }

    @Override
    public void drainedBy(Drain drain) {
        throw new UnsupportedOperationException("Tests drain it themselves.");
    }

    @Override
    @SuppressWarnings("deprecation") // Storm's interface has this form, too.
    public void prepare(Map<String, Object> topologyConf) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void term() {
        throw new UnsupportedOperationException();
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
