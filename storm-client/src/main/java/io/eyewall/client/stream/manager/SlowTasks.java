package io.eyewall.client.stream.manager;

import io.eyewall.client.stream.plan.InstancePlan;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The tasks that cannot keep up, and which of them only wait for others. Immutable.
 *
 * @param holdsStages whether bolts are held back, too, and so may fall behind for the sake of another one
 * @param held those that are connected and cannot keep up
 * @param missed those that are connected nowhere, while too much waits for them: their instances have died, or have not started
 * @param unread those of this container whose instances are not read, since they have sent to others for which too much waits
 */
record SlowTasks(InstancePlan plan, boolean holdsStages, Set<Integer> held, Set<Integer> missed, Set<Integer> unread) {

    /** The tasks that cannot keep up, connected or not. */
    Set<Integer> all() {
        Set<Integer> all = new HashSet<>(held);
        all.addAll(missed);
        return all;
    }

    /** These tasks, except those that only wait for others: they are not read, or hold their tuples back for one that cannot keep up. */
    Set<Integer> causes(Collection<Integer> of) {
        Set<Integer> all = all();
        return of.stream().filter(task -> missed.contains(task) || !(unread.contains(task) || (holdsStages && plan.mayWait(task, all))))
            .collect(Collectors.toSet());
    }
}
