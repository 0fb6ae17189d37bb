package io.eyewall.client.seam;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.storm.daemon.worker.BackPressureTracker;
import org.apache.storm.utils.JCQueue;

/**
 * Woven into {@code WorkerState}: exchanges what upstream makes once and reads from all threads. What is handed in must not be changed any
 * more; for any thread, though only one may do it.
 */
public interface MovableParts {

    /** The executors that heartbeats name, each by its first and last task. */
    void setLocalExecutors(Set<List<Long>> executors);

    /** The tasks of this worker, in order. */
    @SuppressWarnings("NonApiType") // The type of the field.
    void setLocalTaskIds(ArrayList<Integer> tasks);

    /** The queues that executors of this worker put tuples into, by task; what they have copied stays until they copy it again. */
    void setLocalReceiveQueues(Map<Integer, JCQueue> queues);

    /** The queues that tuples of other workers are put into, by task. */
    void setTaskToExecutorQueue(Map<Integer, JCQueue> queues);

    /** What watches over those queues and tells other workers when to hold back. */
    void setBpTracker(BackPressureTracker tracker);

    /** What watches over them now. */
    BackPressureTracker getBpTracker();
}
