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
    private final Map<NodeInfo, AtomicBoolean[]> flags = new HashMap<>();

    /** No connections; {@code followed} is the array that executors look at, by task. */
    public HoldBackFlags(AtomicBoolean[] followed) {
        this.followed = followed;
    }

    /** The flags of a connection that is being made, by task. */
    public AtomicBoolean[] connecting(NodeInfo place) {
        AtomicBoolean[] made = new AtomicBoolean[followed.length];
        Arrays.setAll(made, task -> new AtomicBoolean());
        flags.put(place, made);
        return made;
    }

    /** The tuples of each task go to that worker from now on; for one without a connection nobody holds back. */
    public void follow(Map<Integer, NodeInfo> homes) {
        homes.forEach((task, place) -> {
            AtomicBoolean[] made = flags.get(place);
            followed[task] = made == null ? new AtomicBoolean() : made[task];
        });
    }

    /** There are connections to these workers only. */
    public void retain(Collection<NodeInfo> places) {
        flags.keySet().retainAll(places);
    }
}
