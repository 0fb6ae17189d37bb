package io.eyewall.elasticity.model;

import java.util.List;

/**
 * A machine that runs workers.
 *
 * @param id its id, which is Storm's supervisor id
 * @param ports the ports of its slots, used and free
 * @param cores how many executors can be busy on it at the same time without slowing each other down;
 *     {@link Double#POSITIVE_INFINITY} if unknown
 */
public record Machine(String id, List<Integer> ports, double cores) {

    /** Checks that there are more than 0 cores, and sorts the ports. */
    public Machine {
        if (!(cores > 0)) {
            throw new IllegalArgumentException("Machine " + id + ": " + cores + " cores, more than 0 needed");
        }
        ports = ports.stream().sorted().distinct().toList();
    }
}
