package io.eyewall.client.acking;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.task.WorkerTopologyContext;

/**
 * What one spout executor has cancelled and other workers do not know yet. One bolt task of each worker is told. Used by the executor's
 * thread.
 */
final class CancelledTrees {

    private final WorkerTopologyContext worker;
    private final IntPredicate isUsersBolt;
    private final CancelledRoots here;
    private final long[] entries = new long[2 * AckOutbox.BATCH];
    private int length;

    /** The assignment as it was when {@link #tasks} were chosen; the worker makes a new map when it changes. */
    private Map<Integer, NodeInfo> assignment;
    private Collection<Integer> tasks;

    CancelledTrees(WorkerTopologyContext worker, IntPredicate isUsersBolt, CancelledRoots here) {
        this.worker = worker;
        this.isUsersBolt = isUsersBolt;
        this.here = here;
    }

    /** Cancels a root here; answers whether others have to be told at once. */
    boolean add(long root) {
        here.add(root);
        entries[length] = root | AckBatch.CANCEL;
        length += 2;
        return length == entries.length;
    }

    /** What waits, which does not wait any more; null for nothing. */
    AckBatch take() {
        if (length == 0) {
            return null;
        }
        AckBatch batch = AckBatch.copyOf(entries, length);
        length = 0;
        return batch;
    }

    /** Whom to tell: of each other worker the lowest task that is a user's bolt. */
    Collection<Integer> tasks() {
        Map<Integer, NodeInfo> newest = worker.getTaskToNodePort().get();
        if (assignment != newest) {
            Set<Integer> own = new HashSet<>(worker.getThisWorkerTasks());
            Map<NodeInfo, Integer> lowest = new HashMap<>();
            newest.forEach((task, node) -> {
                if (isUsersBolt.test(task) && !own.contains(task)) {
                    lowest.merge(node, task, Math::min);
                }
            });
            tasks = List.copyOf(lowest.values());
            assignment = newest;
        }
        return tasks;
    }
}
