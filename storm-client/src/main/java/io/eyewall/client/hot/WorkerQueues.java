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

    /** Makes the queue of an executor that must arrive here, in which its tuples wait for it. */
    JCQueue makeQueue(List<Long> executor);

    /**
     * Makes an executor, with its tasks, for the queue that was made for it, and starts it.
     *
     * @throws Exception what upstream or the user's code throws
     */
    IRunningExecutor start(List<Long> executor) throws Exception;

    /** Forgets the queue of an executor that has ended, or never began, and the metrics of its tasks. */
    void remove(List<Long> executor, JCQueue queue);

    /** Sets the executors that heartbeats name besides the system's, each by its first and last task. */
    void setExecutors(Set<List<Long>> executors);

    /**
     * Sets the queues, by task, into which tuples are put: tuples from other workers at once, tuples of an executor of this worker as soon
     * as it {@linkplain MovableExecutor#useQueues looks up its queues}. Tuples of all other tasks are forwarded.
     *
     * @return whether the queues have changed
     */
    boolean setQueues(Map<Integer, JCQueue> next);
}
