package io.eyewall.elasticity.model;

import java.util.List;

/**
 * A machine that runs workers.
 *
 * @param id its id: Storm's supervisor id
 * @param ports the ports of its slots, used or free
 * @param cores how many executors can be busy on it at the same time without slowing each other down;
 *     {@link Double#POSITIVE_INFINITY} where that is not known
 */
public record Machine(String id, List<Integer> ports, double cores) {

    /** Checks the capacity. */
    public Machine {
        if (!(cores > 0)) {
            throw new IllegalArgumentException("Machine " + id + ": " + cores + " cores, more than 0 needed");
        }
        ports = ports.stream().sorted().distinct().toList();
    }
}
