package io.eyewall.client.acking;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.task.WorkerTopologyContext;

/**
 * The trees that one spout executor has cancelled and that other workers do not know yet. The notice goes to one bolt task of each worker.
 * Used by the executor's thread.
 */
final class CancelledTrees {

    private final WorkerTopologyContext worker;
    private final Integer spoutTask;
    private final IntPredicate isUsersBolt;
    private final CancelledRoots here;
    private final long[] entries = new long[2 * AckOutbox.BATCH];
    private int length;

    /** The assignment as it was when {@link #tasks} were chosen; the worker makes a new map when it changes. */
    private Map<Integer, NodeInfo> assignment;
    private Collection<Integer> tasks;

    /**
     * Without any tree.
     *
     * @param spoutTask a task of the executor; its worker is this worker
     */
    CancelledTrees(WorkerTopologyContext worker, int spoutTask, IntPredicate isUsersBolt, CancelledRoots here) {
        this.worker = worker;
        this.spoutTask = spoutTask;
        this.isUsersBolt = isUsersBolt;
        this.here = here;
    }

    /** Cancels a root in this worker; returns whether other workers must be notified at once. */
    boolean add(long root) {
        here.add(root);
        entries[length] = root | AckBatch.CANCEL;
        length += 2;
        return length == entries.length;
    }

    /** Removes and returns the roots that wait; null for none. */
    AckBatch take() {
        if (length == 0) {
            return null;
        }
        AckBatch batch = AckBatch.copyOf(entries, length);
        length = 0;
        return batch;
    }

    /** The receivers of a notice: of each other worker the lowest task that is a user's bolt. */
    Collection<Integer> tasks() {
        Map<Integer, NodeInfo> newest = worker.getTaskToNodePort().get();
        if (assignment != newest) {
            NodeInfo own = newest.get(spoutTask);
            Map<NodeInfo, Integer> lowest = new HashMap<>();
            newest.forEach((task, node) -> {
                if (isUsersBolt.test(task) && !node.equals(own)) {
                    lowest.merge(node, task, Math::min);
                }
            });
            tasks = List.copyOf(lowest.values());
            assignment = newest;
        }
        return tasks;
    }
}
