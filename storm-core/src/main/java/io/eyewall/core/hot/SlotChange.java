package io.eyewall.core.hot;

import io.eyewall.client.seam.MovableMark;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.storm.generated.LocalAssignment;
import org.apache.storm.utils.EquivalenceUtils;

/**
 * Whether a running worker may go on although its assignment has changed. Pure.
 *
 * <p>A worker that can change its executors goes on for as long as it takes it to read its new assignment, and, if it is assigned nothing
 * any more, for as long as it takes it to hand everything over. It removes its mark then. A worker that cannot reach ZooKeeper does not
 * read a new assignment: it is restarted or ended when its session has expired, because other workers may run its tasks from then on.
 *
 * @param current what the worker was started for, or has taken over since; never null
 * @param next what it is to do; null for nothing
 * @param mark what the worker reports; empty if it cannot change its executors
 * @param sessionMs how long a session in ZooKeeper lasts, in milliseconds
 * @param enforced whether the Supervisor enforces resources, which it sets when it starts a worker
 */
public record SlotChange(LocalAssignment current, LocalAssignment next, Optional<MovableMark.Reading> mark, long sessionMs,
        boolean enforced) {

    /** Whether nothing has changed that upstream would restart a worker for. */
    public boolean isNone() {
        return EquivalenceUtils.areLocalAssignmentsEquivalent(next, current);
    }

    /** Why the worker has to be restarted, or ended; empty if it goes on. */
    public Optional<String> restartReason() {
        if (!isNone()) {
            if (next != null && !next.get_topology_id().equals(current.get_topology_id())) {
                return Optional.of("the slot is another topology's from now on");
            }
            if (mark.isEmpty()) {
                return Optional.of(next == null ? "the slot is free from now on" : "the worker cannot change its executors while it runs");
            }
            if (next != null && enforced && !sameResources()) {
                return Optional.of("its resources have changed, and are enforced");
            }
        }
        if (mark.isPresent() && !mark.get().isFor(executors(next)) && !mark.get().isFresh(sessionMs)) {
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
