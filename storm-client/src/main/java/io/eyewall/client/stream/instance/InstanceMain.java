package io.eyewall.client.stream.instance;

import io.eyewall.client.engine.EngineConfiguration;
import io.eyewall.client.engine.WakeOnArrivalFeature;
import io.eyewall.client.stream.plan.Instance;
import io.eyewall.client.stream.plan.InstancePlan;
import io.eyewall.client.stream.slot.ContainerSignals;
import io.eyewall.client.stream.slot.ParentContainer;
import io.eyewall.client.stream.slot.ProcessFile;
import io.eyewall.client.stream.slot.Slot;
import io.eyewall.client.stream.slot.SlotTopology;
import java.io.File;
import java.io.IOException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.assignments.ILocalAssignmentsBackend;
import org.apache.storm.cluster.ClusterStateContext;
import org.apache.storm.cluster.ClusterUtils;
import org.apache.storm.cluster.IStateStorage;
import org.apache.storm.cluster.IStormClusterState;
import org.apache.storm.daemon.StormCommon;
import org.apache.storm.daemon.worker.Worker;
import org.apache.storm.generated.Assignment;
import org.apache.storm.generated.Supervisor;
import org.apache.storm.generated.SupervisorAssignments;
import org.apache.storm.generated.SupervisorWorkerHeartbeat;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.ConfigUtils;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.SupervisorClient;
import org.apache.storm.utils.SupervisorIfaceFactory;
import org.apache.storm.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process of an instance. It is one of Storm's workers: it has the executors that its container gives it, sees each task of others as a
 * worker of its own, and reaches all of them through the stream manager. What a worker writes for its Supervisor and for Nimbus, it leaves
 * to its container.
 */
public final class InstanceMain {

    /** The file in an instance's directory with the statistics of its executors, as a worker writes them to ZooKeeper. */
    public static final String STATISTICS = "statistics";
    /** The directory of all instances, in that of the worker. */
    public static final String DIRECTORY = "instances";
    /** A link in the directory of a process to where its files go that stay. */
    public static final String ARTIFACTS = "artifacts";

    private static final Logger LOG = LoggerFactory.getLogger(InstanceMain.class);
    private static final long LEAVE_LOOK_MS = 10;
    private static final String CHECKPOINT_ACTION = "org.apache.storm.spout.CheckPointState$Action";

    private InstanceMain() {
    }

    /**
     * Runs until the container ends, or ends the instance.
     *
     * @param arguments those of a {@link Slot}, the path of the stream manager's socket, the component, and each executor as
     *     {@code first-last}
     */
    public static void main(String[] arguments) throws Exception {
        ContainerSignals.leaveToContainer();
        Utils.setupWorkerUncaughtExceptionHandler();
        ParentContainer container = new ParentContainer(System.in);
        Slot slot = Slot.parse(arguments);
        List<String> others = Arrays.asList(arguments).subList(Slot.ARGUMENTS, arguments.length);
        Instance instance = instance(others.subList(1, others.size()));
        Map<String, Object> conf = ConfigUtils.readStormConfig();
        StormCommon.validateDistributedMode(conf);
        String workerId = slot.workerId() + File.separator + DIRECTORY + File.separator + instance.name();
        Path directory = Path.of(ConfigUtils.workerRoot(conf, workerId));
        Map<String, Object> submitted = ConfigUtils.readSupervisorStormConf(conf, slot.topologyId());
        boolean sharesMemory = sharesMemory(submitted);
        ConfigUtils.setInstance(new InstanceConfiguration(submitted, directory));
        keepArtifacts(directory, slot);
        SlotTopology topology = new SlotTopology(slot, conf);
        MetricPort.set(InstancePlan.PORT_OFFSET + instance.id());
        StreamTransport transport = new StreamTransport(Path.of(others.get(0)), instance, container.secret(), directory, sharesMemory);
        transport.prepare(topology.conf());
        View view = new View(slot, instance, topology, transport);
        ClusterUtils.setInstance(new InstanceCluster(view, directory));
        Worker worker = new Worker(conf, transport, slot.topologyId(), slot.supervisorId(), slot.supervisorPort(), slot.port(), workerId,
            () -> new SupervisorProxy(slot, view));
        Utils.addShutdownHookWithDelayedForceKill(worker::shutdown,
            ObjectReader.getInt(conf.get(Config.SUPERVISOR_WORKER_SHUTDOWN_SLEEP_SECS)));
        worker.start();
        LOG.info("Instance {} of {} has started.", instance.name(), slot.topologyId());
        if (container.awaitLeave()) {
            Thread leave = new Thread(() -> leave(transport, container, directory), "leave");
            leave.setDaemon(true);
            leave.start();
            boolean goesOn = true; // The container may end it before it has left.
            while (goesOn && leave.isAlive()) {
                goesOn = container.isAlive(LEAVE_LOOK_MS);
            }
        }
        Runtime.getRuntime().exit(0);
    }

    /** Whether an instance of a topology with this configuration offers rings. If not, and the topology asks for them, the log says why. */
    static boolean sharesMemory(Map<String, Object> topologyConf) {
        EngineConfiguration engine = new EngineConfiguration(topologyConf);
        WakeOnArrivalFeature.logObstacleToSharedMemory(engine, null);
        return engine.sharesMemory();
    }

    /**
     * Storm puts a worker's artifacts, such as its interval log, below the names of the topology and the port. This is made the directory
     * of the instance beside the log of the container, which stays when the worker's directory is deleted.
     */
    private static void keepArtifacts(Path directory, Slot slot) throws IOException {
        Path artifacts = directory.resolve(ARTIFACTS);
        Path link = directory.resolve(slot.topologyId()).resolve(String.valueOf(slot.port()));
        if (Files.isDirectory(artifacts) && !Files.exists(link, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectories(link.getParent());
            Files.createSymbolicLink(link, artifacts.toRealPath());
        }
    }

    /** Leaves, and lets the container know: closing what is open may take longer than there is time. */
    private static void leave(StreamTransport transport, ParentContainer container, Path directory) {
        try {
            transport.leave(container::leave);
            ProcessFile.write(directory.resolve(ProcessFile.LEFT), "");
        } catch (IOException e) {
            LOG.warn("This instance has left, and cannot let its container know: {}", e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The arguments of {@link #main} for an instance, after those of the slot and the socket. */
    public static List<String> arguments(Instance instance) {
        List<String> arguments = new ArrayList<>(List.of(instance.component(), String.valueOf(instance.id())));
        instance.executors().forEach(executor -> arguments.add(executor.get(0) + "-" + executor.get(1)));
        return arguments;
    }

    private static Instance instance(List<String> arguments) {
        List<List<Long>> executors = arguments.subList(2, arguments.size()).stream()
            .map(executor -> Arrays.stream(executor.split("-")).map(Long::valueOf).toList()).toList();
        return new Instance(Integer.parseInt(arguments.get(1)), arguments.get(0), executors);
    }

    /** The topology's configuration, without what an instance leaves to others. */
    private static final class InstanceConfiguration extends ConfigUtils {

        private final Map<String, Object> submitted;
        private final Path directory;

        /** {@code submitted} is the topology's configuration, merged with the cluster's. */
        InstanceConfiguration(Map<String, Object> submitted, Path directory) {
            this.submitted = submitted;
            this.directory = directory;
        }

        @Override
        public Map<String, Object> readSupervisorStormConfImpl(Map<String, Object> conf, String topologyId) {
            Map<String, Object> merged = new HashMap<>(submitted); // Callers may change it.
            merged.put(EngineConfiguration.HOT_REBALANCE, false); // Executors move by ending one instance and starting another.
            merged.put(EngineConfiguration.SHARED_MEMORY, "off"); // The transport has rings of its own.
            merged.put(Config.TOPOLOGY_KRYO_REGISTER, withCheckpoints(merged.get(Config.TOPOLOGY_KRYO_REGISTER)));
            return merged;
        }

        /** Storm does not register what its checkpoint spout emits, which stays within one worker in most topologies. */
        private static List<Object> withCheckpoints(Object registered) {
            List<Object> all = new ArrayList<>();
            if (registered instanceof List<?> list) {
                all.addAll(list);
            } else if (registered != null) {
                all.add(registered);
            }
            if (!all.contains(CHECKPOINT_ACTION)) {
                all.add(CHECKPOINT_ACTION);
            }
            return all;
        }

        @Override
        public String workerArtifactsRootImpl(Map<String, Object> conf) {
            return directory.toString();
        }
    }

    /** How this instance sees assignments. For any thread. */
    private static final class View {

        private final Slot slot;
        private final Instance instance;
        private final SlotTopology topology;
        private final StreamTransport transport;
        /** What was seen last; null before the first time. */
        private volatile Assignment last;

        View(Slot slot, Instance instance, SlotTopology topology, StreamTransport transport) {
            this.slot = slot;
            this.instance = instance;
            this.topology = topology;
            this.transport = transport;
        }

        /**
         * The assignment in which each task of others is a worker. The transport gets to know those of the same container. If there is none
         * any more, the last one: a worker ends at once then, and an instance executes what it has until its container ends it.
         */
        Assignment of(Assignment assignment) {
            if (assignment != null) {
                InstancePlan plan = topology.plan(assignment);
                transport.isAssigned(plan.tasks(slot.place()), plan.senders(instance), !plan.loop(instance.id()).isEmpty());
                last = plan.seenBy(instance, slot.place());
            }
            return last;
        }
    }

    /** ZooKeeper, except for the statistics of the worker, which its container collects. */
    private static final class InstanceCluster extends ClusterUtils {

        private final View view;
        private final Path directory;

        InstanceCluster(View view, Path directory) {
            this.view = view;
            this.directory = directory;
        }

        /** A worker asks ZooKeeper for its assignment where its Supervisor does not have it. */
        @Override
        public IStormClusterState mkStormClusterStateImpl(Object storage, ILocalAssignmentsBackend backend, ClusterStateContext context)
                throws Exception {
            return InstanceStateDecorators.of(super.mkStormClusterStateImpl(storage, backend, context), view::of);
        }

        @Override
        public IStateStorage mkStateStorageImpl(Map<String, Object> conf, Map<String, Object> topologyConf, ClusterStateContext context)
                throws Exception {
            return InstanceStateDecorators.of(super.mkStateStorageImpl(conf, topologyConf, context), directory.resolve(STATISTICS));
        }
    }

    /** The Supervisor as this instance sees it. */
    private record SupervisorProxy(Slot slot, View view) implements SupervisorIfaceFactory, Supervisor.Iface {

        @Override
        public Supervisor.Iface getIface() {
            return this;
        }

        @Override
        public Assignment getLocalAssignmentForStorm(String topologyId) throws TException {
            try (SupervisorClient client = slot.supervisor(view.topology.conf())) {
                return view.of(client.getIface().getLocalAssignmentForStorm(topologyId));
            } catch (UnknownHostException e) {
                throw new TException(e);
            }
        }

        @Override
        public void sendSupervisorAssignments(SupervisorAssignments assignments) {
            throw new UnsupportedOperationException("Only Nimbus assigns");
        }

        @Override
        public void sendSupervisorWorkerHeartbeat(SupervisorWorkerHeartbeat heartbeat) {
            // The container sends it for all instances.
        }
    }
}
