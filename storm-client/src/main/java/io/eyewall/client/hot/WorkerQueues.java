package io.eyewall.client.hot;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.storm.executor.IRunningExecutor;
import org.apache.storm.utils.JCQueue;

/**
 * The queues and executors of a worker, as its other threads see them. Used by the conducting thread; the other threads see each part
 * either as it was before a change or as it is after it.
 */
interface WorkerQueues {

    /** Makes the queue of an executor that has to arrive, in which its tuples wait for it. */
    JCQueue makeQueue(List<Long> executor);

    /**
     * Makes an executor, with its tasks, for the queue that was made for it, and starts it.
     *
     * @throws Exception if upstream or the user's code does
     */
    IRunningExecutor start(List<Long> executor) throws Exception;

    /** Forgets the queue of an executor that has ended, or never began, and the metrics of its tasks. */
    void remove(List<Long> executor, JCQueue queue);

    /** Has heartbeats name these executors, each by its first and last task, beside the system's. */
    void setExecutors(Set<List<Long>> executors);

    /**
     * Has tuples put into these queues, by task, from now on: those of other workers at once, those of an executor of this worker as soon
     * as it {@linkplain MovableExecutor#useQueues looks}. All others are sent on.
     *
     * @return whether they are others than before
     */
    boolean setQueues(Map<Integer, JCQueue> next);
}
