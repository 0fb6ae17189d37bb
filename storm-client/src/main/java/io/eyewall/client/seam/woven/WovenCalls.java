package io.eyewall.client.seam.woven;

import com.esotericsoftware.kryo.io.Input;
import io.eyewall.client.engine.EngineConfiguration;
import io.eyewall.client.engine.NettyLoops;
import io.eyewall.client.engine.SharedLoop;
import io.eyewall.client.frame.FrameWires;
import io.eyewall.client.frame.FramedMessages;
import io.eyewall.client.seam.BoltCollectors;
import io.eyewall.client.seam.ExecutorLoops;
import io.eyewall.client.seam.Groupings;
import io.eyewall.client.seam.QueueRequest;
import io.eyewall.client.seam.ReceivingQueue;
import io.eyewall.client.seam.SpoutCollectors;
import io.eyewall.client.seam.TupleWire;
import io.eyewall.client.seam.WakingEmits;
import io.eyewall.client.seam.WorkerSeams;
import io.eyewall.client.seam.WorkerStateAccess;
import io.eyewall.client.substitute.CachedCapacity;
import io.eyewall.client.substitute.CachedThreadLocal;
import io.eyewall.client.substitute.LoggedDrops;
import io.eyewall.client.substitute.ReceivedMessages;
import io.eyewall.client.substitute.SingleAnchorMessageId;
import io.eyewall.client.substitute.SingleTaskGrouping;
import io.eyewall.client.substitute.TaskMetricsByStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.apache.storm.Config;
import org.apache.storm.daemon.Task;
import org.apache.storm.daemon.worker.WorkerState;
import org.apache.storm.daemon.worker.WorkerTransfer;
import org.apache.storm.executor.Executor;
import org.apache.storm.executor.IRunningExecutor;
import org.apache.storm.executor.TupleInfo;
import org.apache.storm.executor.bolt.BoltExecutor;
import org.apache.storm.executor.bolt.BoltOutputCollectorImpl;
import org.apache.storm.executor.spout.SpoutExecutor;
import org.apache.storm.executor.spout.SpoutOutputCollectorImpl;
import org.apache.storm.generated.Grouping;
import org.apache.storm.grouping.LoadAwareCustomStreamGrouping;
import org.apache.storm.messaging.DeserializingConnectionCallback;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.metrics2.TaskMetrics;
import org.apache.storm.policy.IWaitStrategy;
import org.apache.storm.shade.io.netty.bootstrap.Bootstrap;
import org.apache.storm.shade.io.netty.bootstrap.ServerBootstrap;
import org.apache.storm.spout.ISpout;
import org.apache.storm.stats.BoltExecutorStats;
import org.apache.storm.task.GeneralTopologyContext;
import org.apache.storm.task.WorkerTopologyContext;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.MessageId;
import org.apache.storm.utils.JCQueue;
import org.apache.storm.utils.MutableLong;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.RotatingMap;
import org.apache.storm.utils.Utils;

/**
 * The calls that woven code makes in place of upstream's own; not for use by features. Each method has the parameters of the upstream
 * constructor or method that it stands in for, in upstream's order, since the weaver only exchanges the call.
 */
@SuppressWarnings("checkstyle:ParameterNumber")
public final class WovenCalls {

    private WovenCalls() {
    }

    /** In place of {@code new JCQueue(..)} in {@code WorkerState.mkReceiveQueueMap}. */
    public static JCQueue receiveQueue(String queueName, String metricName, int size, int overflowLimit, int producerBatchSize,
            IWaitStrategy backPressureWait, String topologyId, String componentId, List<Integer> taskIds, int port,
            StormMetricRegistry metrics) {
        return SeamEntry.of(topologyId, port).receiveQueues().receiveQueue(new QueueRequest(queueName, metricName, size,
            overflowLimit, producerBatchSize, backPressureWait, topologyId, componentId, taskIds, port, metrics));
    }

    /** In place of {@code new JCQueue(..)} in the constructor of {@code WorkerTransfer}. */
    public static JCQueue transferQueue(String queueName, String metricName, int size, int overflowLimit, int producerBatchSize,
            IWaitStrategy backPressureWait, String topologyId, String componentId, List<Integer> taskIds, int port,
            StormMetricRegistry metrics) {
        return SeamEntry.of(topologyId, port).transferQueues().transferQueue(new QueueRequest(queueName, metricName, size,
            overflowLimit, producerBatchSize, backPressureWait, topologyId, componentId, taskIds, port, metrics));
    }

    /** At the end of {@code GrouperFactory.mkGrouper}. */
    public static LoadAwareCustomStreamGrouping grouping(WorkerTopologyContext context, String componentId, String streamId,
            Fields outFields, Grouping grouping, List<Integer> targetTasks, Map<String, Object> topologyConf,
            LoadAwareCustomStreamGrouping upstreamGrouping) {
        return SeamEntry.of(context).groupings().grouping(SingleTaskGrouping.applyTo(new Groupings.Request(context, componentId, streamId,
            outFields, grouping, targetTasks, topologyConf, upstreamGrouping)));
    }

    /** At the end of {@code Task.mkTaskObject}. */
    public static Object taskObject(Task task, Object taskObject) {
        return SeamEntry.of(task.getUserContext()).taskObjects().taskObject(task, taskObject);
    }

    /** In place of {@code new SpoutExecutor(..)} in {@code Executor.mkExecutor}. */
    public static SpoutExecutor spoutExecutor(WorkerState worker, List<Long> executorId, Map<String, String> credentials) {
        return SeamEntry.of(worker).executors().spoutExecutor(worker, executorId, credentials);
    }

    /** In place of {@code new BoltExecutor(..)} in {@code Executor.mkExecutor}. */
    public static BoltExecutor boltExecutor(WorkerState worker, List<Long> executorId, Map<String, String> credentials) {
        return SeamEntry.of(worker).executors().boltExecutor(worker, executorId, credentials);
    }

    /** In place of {@code Utils.asyncLoop(..)} in {@code Executor.execute}, where {@code loop} is the executor itself. */
    public static Utils.SmartThread executorLoop(Callable<?> loop, boolean daemon, Thread.UncaughtExceptionHandler onDeath, int priority,
            boolean isFactory, boolean startImmediately, String threadName) {
        Executor executor = (Executor) loop;
        return SeamEntry.of(executor.getWorkerData()).executorLoops().start(
            new ExecutorLoops.Request(executor, loop, daemon, onDeath, priority, isFactory, startImmediately, threadName));
    }

    /** In place of {@code new MpscChunkedArrayQueue(..)} in the constructor of {@code Executor}. */
    public static WakingEmits pendingEmits(int initialCapacity, int maxCapacity) {
        return new WakingEmits(initialCapacity, maxCapacity);
    }

    /** In place of {@code new SpoutOutputCollectorImpl(..)} in {@code SpoutExecutor.init}. */
    public static SpoutOutputCollectorImpl spoutCollector(ISpout spout, SpoutExecutor executor, Task task, MutableLong emittedCount,
            boolean hasAckers, Random random, Boolean hasEventLoggers, Boolean debug, RotatingMap<Long, TupleInfo> pending) {
        return SeamEntry.of(executor.getWorkerData()).spoutCollectors().collector(new SpoutCollectors.Request(spout, executor, task,
            emittedCount, hasAckers, random, hasEventLoggers, debug, pending));
    }

    /** In place of {@code new BoltOutputCollectorImpl(..)} in {@code BoltExecutor.init}. */
    public static BoltOutputCollectorImpl boltCollector(BoltExecutor executor, Task task, Random random, boolean hasEventLoggers,
            boolean acking, boolean debug) {
        return SeamEntry.of(executor.getWorkerData()).boltCollectors().collector(
            new BoltCollectors.Request(executor, task, random, hasEventLoggers, acking, debug));
    }

    /** In place of {@code new WorkerTransfer(..)} in the constructor of {@code WorkerState}. */
    public static WorkerTransfer workerTransfer(WorkerState worker, Map<String, Object> topologyConf, int maxTaskId) {
        return SeamEntry.of(worker).workerTransfers().transfer(worker, topologyConf, maxTaskId);
    }

    /** At the beginning of {@code WorkerState.transferLocalBatch}, which goes on with what is left. */
    @SuppressWarnings("NonApiType") // Upstream's parameter.
    public static void insertGroups(WorkerState worker, ArrayList<AddressedTuple> batch) {
        ReceivedGroups.ofThread().insert(batch, ((WorkerStateAccess) worker).getTaskToExecutorQueue());
    }

    /** In place of {@code JCQueue.tryPublish} in {@code WorkerState.transferLocalBatch}. */
    public static boolean received(JCQueue queue, Object tuple) {
        return queue instanceof ReceivingQueue receiving ? receiving.tryReceive(tuple) : queue.tryPublish(tuple);
    }

    /** In place of {@code new NioEventLoopGroup(..)} in Storm's Netty transport. */
    public static NettyLoops eventLoops(int threads, ThreadFactory factory) {
        return SharedLoop.ofTransport(threads, factory);
    }

    /** In place of {@code new Bootstrap()} in Storm's Netty transport. */
    public static Bootstrap clientBootstrap() {
        return new NettyLoops.Client();
    }

    /** In place of {@code new ServerBootstrap()} in Storm's Netty transport. */
    public static ServerBootstrap serverBootstrap() {
        return new NettyLoops.Server();
    }

    /** At the beginning of {@code BoltExecutorStats.calculateCapacity}: whether the cached capacity still holds. */
    public static boolean isCapacityKnown(BoltExecutorStats stats, long uptimeSecs) {
        CapacityHolder holder = (CapacityHolder) stats;
        if (holder.getEyewallCapacity() == null) {
            holder.setEyewallCapacity(new CachedCapacity());
        }
        return !holder.getEyewallCapacity().isDue(uptimeSecs);
    }

    /** At the end of {@code BoltExecutorStats.calculateCapacity}, which has computed the capacity unless it was known. */
    public static double capacity(BoltExecutorStats stats, boolean known, double workedOut) {
        CachedCapacity cached = ((CapacityHolder) stats).getEyewallCapacity();
        if (!known) {
            cached.update(workedOut);
        }
        return cached.capacity();
    }

    /** In place of {@code MessageId.deserialize(..)} in {@code KryoTupleDeserializer.deserialize}. */
    public static MessageId messageId(Input input) {
        return SingleAnchorMessageId.read(input);
    }

    /** At the end of {@code MessageId.equals}, which does not know its subclasses. */
    public static boolean equalIds(MessageId id, Object other, boolean equal) {
        return equal || (other instanceof SingleAnchorMessageId anchor && anchor.equals(id));
    }

    /** In place of {@code new TaskMetrics(..)} in the constructor of {@code Task}. */
    public static TaskMetrics taskMetrics(WorkerTopologyContext context, String componentId, Integer taskId, StormMetricRegistry registry,
            Map<String, Object> topologyConf) {
        return new TaskMetricsByStream(context, componentId, taskId, registry, topologyConf);
    }

    /** In place of {@code new ArrayList()} in {@code Task.getOutgoingTasks}: most emits go to one task. */
    @SuppressWarnings("NonApiType") // Upstream's variable is an ArrayList.
    public static ArrayList<Integer> outgoingTasks() {
        return new ArrayList<>(1);
    }

    /** In place of {@code ArrayList.addAll(..)} in {@code Task.getOutgoingTasks}, which would copy the one task twice. */
    public static boolean addTasks(List<Object> tasks, Collection<Object> chosen) {
        return (chosen instanceof List<Object> list && list.size() == 1) ? tasks.add(list.get(0)) : tasks.addAll(chosen);
    }

    /** In place of {@code ThreadLocal.withInitial(..)} in the constructor of {@code ExecutorTransfer}, which reads it at every tuple. */
    public static ThreadLocal<?> serializerOfThread(Supplier<?> serializers) {
        return new CachedThreadLocal<>(serializers);
    }

    /**
     * In place of {@code AtomicReferenceArray.set(..)} in {@code ExecutorTransfer.tryTransferLocal}, which notes at every tuple that its
     * queue must be flushed. One note until the next flush is enough, and the write is expensive. If another thread has flushed the queue
     * and removed the note, the queue is noted again, since that thread has only flushed its own batch.
     */
    public static void noteForFlush(AtomicReferenceArray<Object> noted, int index, Object queue) {
        if (noted.get(index) != queue) {
            noted.set(index, queue);
        }
    }

    /**
     * At the end of {@code JCQueue.BatchInserter.flush}: whether to flush again. Upstream publishes as much of a batch as fits, from what
     * the queue last knew of its consumer, and leaves the rest until the next tuple. A second flush sees the consumer's true position. No
     * sleeping consumer has to be woken in between: a batch is at most half as long as the queue, so the batch of the first producer that
     * finds the queue empty fits, and that producer wakes the consumer.
     */
    public static boolean isLeftToFlush(List<Object> batch) {
        return !batch.isEmpty();
    }

    /** At the end of {@code WorkerState.workerOutboundTasks}. */
    public static Set<Integer> outboundTasks(WorkerState worker, Set<Integer> tasks) {
        return SeamEntry.of(worker).outboundTasks().tasks(worker, tasks);
    }

    /** In place of {@code new DeserializingConnectionCallback(..)} in the constructor of {@code WorkerState}. */
    public static DeserializingConnectionCallback receivedMessages(Map<String, Object> topologyConf, GeneralTopologyContext context,
            WorkerState.ILocalTransferCallback queues) {
        if (ObjectReader.getBoolean(topologyConf.get(Config.TOPOLOGY_SERIALIZED_MESSAGE_SIZE_METRICS), false)) {
            return new DeserializingConnectionCallback(topologyConf, context, queues); // It measures the array of each message.
        }
        Supplier<TupleWire> wires = () -> wire((WorkerTopologyContext) context);
        EngineConfiguration settings = new EngineConfiguration(topologyConf);
        boolean hot = settings.changesExecutors();
        WorkerSeams seams = SeamEntry.of((WorkerTopologyContext) context);
        LoggedDrops drops = seams.common(LoggedDrops.class).orElseGet(LoggedDrops::new);
        FrameWires frameWires = seams.common(FrameWires.class).orElse(FrameWires.NONE);
        return settings.sendsFrames() ? new FramedMessages(topologyConf, context, queues, wires, frameWires, hot, drops)
            : new ReceivedMessages(topologyConf, context, queues, wires, hot, drops);
    }

    /** The wire of a serializer or deserializer of a worker, or null for none. */
    static TupleWire wire(WorkerTopologyContext context) {
        return SeamEntry.of(context).tupleWires().wire(context);
    }

    /** At the beginning of {@code WorkerState.refreshConnections}. */
    public static boolean isRefreshed(WorkerState worker) {
        return SeamEntry.of(worker).workerChange().refresh(worker);
    }

    /** At the end of {@code WorkerState.hasRemoteOutboundTasks} and {@code isSingleWorker}. */
    public static boolean isChangePossible(WorkerState worker) {
        return SeamEntry.of(worker).workerChange().isPossible();
    }

    /** At the end of {@code Worker.loadWorker}. */
    public static void workerStarted(WorkerState worker, AtomicReference<List<IRunningExecutor>> executors) {
        SeamEntry.ofStarted(worker.getTopologyId(), worker.getPort()).workerChange().started(worker, executors);
    }

    /** At the beginning of {@code Worker.setupFlushTupleTimer}. */
    public static List<IRunningExecutor> flushed(WorkerState worker, List<IRunningExecutor> executors) {
        return SeamEntry.of(worker).workerChange().flushed(executors);
    }
}
