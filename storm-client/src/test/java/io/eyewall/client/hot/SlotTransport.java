package io.eyewall.client.hot;

import io.eyewall.client.seam.DrainableTransport;
import io.eyewall.client.seam.NoTransport;
import java.util.Set;
import java.util.function.Supplier;

/** The transport of a process in a slot with these tasks. It carries nothing: executors of tests hand tuples to each other. */
final class SlotTransport extends NoTransport implements DrainableTransport {

    private final Supplier<Set<Integer>> tasks;

    SlotTransport(Supplier<Set<Integer>> tasks) {
        this.tasks = tasks;
    }

    @Override
    public String carrier() {
        return "nothing";
    }

    @Override
    public Set<Integer> slotTasks() {
        return tasks.get();
    }

    @Override
    public void drainedBy(Drain drain) {
        throw new UnsupportedOperationException("Tests drain it themselves.");
    }
}
