package io.eyewall.client.hot;

import com.codahale.metrics.Metric;
import io.eyewall.client.seam.QueueRequest;
import io.eyewall.client.seam.WorkerStateAccess;
import io.eyewall.client.seam.woven.SeamEntry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.storm.Config;
import org.apache.storm.Constants;
import org.apache.storm.daemon.StormCommon;
import org.apache.storm.daemon.worker.BackPressureTracker;
import org.apache.storm.daemon.worker.WorkerConnections;
import org.apache.storm.daemon.worker.WorkerState;
import org.apache.storm.executor.Executor;
import org.apache.storm.executor.IRunningExecutor;
import org.apache.storm.generated.Credentials;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.policy.IWaitStrategy;
import org.apache.storm.utils.JCQueue;
import org.apache.storm.utils.ObjectReader;

/**
 * Replaces parts of a running worker when its executors change: queues, metrics and the executors that heartbeats name.
 *
 * <p>The threads of the network look up a queue and then, if it is full, the tracker of back-pressure. They may find one of the two from
 * before an exchange and the other from after it, so the tracker accepts tasks that it does not know.
 */
final class StormWorkerQueues implements WorkerQueues {

    /** Upstream's names. */
    private static final String QUEUE = "receive-queue";
    private static final String OVERFLOW_GAUGE = "__backpressure-last-overflow-count";

    private final WorkerState worker;
    private final WorkerConnections connections;
    private final WorkerStateAccess parts;
    private final JCQueue others;
    private final int lastTask;
    private Map<Integer, JCQueue> queues;

    /**
     * The parts of a worker whose executors have been made.
     *
     * @param others takes the tuples of tasks that this worker does not have, from now on
     */
    StormWorkerQueues(WorkerState worker, WorkerConnections connections, JCQueue others) {
        this.worker = worker;
        this.connections = connections;
        this.others = others;
        parts = (WorkerStateAccess) worker;
        lastTask = Collections.max(worker.getTaskToComponent().keySet());
        queues = new HashMap<>();
        worker.getExecutorReceiveQueueMap().forEach((executor, queue) ->
            StormCommon.executorIdToTasks(executor).forEach(task -> queues.put(task, queue)));
        parts.setTaskToExecutorQueue(new TaskQueues(queues, others));
        // The array always has a place for each task: a thread of the user's may put a tuple into a queue while queues are exchanged.
        worker.getLocalReceiveQueues().putIfAbsent(lastTask, null);
    }

    @Override
    public JCQueue makeQueue(List<Long> executor) {
        Map<String, Object> conf = worker.getTopologyConf();
        List<Integer> tasks = StormCommon.executorIdToTasks(executor);
        removeMetrics(tasks, name -> name.startsWith(QUEUE)); // Those of an executor that has, or had, one of the tasks.
        JCQueue queue = SeamEntry.of(worker).receiveQueues().receiveQueue(new QueueRequest(QUEUE + executor, QUEUE,
            ObjectReader.getInt(conf.get(Config.TOPOLOGY_EXECUTOR_RECEIVE_BUFFER_SIZE)),
            ObjectReader.getInt(conf.get(Config.TOPOLOGY_EXECUTOR_OVERFLOW_LIMIT)),
            ObjectReader.getInt(conf.get(Config.TOPOLOGY_PRODUCER_BATCH_SIZE)), IWaitStrategy.createBackPressureWaitStrategy(conf),
            worker.getTopologyId(), worker.getTaskToComponent().get(tasks.get(0)), tasks, worker.getPort(), worker.getMetricRegistry()));
        worker.getExecutorReceiveQueueMap().put(executor, queue);
        return queue;
    }

    @Override
    public IRunningExecutor start(List<Long> executor) throws Exception {
        Credentials credentials = worker.getCredentials();
        return Executor.mkExecutor(worker, executor, credentials == null ? Map.of() : credentials.get_creds()).execute();
    }

    @Override
    public void remove(List<Long> executor, JCQueue queue) {
        queue.close();
        worker.getExecutorReceiveQueueMap().remove(executor, queue);
        List<Integer> tasks = StormCommon.executorIdToTasks(executor);
        removeMetrics(tasks);
        SeamEntry.of(worker).left(tasks, queue);
    }

    /** Removes the metrics of tasks that have ended here, except those of the queue of another executor that has one of them by now. */
    private void removeMetrics(Collection<Integer> tasks) {
        Set<Integer> again = new HashSet<>();
        worker.getExecutorReceiveQueueMap().keySet().forEach(executor -> again.addAll(StormCommon.executorIdToTasks(executor)));
        tasks.forEach(task -> removeMetrics(List.of(task),
            name -> !again.contains(task) || !(name.startsWith(QUEUE) || name.equals(OVERFLOW_GAUGE))));
    }

    @Override
    public void setExecutors(Set<List<Long>> executors) {
        Set<List<Long>> all = new HashSet<>(executors);
        all.add(Constants.SYSTEM_EXECUTOR_ID);
        parts.setLocalExecutors(all);
    }

    @Override
    public boolean setQueues(Map<Integer, JCQueue> next) {
        if (next.equals(queues)) {
            return false;
        }
        Map<Integer, JCQueue> local = new HashMap<>(next);
        local.putIfAbsent(lastTask, null);
        parts.setLocalReceiveQueues(local);
        ArrayList<Integer> tasks = new ArrayList<>(next.keySet());
        Collections.sort(tasks);
        parts.setLocalTaskIds(tasks);
        BackPressureTracker tracker = track(next);
        parts.setTaskToExecutorQueue(new TaskQueues(next, others));
        worker.getReceiver().sendBackPressureStatus(tracker.getCurrStatus());
        queues = Map.copyOf(next);
        return true;
    }

    /** Replaces the tracker of the present queues by one that accepts all tasks. Called once the worker is put together. */
    void trackAllTasks() {
        track(queues);
    }

    private BackPressureTracker track(Map<Integer, JCQueue> next) {
        removeMetrics(queues.keySet(), OVERFLOW_GAUGE::equals);
        BackPressureTracker tracker = connections.backPressure(parts.getBpTracker(), next, others);
        parts.setBpTracker(tracker);
        return tracker;
    }

    private void removeMetrics(Collection<Integer> tasks, Predicate<String> name) {
        StormMetricRegistry metrics = worker.getMetricRegistry();
        Set<Metric> gone = new HashSet<>();
        for (int task : tasks) {
            Stream.of(metrics.getTaskGauges(task), metrics.getTaskCounters(task), metrics.getTaskHistograms(task),
                metrics.getTaskMeters(task), metrics.getTaskTimers(task)).forEach(kind -> kind.forEach((metricName, metric) -> {
                    if (name.test(metricName)) {
                        gone.add(metric);
                    }
                }));
        }
        metrics.deregister(gone);
    }
}
