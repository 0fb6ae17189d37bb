package org.apache.storm.daemon.worker;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.storm.generated.NodeInfo;

/**
 * The flags that say for which tasks a worker must hold back its tuples, since the receiving worker has asked for it. Each connection has
 * flags of its own. The array that executors read refers, for each task, to the flags of the connection that the task's tuples take.
 * Upstream has one array for all connections: a worker that no longer has a task could then hold back senders after the worker that has the
 * task has asked them to continue.
 *
 * <p>Used by one thread. The flags are set by the threads of the connections, and read by executors.
 */
public final class HoldBackFlags {

    private final AtomicBoolean[] followed;
    private final AtomicBoolean kept;
    private final Map<NodeInfo, AtomicBoolean[]> flags = new HashMap<>();

    /**
     * Flags without any connection.
     *
     * @param followed the array that executors read, by task
     * @param kept set to hold back tuples that this worker keeps because their task has no worker at the moment
     */
    public HoldBackFlags(AtomicBoolean[] followed, AtomicBoolean kept) {
        this.followed = followed;
        this.kept = kept;
    }

    /** Makes the flags of a new connection, by task. */
    public AtomicBoolean[] connecting(NodeInfo place) {
        AtomicBoolean[] made = new AtomicBoolean[followed.length];
        Arrays.setAll(made, task -> new AtomicBoolean());
        flags.put(place, made);
        return made;
    }

    /** Follows the flags of the worker that each task's tuples go to from now on. A worker without a connection is this worker. */
    public void follow(Map<Integer, NodeInfo> homes) {
        homes.forEach((task, place) -> {
            AtomicBoolean[] made = flags.get(place);
            followed[task] = made == null ? kept : made[task];
        });
    }

    /** Forgets the flags of all connections except those to these workers. */
    public void retain(Collection<NodeInfo> places) {
        flags.keySet().retainAll(places);
    }
}
