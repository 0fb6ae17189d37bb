package io.eyewall.elasticity.henge;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The outcome of one look at the cluster.
 *
 * @param state the state to pass in next time, with the next observation
 * @param plan the plan that is to be applied now; the same one is returned until it is applied or given up
 * @param measuredAnew the topologies whose figures are to be measured anew from now on, since tuples that waited before a step have left,
 *     or leave now
 * @param events what is to be written to the action log, oldest first
 * @param work how many operators, executors and machines were looked at to make the plan
 */
public record HengeStep(HengeState state, Optional<HengePlan> plan, Set<String> measuredAnew, List<HengeEvent> events,
        long work) {

    /** Copies the collections. */
    public HengeStep {
        measuredAnew = Set.copyOf(measuredAnew);
        events = List.copyOf(events);
    }
}
