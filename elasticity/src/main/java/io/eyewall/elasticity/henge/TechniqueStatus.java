package io.eyewall.elasticity.henge;

import java.util.Optional;
import java.util.Set;

/**
 * Which techniques can be switched in a topology, and which are on.
 *
 * @param possible the techniques that the topology lets the scheduler switch
 * @param shuffled the components that load balancing reaches: those that get tuples by a shuffle grouping
 * @param inEffect the techniques that all of its workers use; empty if an order is on its way to them or cannot be given now
 */
public record TechniqueStatus(Set<Technique> possible, Set<String> shuffled, Optional<Set<Technique>> inEffect) {

    /** Of a topology in which nothing can be switched. */
    public static final TechniqueStatus NONE = new TechniqueStatus(Set.of(), Set.of(), Optional.of(Set.of()));

    /** Copies the sets. */
    public TechniqueStatus {
        possible = Set.copyOf(possible);
        shuffled = Set.copyOf(shuffled);
        inEffect = inEffect.map(Set::copyOf);
    }
}
