package io.eyewall.tail.output;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.storm.daemon.worker.WorkerState;
import org.apache.storm.utils.JCQueue;

/** The receive queues of a worker's executors, as they are when they are asked for. */
final class WorkerQueues {

    private WorkerQueues() {
    }

    /**
     * The queue of one executor.
     *
     * @param component whose executor it is
     * @param firstTask the lowest of the executor's tasks
     * @param tasks how many it has
     * @param load which part of the queue is occupied, from 0 to 1
     * @param overflow how many tuples from other workers wait beside the full queue
     */
    record Queue(String component, int firstTask, int tasks, double load, int overflow) {
    }

    /** The queues in the order of tasks. A rebalance may change them meanwhile: then some are left out, or there twice. */
    static List<Queue> of(WorkerState worker) {
        IdentityHashMap<JCQueue, List<Integer>> tasks = new IdentityHashMap<>();
        worker.getLocalReceiveQueues().forEach((task, queue) -> {
            if (queue != null && worker.getTaskToComponent().containsKey(task)) {
                tasks.computeIfAbsent(queue, each -> new ArrayList<>()).add(task);
            }
        });
        Map<Integer, Queue> sorted = new TreeMap<>();
        tasks.forEach((queue, its) -> {
            int first = its.stream().mapToInt(Integer::intValue).min().orElseThrow();
            sorted.put(first, new Queue(worker.getTaskToComponent().get(first), first, its.size(), queue.getQueueLoad(),
                queue.getOverflowCount()));
        });
        return List.copyOf(sorted.values());
    }
}
