package io.eyewall.elasticity.model;

import java.util.Comparator;

/**
 * A slot, in which one worker process can run.
 *
 * @param machine the machine's id, which is Storm's supervisor id
 * @param port the worker's port on that machine
 */
public record Slot(String machine, int port) implements Comparable<Slot> {

    private static final Comparator<Slot> ORDER = Comparator.comparing(Slot::machine).thenComparingInt(Slot::port);

    @Override
    public int compareTo(Slot other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return machine + ":" + port;
    }
}
