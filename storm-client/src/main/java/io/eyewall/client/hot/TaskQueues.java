package io.eyewall.client.hot;

import java.util.HashMap;
import java.util.Map;
import org.apache.storm.utils.JCQueue;

/**
 * The queues of a worker's tasks, and one queue for the tuples of all other tasks: upstream looks up the task of every tuple that another
 * worker has sent. Never changes, so that a look-up is one in an array.
 */
final class TaskQueues extends HashMap<Integer, JCQueue> {

    private static final long serialVersionUID = 1L;

    private final transient JCQueue others;
    /** Without the tasks of the system, whose numbers are negative. */
    private final transient JCQueue[] byTask;

    TaskQueues(Map<Integer, JCQueue> queues, JCQueue others) {
        super(queues);
        this.others = others;
        byTask = new JCQueue[1 + queues.keySet().stream().mapToInt(Integer::intValue).max().orElse(-1)];
        queues.forEach((task, queue) -> {
            if (task >= 0) {
                byTask[task] = queue;
            }
        });
    }

    @Override
    public JCQueue get(Object task) {
        int id = (Integer) task;
        JCQueue queue = id < 0 ? super.get(task) : id < byTask.length ? byTask[id] : null;
        return queue == null ? others : queue;
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }
}
