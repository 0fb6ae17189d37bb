package org.apache.storm.daemon.worker;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.utils.JCQueue;

/**
 * Tracks the back-pressure of all tasks of a topology, including those that the worker has no queue for: their tuples take a detour, whose
 * queue can be full, too. It is in upstream's package, since the state of a task is package-private. Safe for any thread.
 */
public final class AllTasksTracker extends BackPressureTracker {

    /** The state of a task that has no metrics. */
    private static final int NO_TASK = -1;

    private final JCQueue detour;
    /** The tasks whose senders hold back because the detour is full. */
    private final Map<Integer, BackpressureState> detoured = new ConcurrentHashMap<>();
    /** The tasks whose senders held back because of the detour and no longer need to. */
    private final Set<Integer> released = ConcurrentHashMap.newKeySet();

    /**
     * A tracker for which no worker holds back yet.
     *
     * @param before the tracker that this one replaces, or null: senders that held back for tasks that have left are released
     * @param queues the queues of the worker's tasks
     * @param detour the queue for the tuples of all other tasks
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
