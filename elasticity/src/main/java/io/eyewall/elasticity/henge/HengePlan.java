package io.eyewall.elasticity.henge;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is to change in one step, and why. Immutable.
 *
 * @param step the number of the step
 * @param action what kind of step it is
 * @param diagnosis what is wrong: an action that did not help for a diagnosis is not repeated for it
 * @param prediction what the step is expected to bring, in one line
 * @param changes the change of each topology, by its id; at least one
 */
public record HengePlan(long step, Action action, String diagnosis, String prediction, SortedMap<String, TopologyChange> changes) {

    /** Copies the map, and checks that something changes. */
    public HengePlan {
        if (changes.isEmpty()) {
            throw new IllegalArgumentException("Step " + step + " changes nothing");
        }
        changes = Collections.unmodifiableSortedMap(new TreeMap<>(changes));
    }
}
