package io.eyewall.core.hot;

import java.util.Optional;
import org.apache.storm.generated.LocalAssignment;
import org.apache.storm.utils.EquivalenceUtils;

/**
 * Whether a running worker may go on although its assignment has changed. Pure.
 *
 * @param current what the worker was started for, or has taken over since; never null
 * @param next what it is to do; null for nothing
 * @param movable whether the worker says that it can change its executors
 * @param leaving whether the worker says that its executors go to other workers
 * @param freeForMs for how many milliseconds it has had nothing to do
 * @param enforced whether the Supervisor enforces resources, which it sets when it starts a worker
 */
public record SlotChange(LocalAssignment current, LocalAssignment next, boolean movable, boolean leaving, long freeForMs,
        boolean enforced) {

    /** In which a worker hears that it has nothing to do, and then brings its executors to others. */
    private static final long HEARS_MS = 5_000;
    private static final long LEAVES_MS = 45_000;

    /** Whether nothing has changed that upstream would restart a worker for. */
    public boolean isNone() {
        return EquivalenceUtils.areLocalAssignmentsEquivalent(next, current);
    }

    /** Why the worker has to be restarted, or ended; empty if it goes on. */
    public Optional<String> restartReason() {
        if (isNone()) {
            return Optional.empty();
        }
        if (next == null) {
            return movable && freeForMs < (leaving ? LEAVES_MS : HEARS_MS) ? Optional.empty() : Optional.of("the slot is free from now on");
        }
        if (!next.get_topology_id().equals(current.get_topology_id())) {
            return Optional.of("the slot is another topology's from now on");
        }
        if (!movable) {
            return Optional.of("the worker cannot change its executors while it runs");
        }
        if (enforced && !sameResources()) {
            return Optional.of("its resources have changed, and are enforced");
        }
        return Optional.empty();
    }

    private boolean sameResources() {
        LocalAssignment resourcesOnly = new LocalAssignment(next);
        resourcesOnly.set_executors(current.get_executors());
        return EquivalenceUtils.areLocalAssignmentsEquivalent(resourcesOnly, current);
    }
}
