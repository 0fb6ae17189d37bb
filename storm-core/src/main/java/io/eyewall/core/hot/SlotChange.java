package io.eyewall.core.hot;

import io.eyewall.client.seam.MovableMark;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.storm.generated.LocalAssignment;
import org.apache.storm.utils.EquivalenceUtils;

/**
 * Decides whether a running worker may keep running although its assignment has changed. Pure.
 *
 * <p>A worker that can change its executors keeps running until it has read its new assignment. If nothing is assigned to it any longer, it
 * keeps running until it has handed everything over; then it removes its mark. A worker that cannot reach ZooKeeper cannot read a new
 * assignment. It is restarted or ended when its session has expired and its executors have been assigned to others meanwhile, because these
 * may run its tasks from then on, even if the executors are assigned to it again.
 *
 * @param current the assignment that the worker was started for, or has taken over since; never null
 * @param next its next assignment; null for none
 * @param mark the mark that the worker has written; empty if it cannot change its executors
 * @param sessionMs how long a session in ZooKeeper lasts, in milliseconds
 * @param enforced whether the Supervisor enforces resources, which it sets when it starts a worker
 */
public record SlotChange(LocalAssignment current, LocalAssignment next, Optional<MovableMark.Reading> mark, long sessionMs,
        boolean enforced) {

    /** Whether upstream would let the worker keep running, since nothing that matters has changed. */
    public boolean isNone() {
        return EquivalenceUtils.areLocalAssignmentsEquivalent(next, current);
    }

    /** Whether the worker is assigned other executors than it has, as far as it has reported that. */
    public boolean isReassigned() {
        return mark.isPresent() && !mark.get().isFor(executors(next));
    }

    /** The reason to restart or end the worker; empty if it keeps running. */
    public Optional<String> restartReason() {
        if (!isNone()) {
            if (next != null && !next.get_topology_id().equals(current.get_topology_id())) {
                return Optional.of("another topology has the slot now");
            }
            if (mark.isEmpty()) {
                return Optional.of(next == null ? "the slot is free now" : "the worker cannot change its executors while it runs");
            }
            if (next != null && enforced && !sameResources()) {
                return Optional.of("its resources have changed, and are enforced");
            }
        }
        if (mark.isPresent() && (isReassigned() || mark.get().reassigned()) && !mark.get().isFresh(sessionMs)) {
            return Optional.of("its executors have changed, and it has not read from ZooKeeper for " + mark.get().ageMs() + " ms");
        }
        return Optional.empty();
    }

    private boolean sameResources() {
        LocalAssignment resourcesOnly = new LocalAssignment(next);
        resourcesOnly.set_executors(current.get_executors());
        return EquivalenceUtils.areLocalAssignmentsEquivalent(resourcesOnly, current);
    }

    private static Collection<List<Long>> executors(LocalAssignment assignment) {
        return assignment == null ? List.of() : assignment.get_executors().stream()
            .map(executor -> List.of((long) executor.get_task_start(), (long) executor.get_task_end())).collect(Collectors.toList());
    }
}
