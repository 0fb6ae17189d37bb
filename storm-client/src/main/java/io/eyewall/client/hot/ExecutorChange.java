package io.eyewall.client.hot;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The executors of a worker under a new assignment. An executor is a range of tasks: if the number of a component's executors changes,
 * ranges leave and others arrive, in the same worker or in another one.
 *
 * @param staying executors that run and continue
 * @param leaving executors that run and are no longer assigned
 * @param arriving executors that are assigned and do not run yet
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
