package io.eyewall.client.hot;

import java.util.HashMap;
import java.util.Map;
import org.apache.storm.utils.JCQueue;

/**
 * The queues of a worker's tasks, and one queue for the tuples of all other tasks: upstream looks up the task of every tuple that another
 * worker has sent.
 */
final class TaskQueues extends HashMap<Integer, JCQueue> {

    private static final long serialVersionUID = 1L;

    private final transient JCQueue others;

    TaskQueues(Map<Integer, JCQueue> queues, JCQueue others) {
        super(queues);
        this.others = others;
    }

    @Override
    public JCQueue get(Object task) {
        JCQueue queue = super.get(task);
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
