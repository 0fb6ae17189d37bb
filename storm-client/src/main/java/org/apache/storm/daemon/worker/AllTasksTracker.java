package org.apache.storm.daemon.worker;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.utils.JCQueue;

/**
 * Back-pressure of all tasks of a topology, also of those that a worker has no queue for: their tuples take a detour, which can be full as
 * a queue can. In upstream's package, since the state of a task is known in it only. For any thread.
 */
public final class AllTasksTracker extends BackPressureTracker {

    /** The state of a task that has no metrics. */
    private static final int NO_TASK = -1;

    private final JCQueue detour;
    /** Of the tasks whose senders hold back because the detour is full. */
    private final Map<Integer, BackpressureState> detoured = new ConcurrentHashMap<>();
    /** The tasks that were among these, and are not any more. */
    private final Set<Integer> released = ConcurrentHashMap.newKeySet();

    /**
     * For which no worker holds back yet.
     *
     * @param before what knew that until now: senders that held back for tasks that are not here any more are released; null for nothing
     * @param queues the queues of the worker's tasks
     * @param detour the queue in the place of those of all other tasks
     */
    public AllTasksTracker(String workerId, BackPressureTracker before, Map<Integer, JCQueue> queues, JCQueue detour,
            StormMetricRegistry metrics, Map<Integer, String> taskToComponent) {
        super(workerId, queues, metrics, taskToComponent);
        this.detour = detour;
        if (before != null) {
            BackPressureStatus status = before.getCurrStatus();
            released.addAll(status.bpTasks);
            released.addAll(status.nonBpTasks);
            released.removeAll(queues.keySet());
        }
    }

    @Override
    public BackpressureState getBackpressureState(Integer task) {
        BackpressureState known = super.getBackpressureState(task);
        return known != null ? known
            : detoured.computeIfAbsent(task, added -> new BackpressureState(detour, NO_TASK, null, null));
    }

    @Override
    public boolean refreshBpTaskList() {
        boolean changed = super.refreshBpTaskList();
        if (detoured.isEmpty() || !detour.isEmptyOverflow()) {
            return changed;
        }
        for (Integer task : new HashSet<>(detoured.keySet())) {
            released.add(task);
            detoured.remove(task);
        }
        return true;
    }

    @Override
    public BackPressureStatus getCurrStatus() {
        BackPressureStatus status = super.getCurrStatus();
        status.bpTasks.addAll(detoured.keySet());
        released.stream().filter(task -> !detoured.containsKey(task)).forEach(status.nonBpTasks::add);
        return status;
    }
}
