package io.eyewall.scheduler.drain;

import java.util.OptionalLong;
import java.util.SortedSet;

/** What the cluster's state storage says of Supervisors. */
interface SupervisorStates {

    /**
     * The workers of a Supervisor that still run or hand over executors, as topology and port. Those of topologies without hot rebalance
     * are not known.
     *
     * @throws RuntimeException if the state storage cannot be reached
     */
    SortedSet<String> workers(String supervisorId);

    /**
     * How long the Supervisor has been running, in seconds; empty if it does not run.
     *
     * @throws RuntimeException if the state storage cannot be reached
     */
    OptionalLong uptimeSecs(String supervisorId);
}
