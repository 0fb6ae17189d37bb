package io.eyewall.client.hot;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a shuffle must know about tasks. No collection changes.
 *
 * @param here this worker's place; none if it does not matter
 * @param local the tasks whose tuples go to this worker, or to its slot
 * @param executors the executor of each task; a task that is not in it is taken for an executor of its own
 */
record TaskPlacement(Optional<WorkerPlace> here, Set<Integer> local, Map<Integer, Home> executors) {

    /** Nothing is local, and each task has an executor of its own. */
    static final TaskPlacement UNKNOWN = new TaskPlacement(Optional.empty(), Set.of(), Map.of());

    /**
     * The executor of a task.
     *
     * @param firstTask its first task
     * @param place the worker to which it is assigned
     */
    record Home(int firstTask, WorkerPlace place) {
    }

    /** The first task of the executor of a task. */
    int firstTask(int task) {
        Home executor = executors.get(task);
        return executor == null ? task : executor.firstTask;
    }

    /** The same with other local tasks; the same object if they are the same. */
    TaskPlacement withLocal(Set<Integer> tasks) {
        return local.equals(tasks) ? this : new TaskPlacement(here, Set.copyOf(tasks), executors);
    }
}
