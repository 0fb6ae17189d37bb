package org.apache.storm.daemon.worker;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.storm.generated.NodeInfo;

/**
 * For which tasks the workers that a worker is connected to ask it to hold back. Each connection has flags of its own, and the array that
 * executors look at refers to the flags of the connection that each task's tuples take. With one array for all connections, as upstream has
 * it, a worker that no longer has a task could hold back its senders after the worker that has it asked them to go on.
 *
 * <p>Used by one thread. The flags are set by the threads of the connections, and read by executors.
 */
public final class HoldBackFlags {

    private final AtomicBoolean[] followed;
    private final AtomicBoolean kept;
    private final Map<NodeInfo, AtomicBoolean[]> flags = new HashMap<>();

    /**
     * No connections.
     *
     * @param followed the array that executors look at, by task
     * @param kept whether to hold back for tasks whose tuples this worker keeps, since they have no worker at the moment
     */
    public HoldBackFlags(AtomicBoolean[] followed, AtomicBoolean kept) {
        this.followed = followed;
        this.kept = kept;
    }

    /** The flags of a connection that is being made, by task. */
    public AtomicBoolean[] connecting(NodeInfo place) {
        AtomicBoolean[] made = new AtomicBoolean[followed.length];
        Arrays.setAll(made, task -> new AtomicBoolean());
        flags.put(place, made);
        return made;
    }

    /** The tuples of each task go to that worker from now on; one without a connection is this worker. */
    public void follow(Map<Integer, NodeInfo> homes) {
        homes.forEach((task, place) -> {
            AtomicBoolean[] made = flags.get(place);
            followed[task] = made == null ? kept : made[task];
        });
    }

    /** There are connections to these workers only. */
    public void retain(Collection<NodeInfo> places) {
        flags.keySet().retainAll(places);
    }
}
