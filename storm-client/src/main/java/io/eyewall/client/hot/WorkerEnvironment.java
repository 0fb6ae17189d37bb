package io.eyewall.client.hot;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.storm.generated.Assignment;

/** The worker, the cluster and the clock, as {@link RebalanceConductor} needs them. Used by the conducting thread. */
interface WorkerEnvironment {

    /** The topology of the worker. */
    String topologyId();

    /** Where the worker is. */
    WorkerPlace here();

    /** A clock in nanoseconds. */
    long nowNs();

    /** A number for a departure, which no worker of the topology has used: not 0. */
    long newDeparture();

    /** Whether the topology is active, and this worker has been connected to all others: executors wait for that before they prepare. */
    boolean isActive();

    /** The task that makes checkpoints, of a topology that has stateful bolts. */
    Optional<Integer> checkpointTask();

    /** Whether a task is one of a bolt. */
    boolean isBolt(int task);

    /**
     * The assignment that Nimbus has stored in ZooKeeper; null if the topology has none. {@code changed} is called when there is another
     * one.
     *
     * @throws RuntimeException if ZooKeeper cannot be reached
     */
    Assignment readAssignment(Runnable changed);

    /**
     * The executors that Nimbus has assigned to this worker; empty if the topology has no assignment. {@code changed} as above.
     *
     * @throws RuntimeException if ZooKeeper cannot be reached
     */
    default Set<List<Long>> readAssigned(Runnable changed) {
        Assignment assignment = readAssignment(changed);
        return assignment == null ? Set.of() : here().executors(assignment);
    }

    /**
     * The host of a Supervisor; null if it is gone.
     *
     * @throws RuntimeException if ZooKeeper cannot be reached
     */
    String readHost(String node);

    /** How long a message may be pending, in nanoseconds. By the end of that time it has been acked, has failed, or has timed out. */
    long quiesceAtMostNs();

    /** How long the user's code may take for one call, in nanoseconds, before it holds up a move for too long. */
    long returnAtMostNs();

    /** The longest time between two reads of ZooKeeper, in nanoseconds. */
    long lookEveryNs();

    /** Reports to the Supervisor that the worker can change its executors, which are these, and that it reaches ZooKeeper. */
    void setMovable(Set<List<Long>> executors);

    /** Reports to the Supervisor that the worker cannot change its executors, or has handed over the last of them. */
    void clearMovable();

    /** Whether the Supervisor knows this worker: it clears away the directory of one that it has given up. */
    boolean isKnown();

    /** Ends the worker. Its Supervisor starts it again if it is assigned anything. */
    void restart(String reason);
}
