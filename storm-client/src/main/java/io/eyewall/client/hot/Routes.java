package io.eyewall.client.hot;

import java.util.Map;
import java.util.Set;
import org.apache.storm.utils.JCQueue;

/**
 * The destinations of the tuples of each task, as one worker sees them. Immutable.
 *
 * @param queues the queues of the tasks whose tuples go to this worker
 * @param expected tasks that are assigned to this worker, whether or not their tuples go to it already
 * @param homes the worker to which the tuples of each task go
 */
record Routes(Map<Integer, JCQueue> queues, Set<Integer> expected, Map<Integer, WorkerPlace> homes) {

    static final Routes NONE = new Routes(Map.of(), Set.of(), Map.of());

    Routes {
        queues = Map.copyOf(queues);
        expected = Set.copyOf(expected);
        homes = Map.copyOf(homes);
    }
}
