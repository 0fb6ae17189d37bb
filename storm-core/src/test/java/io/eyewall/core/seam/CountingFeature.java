package io.eyewall.core.seam;

import io.eyewall.client.seam.BufferCallback;
import io.eyewall.client.seam.Executors;
import io.eyewall.client.seam.Groupings;
import io.eyewall.client.seam.ProbedQueue;
import io.eyewall.client.seam.TupleWire;
import io.eyewall.client.seam.WakingEmits;
import io.eyewall.client.seam.WorkerFeature;
import io.eyewall.client.seam.WorkerSeams;
import io.eyewall.client.substitute.CachedThreadLocal;
import io.eyewall.client.substitute.SingleTaskGrouping;
import io.eyewall.client.substitute.TaskMetricsByStream;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.storm.daemon.Task;
import org.apache.storm.daemon.worker.WorkerState;
import org.apache.storm.daemon.worker.WorkerTransfer;
import org.apache.storm.executor.Executor;
import org.apache.storm.executor.ExecutorTransfer;
import org.apache.storm.executor.bolt.BoltExecutor;
import org.apache.storm.executor.spout.SpoutExecutor;
import org.apache.storm.grouping.LoadAwareCustomStreamGrouping;
import org.apache.storm.utils.JCQueue;

/**
 * Counts how often each seam is reached and changes nothing. A service, so the counts are those of the process.
 */
public final class CountingFeature implements WorkerFeature {

    static final Map<String, LongAdder> REACHED = new ConcurrentHashMap<>();

    /** A task of each component. */
    static final Map<String, Task> TASKS = new ConcurrentHashMap<>();

    static long reached(String seam) {
        LongAdder count = REACHED.get(seam);
        return count == null ? 0 : count.sum();
    }

    @Override
    public String name() {
        return "test-counting";
    }

    @Override
    public void join(WorkerSeams.Builder seams, Map<String, Object> topologyConf) {
        count("worker-lifetime (open)");
        seams.onClose(worker -> count("worker-lifetime (close)"));
        seams.receiveQueues(next -> request -> {
            count("receive-queue");
            JCQueue queue = next.receiveQueue(request);
            ((ProbedQueue) queue).addEyewallProbe(new CountingProbe("receive queue"));
            return queue;
        });
        seams.transferQueues(next -> request -> {
            count("transfer-queue");
            return next.transferQueue(request);
        });
        seams.groupings(next -> request -> {
            count(nameOf(request));
            LoadAwareCustomStreamGrouping grouping = next.grouping(request);
            return request.grouping().is_set_fields() ? new CountingGrouping(grouping) : grouping;
        });
        seams.taskObjects(next -> (task, taskObject) -> {
            count("task-object");
            TASKS.put(task.getComponentId(), task);
            return next.taskObject(task, taskObject);
        });
        seams.executors(CountingExecutors::new);
        seams.executorLoops(next -> request -> {
            count("executor-loop");
            countSubstitutes(request.executor());
            return next.start(request);
        });
        seams.spoutCollectors(next -> request -> {
            count("spout-collector");
            return next.collector(request);
        });
        seams.boltCollectors(next -> request -> {
            count("bolt-collector");
            return next.collector(request);
        });
        seams.pendingMessages(next -> request -> {
            count("pending-messages");
            return next.messages(request);
        });
        seams.workerTransfers(next -> (worker, conf, maxTaskId) -> {
            count("worker-transfer");
            WorkerTransfer transfer = next.transfer(worker, conf, maxTaskId);
            ((ProbedQueue) transfer.getTransferQueue()).addEyewallProbe(new CountingProbe("transfer queue"));
            return transfer;
        });
        seams.outboundTasks(next -> (worker, tasks) -> {
            count("outbound-tasks");
            return next.tasks(worker, tasks);
        });
        seams.receivers(next -> request -> {
            count("receiver");
            count(request.received() instanceof BufferCallback ? "received-message" : "received-message (upstream's)");
            return next.receiver(request);
        });
        seams.workerChange(CountingChange::new);
        seams.executorProbes(executor -> new CountingProbe("executor-probe"));
        seams.tupleWires(next -> context -> TupleWire.both(next.wire(context), new CountingWire()));
    }

    private static String nameOf(Groupings.Request grouping) {
        return "grouping of " + grouping.componentId() + ", stream " + grouping.streamId()
            + (grouping.upstreamGrouping() instanceof SingleTaskGrouping ? ", to one task" : "");
    }

    static void count(String seam) {
        REACHED.computeIfAbsent(seam, name -> new LongAdder()).increment();
    }

    private record CountingExecutors(Executors next) implements Executors {
        @Override
        public SpoutExecutor spoutExecutor(WorkerState worker, List<Long> executorId, Map<String, String> credentials) {
            count("executor (spout)");
            return next.spoutExecutor(worker, executorId, credentials);
        }

        @Override
        public BoltExecutor boltExecutor(WorkerState worker, List<Long> executorId, Map<String, String> credentials) {
            count("executor (bolt)");
            return next.boltExecutor(worker, executorId, credentials);
        }
    }

    /** What has no interface is seen by what stands in upstream's place. */
    private static void countSubstitutes(Executor executor) {
        try {
            for (Object task : (List<?>) valueOf(Executor.class, "idToTask", executor)) {
                if (task != null && ((Task) task).getTaskMetrics() instanceof TaskMetricsByStream) {
                    count("task-metrics");
                }
            }
            if (valueOf(ExecutorTransfer.class, "threadLocalSerializer", executor.getExecutorTransfer()) instanceof CachedThreadLocal) {
                count("serializer-of-thread");
            }
            if (executor.getPendingEmits() instanceof WakingEmits) {
                count("pending-emits");
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Upstream's executors have changed.", e);
        }
    }

    private static Object valueOf(Class<?> type, String field, Object object) throws ReflectiveOperationException {
        Field declared = type.getDeclaredField(field);
        declared.setAccessible(true);
        return declared.get(object);
    }
}
