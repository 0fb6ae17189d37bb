package io.eyewall.client.hot;

import java.util.Map;
import java.util.Set;

/**
 * What a shuffle must know about tasks. Neither collection changes.
 *
 * @param local the tasks whose tuples go to this worker, or to its slot
 * @param firstTasks the first task of the executor of each task; a task that is not in it is taken for an executor of its own
 */
record TaskPlacement(Set<Integer> local, Map<Integer, Integer> firstTasks) {

    /** Nothing is local, and each task has an executor of its own. */
    static final TaskPlacement UNKNOWN = new TaskPlacement(Set.of(), Map.of());

    /** The first task of the executor of a task. */
    int firstTask(int task) {
        return firstTasks.getOrDefault(task, task);
    }
}
