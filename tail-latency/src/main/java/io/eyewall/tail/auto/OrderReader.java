package io.eyewall.tail.auto;

import io.eyewall.client.settings.tail.TechniqueOrders;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.storm.cluster.IStateStorage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what the cluster's scheduler orders in a topology, at once and then in periods. A thread of its own reads it, so that a ZooKeeper
 * that does not answer holds up none of the worker's timers. While it cannot be read, the last orders stand.
 */
final class OrderReader implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(OrderReader.class);

    private final IStateStorage storage;
    private final String path;
    private final long periodMs;
    private final Set<String> known;
    private final Consumer<Set<String>> listener;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "technique-orders");

    /** Used by the reading thread, like the next field. */
    private boolean warned;
    /** What was in the node and is not known. */
    private Set<String> unknown = Set.of();

    /**
     * Not started yet.
     *
     * @param periodMs how long it waits after each read, in milliseconds
     * @param known the keys that can be ordered on here
     * @param listener gets those of them that are ordered on after each read, on the thread of this object
     */
    OrderReader(IStateStorage storage, String topologyId, long periodMs, Set<String> known, Consumer<Set<String>> listener) {
        this.storage = storage;
        this.path = TechniqueOrders.path(topologyId);
        this.periodMs = periodMs;
        this.known = Set.copyOf(known);
        this.listener = listener;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Ends the thread. A read that is under way in a ZooKeeper that does not answer may go on for a while, and orders nothing. */
    @Override
    public void close() {
        closed.countDown();
    }

    private void run() {
        try {
            do {
                read();
            } while (!closed.await(periodMs, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void read() {
        try {
            Set<String> keys = TechniqueOrders.decode(storage.get_data(path, false));
            if (closed.getCount() > 0) {
                obey(keys);
                warned = false;
            }
        } catch (RuntimeException e) {
            if (!warned && closed.getCount() > 0) {
                warned = true;
                LOG.warn("The orders at {} cannot be read now: {}. The last orders stay in force until they can.", path, e.toString());
            }
        }
    }

    private void obey(Set<String> keys) {
        Set<String> rest = new TreeSet<>(keys);
        rest.removeAll(known);
        if (!rest.isEmpty() && !rest.equals(unknown)) {
            LOG.warn("Orders at {} are ignored, since no technique with this key can be switched in this worker: {}", path, rest);
        }
        unknown = rest;
        keys.retainAll(known);
        listener.accept(keys);
    }
}
