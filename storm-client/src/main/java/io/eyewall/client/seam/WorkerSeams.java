package io.eyewall.client.seam;

import io.eyewall.client.settings.SubmittedSettings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.storm.daemon.worker.WorkerState;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.utils.JCQueue;

/**
 * The seams of one worker, as its features filled them. Immutable and safe for use by any thread.
 */
public final class WorkerSeams {

    private final ReceiveQueues receiveQueues;
    private final Groupings groupings;
    private final TaskObjects taskObjects;
    private final Executors executors;
    private final ExecutorLoops executorLoops;
    private final SpoutCollectors spoutCollectors;
    private final BoltCollectors boltCollectors;
    private final TransferQueues transferQueues;
    private final WorkerTransfers workerTransfers;
    private final OutboundTasks outboundTasks;
    private final PendingMessageMaps pendingMessages;
    private final Receivers receivers;
    private final ExecutorProbes executorProbes;
    private final TupleWires tupleWires;
    private final WorkerChange workerChange;
    private final List<BiConsumer<List<Integer>, JCQueue>> leaveListeners;
    private final List<Consumer<WorkerState>> closers;
    private final Map<Class<?>, Object> common;

    private WorkerSeams(Builder builder) {
        receiveQueues = builder.receiveQueues;
        groupings = builder.groupings;
        taskObjects = builder.taskObjects;
        executors = builder.executors;
        executorLoops = builder.executorLoops;
        spoutCollectors = builder.spoutCollectors;
        boltCollectors = builder.boltCollectors;
        transferQueues = builder.transferQueues;
        workerTransfers = builder.transferDecoration.apply(builder.madeTransfers);
        outboundTasks = builder.outboundTasks;
        pendingMessages = builder.pendingMessages;
        receivers = builder.receivers;
        executorProbes = builder.executorProbes;
        tupleWires = builder.tupleWires;
        workerChange = builder.workerChange;
        leaveListeners = List.copyOf(builder.leaveListeners);
        closers = List.copyOf(builder.closers);
        common = Map.copyOf(builder.common);
    }

    /**
     * Lets each feature fill the seams of a worker, in turn.
     *
     * @param features in the order in which they join
     * @param topology the worker's copy of the topology as the user made it. Values of our keys that its components may not have are
     *     removed, with a warning
     * @param topologyConf the topology's merged configuration
     */
    public static WorkerSeams of(Iterable<WorkerFeature> features, StormTopology topology, Map<String, Object> topologyConf) {
        SubmittedSettings.removeBadValues(topology);
        Builder builder = new Builder(topology, topologyConf);
        for (WorkerFeature feature : features) {
            feature.join(builder, Collections.unmodifiableMap(topologyConf));
        }
        return new WorkerSeams(builder);
    }

    public ReceiveQueues receiveQueues() {
        return receiveQueues;
    }

    public Groupings groupings() {
        return groupings;
    }

    public TaskObjects taskObjects() {
        return taskObjects;
    }

    public Executors executors() {
        return executors;
    }

    public ExecutorLoops executorLoops() {
        return executorLoops;
    }

    public SpoutCollectors spoutCollectors() {
        return spoutCollectors;
    }

    public BoltCollectors boltCollectors() {
        return boltCollectors;
    }

    public TransferQueues transferQueues() {
        return transferQueues;
    }

    public WorkerTransfers workerTransfers() {
        return workerTransfers;
    }

    public OutboundTasks outboundTasks() {
        return outboundTasks;
    }

    public PendingMessageMaps pendingMessages() {
        return pendingMessages;
    }

    public Receivers receivers() {
        return receivers;
    }

    public ExecutorProbes executorProbes() {
        return executorProbes;
    }

    public TupleWires tupleWires() {
        return tupleWires;
    }

    public WorkerChange workerChange() {
        return workerChange;
    }

    /** The object of that class that the features share; empty if there is none. */
    public <T> Optional<T> common(Class<T> type) {
        return Optional.ofNullable(type.cast(common.get(type)));
    }

    /** Runs the listeners of all features, since the executor of these tasks has left the worker. */
    public void left(List<Integer> tasks, JCQueue queue) {
        leaveListeners.forEach(listener -> listener.accept(tasks, queue));
    }

    /** Runs the closers of all features, since the worker has stopped: those of the last feature first. */
    public void close(WorkerState worker) {
        for (int i = closers.size() - 1; i >= 0; i--) {
            closers.get(i).accept(worker);
        }
    }

    /**
     * Collects the decorations of the features of one worker. The argument of each operator is upstream's way, or that of the features that
     * joined before. Used by one thread.
     */
    public static final class Builder {

        private final StormTopology topology;
        private final Map<String, Object> topologyConf;
        private final List<BiConsumer<List<Integer>, JCQueue>> leaveListeners = new ArrayList<>();
        private final List<Consumer<WorkerState>> closers = new ArrayList<>();
        private final Map<Class<?>, Object> common = new HashMap<>();
        private ReceiveQueues receiveQueues = ReceiveQueues.UPSTREAM;
        private Groupings groupings = Groupings.UPSTREAM;
        private TaskObjects taskObjects = TaskObjects.UPSTREAM;
        private Executors executors = Executors.UPSTREAM;
        private ExecutorLoops innermostLoops = ExecutorLoops.UPSTREAM;
        private ExecutorLoops executorLoops = request -> innermostLoops.start(request);
        private SpoutCollectors spoutCollectors = SpoutCollectors.UPSTREAM;
        private BoltCollectors boltCollectors = BoltCollectors.UPSTREAM;
        private TransferQueues transferQueues = TransferQueues.UPSTREAM;
        private WorkerTransfers madeTransfers = WorkerTransfers.UPSTREAM;
        private UnaryOperator<WorkerTransfers> transferDecoration = UnaryOperator.identity();
        private OutboundTasks outboundTasks = OutboundTasks.UPSTREAM;
        private PendingMessageMaps pendingMessages = PendingMessageMaps.UPSTREAM;
        private Receivers receivers = Receivers.UPSTREAM;
        private ExecutorProbes executorProbes = ExecutorProbes.UPSTREAM;
        private TupleWires tupleWires = TupleWires.UPSTREAM;
        private WorkerChange workerChange = WorkerChange.UPSTREAM;

        Builder(StormTopology topology, Map<String, Object> topologyConf) {
            this.topology = topology;
            this.topologyConf = topologyConf;
        }

        /**
         * The worker's copy of the topology as the user made it, without Storm's own components. A feature may change the configuration of
         * a component in it, and nothing else.
         */
        public StormTopology topology() {
            return topology;
        }

        /**
         * An object that the features of this worker share: each feature that asks for the class gets the same object.
         *
         * @param maker makes it for the first feature that asks
         */
        public <T> T common(Class<T> type, Supplier<T> maker) {
            return type.cast(common.computeIfAbsent(type, first -> maker.get()));
        }

        /** The object of that class that earlier features share; empty if there is none. */
        public <T> Optional<T> common(Class<T> type) {
            return Optional.ofNullable(type.cast(common.get(type)));
        }

        public Builder receiveQueues(UnaryOperator<ReceiveQueues> decoration) {
            receiveQueues = decoration.apply(receiveQueues);
            return this;
        }

        public Builder groupings(UnaryOperator<Groupings> decoration) {
            groupings = decoration.apply(groupings);
            return this;
        }

        public Builder taskObjects(UnaryOperator<TaskObjects> decoration) {
            taskObjects = decoration.apply(taskObjects);
            return this;
        }

        public Builder executors(UnaryOperator<Executors> decoration) {
            executors = decoration.apply(executors);
            return this;
        }

        /** Replaces the way in which executors are started. Other features' loops wrap it, whether they join before or afterwards. */
        public Builder startExecutorsBy(UnaryOperator<ExecutorLoops> start) {
            innermostLoops = start.apply(innermostLoops);
            return this;
        }

        public Builder executorLoops(UnaryOperator<ExecutorLoops> decoration) {
            executorLoops = decoration.apply(executorLoops);
            return this;
        }

        public Builder spoutCollectors(UnaryOperator<SpoutCollectors> decoration) {
            spoutCollectors = decoration.apply(spoutCollectors);
            return this;
        }

        public Builder boltCollectors(UnaryOperator<BoltCollectors> decoration) {
            boltCollectors = decoration.apply(boltCollectors);
            return this;
        }

        public Builder transferQueues(UnaryOperator<TransferQueues> decoration) {
            transferQueues = decoration.apply(transferQueues);
            return this;
        }

        /** Makes transfers in place of upstream's. All features decorate what it makes, also those that have joined before. */
        public Builder transfersInPlaceOfUpstreams(WorkerTransfers maker) {
            madeTransfers = maker;
            return this;
        }

        public Builder workerTransfers(UnaryOperator<WorkerTransfers> decoration) {
            UnaryOperator<WorkerTransfers> before = transferDecoration;
            transferDecoration = made -> decoration.apply(before.apply(made));
            return this;
        }

        /** Has {@code listener} run with the worker before its transfer is made, when its queues and connections are set. */
        public Builder onStart(Consumer<WorkerState> listener) {
            return workerTransfers(next -> (worker, conf, maxTaskId) -> {
                listener.accept(worker);
                return next.transfer(worker, conf, maxTaskId);
            });
        }

        public Builder outboundTasks(UnaryOperator<OutboundTasks> decoration) {
            outboundTasks = decoration.apply(outboundTasks);
            return this;
        }

        public Builder pendingMessages(UnaryOperator<PendingMessageMaps> decoration) {
            pendingMessages = decoration.apply(pendingMessages);
            return this;
        }

        public Builder receivers(UnaryOperator<Receivers> decoration) {
            receivers = decoration.apply(receivers);
            return this;
        }

        /** Adds probes to those of earlier features and does not decorate them: a probe has no reason to hide events from another. */
        public Builder executorProbes(ExecutorProbes more) {
            ExecutorProbes before = executorProbes;
            executorProbes = executor -> ExecutorProbe.both(before.probe(executor), more.probe(executor));
            return this;
        }

        public Builder tupleWires(UnaryOperator<TupleWires> decoration) {
            tupleWires = decoration.apply(tupleWires);
            return this;
        }

        /**
         * Has {@code listener} run with the tasks and the queue of each executor that leaves the running worker, or that was expected and
         * does not come. It runs on the thread that changes the worker, after the executor has ended and its metrics are removed.
         */
        public Builder onLeave(BiConsumer<List<Integer>, JCQueue> listener) {
            leaveListeners.add(listener);
            return this;
        }

        public Builder workerChange(UnaryOperator<WorkerChange> decoration) {
            workerChange = decoration.apply(workerChange);
            return this;
        }

        /**
         * Replaces the value of a key in this worker, if the topology has left it at upstream's default.
         *
         * @param key a key of Storm's
         * @param upstreamDefault its value in upstream's {@code defaults.yaml}, a {@code long} for a number; any other value is the user's
         *     and stays
         * @param value the value that replaces it
         */
        public Builder inPlaceOf(String key, Object upstreamDefault, Object value) {
            topologyConf.computeIfPresent(key, (name, set) -> {
                Object comparable = set instanceof Integer number ? Long.valueOf(number) : set;
                return comparable.equals(upstreamDefault) ? value : set;
            });
            return this;
        }

        /** Has {@code closer} run once, on the thread that shuts the worker down, after its executors and connections have stopped. */
        public Builder onClose(Consumer<WorkerState> closer) {
            closers.add(closer);
            return this;
        }
    }
}
