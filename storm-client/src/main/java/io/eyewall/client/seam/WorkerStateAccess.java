package io.eyewall.client.seam;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.storm.daemon.worker.BackPressureTracker;
import org.apache.storm.utils.JCQueue;

/**
 * Woven into {@code WorkerState}: replaces collections that upstream makes once and reads from all threads. The caller must not change a
 * collection after it was passed in. Any thread may call the setters, but only one at a time.
 */
public interface WorkerStateAccess {

    /** The executors that heartbeats report, each by its first and last task. */
    void setLocalExecutors(Set<List<Long>> executors);

    /** The tasks of this worker, in order. */
    @SuppressWarnings("NonApiType") // The type of the field.
    void setLocalTaskIds(ArrayList<Integer> tasks);

    /** The queues that executors of this worker put tuples into, by task. An executor uses its copy of the map until it copies it again. */
    void setLocalReceiveQueues(Map<Integer, JCQueue> queues);

    /** The queues for tuples from other workers, by task. */
    void setTaskToExecutorQueue(Map<Integer, JCQueue> queues);

    /** The queues for tuples from other workers that are set now. */
    Map<Integer, JCQueue> getTaskToExecutorQueue();

    /** The tracker that watches those queues and decides when other workers must hold back. */
    void setBpTracker(BackPressureTracker tracker);

    /** The tracker that is set now. */
    BackPressureTracker getBpTracker();
}
