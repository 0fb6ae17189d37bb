package io.eyewall.client.settings.tail;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * How the cluster's scheduler orders techniques on and off in running workers: a node in ZooKeeper for each topology, which the scheduler
 * writes and workers read, holds the keys of the techniques that are on, one a line. A missing node is an order to switch everything off.
 */
public final class TechniqueOrders {

    /** The path below which each topology has a node. */
    public static final String ROOT = "/eyewall-techniques";

    /** How often a worker reads its node, in milliseconds. */
    public static final long READ_PERIOD_MS = TimeUnit.SECONDS.toMillis(5);

    /** The key of the adaptive timeout. */
    public static final String ADAPTIVE_TIMEOUT = "topology.adaptive.timeout";

    /** The key of the targets of deadlines. They are stated in the topology's configuration, and apply while they are ordered on. */
    public static final String DEADLINES = "topology.deadline.target.ms";

    private TechniqueOrders() {
    }

    /** The path of a topology's node. */
    public static String path(String topologyId) {
        return ROOT + '/' + topologyId;
    }

    /** The contents of a node. */
    public static byte[] encode(Collection<String> keys) {
        return String.join("\n", new TreeSet<>(keys)).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * The lines of a node, without empty ones; a reader ignores those that it does not know.
     *
     * @param node null if there is none
     */
    public static Set<String> decode(byte[] node) {
        Set<String> keys = new TreeSet<>();
        if (node != null) {
            new String(node, StandardCharsets.UTF_8).lines().map(String::strip).filter(line -> !line.isEmpty()).forEach(keys::add);
        }
        return keys;
    }
}
