package io.eyewall.client.hot;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a new assignment means for the executors of a worker. An executor is a range of tasks: where the number of a component's executors
 * changes, ranges leave and others arrive, on the same worker or elsewhere.
 *
 * @param staying those that run and go on
 * @param leaving those that run and are not assigned any more
 * @param arriving those that are assigned and do not run yet
 */
record ExecutorChange(Set<List<Long>> staying, Set<List<Long>> leaving, Set<List<Long>> arriving) {

    /** From the executors that run to those that are assigned, each given by its first and last task. */
    static ExecutorChange between(Set<List<Long>> running, Set<List<Long>> assigned) {
        Set<List<Long>> staying = new HashSet<>(running);
        staying.retainAll(assigned);
        Set<List<Long>> leaving = new HashSet<>(running);
        leaving.removeAll(assigned);
        Set<List<Long>> arriving = new HashSet<>(assigned);
        arriving.removeAll(running);
        return new ExecutorChange(Set.copyOf(staying), Set.copyOf(leaving), Set.copyOf(arriving));
    }
}
