package io.eyewall.client.stream.manager;

import io.eyewall.client.engine.SharedLoop;
import io.eyewall.client.stream.StreamConfiguration;
import io.eyewall.client.stream.plan.InstancePlan;
import io.eyewall.client.stream.slot.BackgroundWork;
import io.eyewall.client.stream.slot.ContainerSignals;
import io.eyewall.client.stream.slot.ParentContainer;
import io.eyewall.client.stream.slot.ProcessFile;
import io.eyewall.client.stream.slot.Slot;
import io.eyewall.client.stream.slot.SlotTopology;
import io.eyewall.client.stream.slot.SlotView;
import io.eyewall.client.time.NanoClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.storm.Config;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.IContext;
import org.apache.storm.messaging.TransportFactory;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.shade.io.netty.channel.EventLoop;
import org.apache.storm.shade.io.netty.util.concurrent.Future;
import org.apache.storm.utils.ConfigUtils;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process of a stream manager. One loop has the sockets of the container's instances, the connections to other containers if the
 * transport is Storm's Netty, and all decisions. Other transports have threads of their own, which hand tuples to the loop, and there is a
 * thread for each other container, which waits for space.
 */
public final class StreamManagerMain {

    /** The name of its process, and of the directory in which it runs. */
    public static final String NAME = "stream-manager";
    /** Its socket, in that directory. */
    public static final String SOCKET = "socket";

    private static final Logger LOG = LoggerFactory.getLogger(StreamManagerMain.class);
    private static final long REPORT_MS = 1_000;
    private static final Path BEAT = Path.of(ProcessFile.HEARTBEATS, "loop");
    /** How long the last report may take. */
    private static final int LAST_LOOKS = 20;
    private static final long LAST_LOOK_MS = 5;

    private final Slot slot;
    private final ParentContainer parentContainer;
    private final SlotView view;
    private final SharedLoop shared = new SharedLoop("loop");
    private final EventLoop loop = shared.next();
    private final LoopGuard guard = new LoopGuard(() -> Runtime.getRuntime().halt(1));
    private final Containers containers;
    private final InstanceServer server;
    private final Router router;
    private final IConnection receiver;
    private final BackPressureCauses held;
    private final ContainerBoard board;
    /** Whether the loop knows which containers there are. Until then nothing is started. Set by the thread that reads it. */
    private volatile boolean isBoardRead;
    /** The plan that was read and that the loop does not have; null if it has the last one. */
    private final AtomicReference<InstancePlan> nextPlan = new AtomicReference<>();
    /** What was written last for the container. For the main thread. */
    private String heldPage = "";
    private Set<Integer> startable = Set.of();

    private StreamManagerMain(Slot slot, Map<String, Object> conf, ParentContainer parentContainer) throws Exception {
        this.parentContainer = parentContainer;
        this.slot = slot;
        SlotTopology topology = new SlotTopology(slot, conf);
        view = new SlotView(slot, topology, conf);
        Map<String, Object> topologyConf = topology.conf();
        IContext transport = shared.shareWith(() -> TransportFactory.makeContext(topologyConf, new StormMetricRegistry()));
        ContainerSenders senders =
            new ContainerSenders(loop, ObjectReader.getLong(topologyConf.get(Config.STORM_NETTY_MESSAGE_BATCH_SIZE), 0L), guard);
        int lastTask = topology.components().keySet().stream().mapToInt(Integer::intValue).max().orElse(0);
        Backlog backlog = new Backlog();
        boolean holdsStages = new StreamConfiguration(topologyConf).holdsStages();
        InstancePlan plan = view.plan().orElseThrow(() -> new IllegalStateException("The topology is assigned nowhere."));
        String host = plan.host(slot.place()).orElse(Utils.hostname());
        containers = new Containers(slot.place(), host, slot.topologyId(), transport, lastTask, senders, backlog);
        held = new BackPressureCauses(holdsStages ? "whatever sends to it waits" : "all spouts of the topology wait");
        server = new InstanceServer(loop, parentContainer.secret(), containers, backlog, held, guard, NanoClock.SYSTEM);
        board = new ContainerBoard(view.storage(), slot.topologyId(), topologyConf, slot.place(), host);
        router = new Router(slot.place(), plan, holdsStages, topology, new Departures(new SecureRandom().nextLong()), server);
        server.watch(probe(topology));
        server.listen(Path.of(SOCKET), router);
        receiver = shared.shareWith(() -> transport.bind(slot.topologyId(), slot.port(), server::deliver,
            () -> new BackPressureStatus(slot.workerId(), new ArrayList<>(), new ArrayList<>()))); // Kryo knows these lists.
        Set<Integer> running = ProcessFile.readTasks(Path.of(ProcessFile.RUNNING)); // They may have been there before this process.
        Future<?> unused = loop.submit(() -> {
            router.claim(running);
            containers.follow(router);
        }).sync();
    }

    /**
     * Runs until the container ends.
     *
     * @param arguments those of a {@link Slot}
     */
    public static void main(String[] arguments) throws Exception {
        ContainerSignals.leaveToContainer();
        Utils.setupWorkerUncaughtExceptionHandler();
        ParentContainer parentContainer = new ParentContainer(System.in);
        Slot slot = Slot.parse(arguments);
        StreamManagerMain manager = new StreamManagerMain(slot, ConfigUtils.readStormConfig(), parentContainer);
        LOG.info("The stream manager of {} at {}:{} is ready.", slot.topologyId(), slot.supervisorId(), slot.port());
        manager.run();
    }

    private void run() throws Exception {
        Files.createDirectories(BEAT.getParent());
        Future<?> reports = loop.scheduleAtFixedRate(guard.guard(this::report), REPORT_MS, REPORT_MS, TimeUnit.MILLISECONDS);
        try (BackgroundWork readsBoard = new BackgroundWork("read-containers", this::readBoard, "Cannot read the list of containers in"
                + " ZooKeeper. The stream manager continues with the known ones");
                BackgroundWork readsPlan = new BackgroundWork("read-assignment", () -> view.plan().ifPresent(nextPlan::set), "Cannot read"
                + " the assignment. The stream manager continues with the last one")) {
            LOG.debug("{} and {} have started.", readsBoard, readsPlan);
            while (parentContainer.isAlive(REPORT_MS)) {
                follow();
                reportToContainer();
            }
        }
        reports.cancel(false);
        boolean isLast = ProcessFile.readTasks(Path.of(ProcessFile.RUNNING)).isEmpty();
        if (isLast) {
            reportEnd();
        }
        receiver.close();
        containers.end(loop, server::close);
        Future<?> unused = shared.end().sync();
        if (isLast) {
            view.close();
        } // Else the container has died before its instances. The node stays until the session has timed out, so that others count on them.
        LOG.info("The stream manager of {} at {}:{} has ended.", slot.topologyId(), slot.supervisorId(), slot.port());
        Runtime.getRuntime().exit(0);
    }

    /** Lets others start the tasks of this container without waiting until it has been silent for long. */
    private void reportEnd() throws InterruptedException, ExecutionException {
        Future<?> unused = loop.submit(router::ended).sync();
        for (int look = 0; look < LAST_LOOKS && !loop.submit(containers::haveAll).get(); look++) {
            TimeUnit.MILLISECONDS.sleep(LAST_LOOK_MS);
        }
    }

    private PassageProbe probe(SlotTopology topology) {
        return ServiceLoader.load(PassageProbe.Feature.class, StreamManagerMain.class.getClassLoader()).stream().findFirst()
            .map(feature -> feature.get().join(slot, topology, view.storage())).orElse(PassageProbe.NONE);
    }

    /** Follows the list of containers in ZooKeeper. */
    private void readBoard() {
        Map<NodeInfo, String> others = board.others();
        loop.execute(guard.guard(() -> {
            router.running(others);
            containers.follow(router);
        }));
        isBoardRead = true;
    }

    /** Takes a new plan, on the thread that writes what may be started: nothing changes between its steps. */
    private void follow() {
        InstancePlan plan = nextPlan.getAndSet(null);
        if (plan != null) {
            loop.execute(guard.guard(() -> {
                router.plan(plan);
                containers.follow(router);
            }));
        }
    }

    /** Writes for the container who causes back-pressure, what may be started, and before that whether nothing is left. */
    private void reportToContainer() throws InterruptedException {
        try {
            String page = loop.submit(() -> held.page(NanoClock.SYSTEM.nanoTime())).get();
            if (!page.equals(heldPage)) {
                ProcessFile.write(Path.of(ProcessFile.HELD), page);
                heldPage = page;
            }
            if (!isBoardRead || !loop.submit(router::isFinished).get()) {
                Files.deleteIfExists(Path.of(ProcessFile.FINISHED));
            } else if (Files.notExists(Path.of(ProcessFile.FINISHED))) {
                ProcessFile.write(Path.of(ProcessFile.FINISHED), "");
            }
            claim(isBoardRead ? loop.submit(() -> containers.startable(router, NanoClock.SYSTEM.nanoTime())).get() : Set.of());
        } catch (IOException | ExecutionException e) {
            LOG.warn("Cannot write for the container which instances cause back-pressure and which may start: {}", e.toString());
        }
    }

    /** Writes first which tasks may be started: a task that is withdrawn stays claimed until the container no longer starts it. */
    private void claim(Set<Integer> next) throws IOException, InterruptedException {
        if (!next.equals(startable)) {
            ProcessFile.write(Path.of(ProcessFile.STARTABLE), next);
            startable = next;
        }
        Set<Integer> running = ProcessFile.readTasks(Path.of(ProcessFile.RUNNING));
        Future<?> unused = loop.submit(() -> router.claim(running)).sync();
    }

    /** Shows the container that the loop goes on. */
    private static void beat() {
        try {
            ProcessFile.write(BEAT, "");
        } catch (IOException e) {
            LOG.warn("Cannot write the heartbeat of this stream manager: {}", e.toString());
        }
    }

    private void report() {
        beat();
        containers.forgetSilent(router, NanoClock.SYSTEM.nanoTime());
        containers.report(router.report());
        held.logChanges(NanoClock.SYSTEM.nanoTime());
        server.everySecond();
        Map<String, Long> dropped = containers.takeDroppedByTarget();
        if (!dropped.isEmpty()) {
            LOG.warn(DroppedMessages.text(dropped));
        }
        long refused = containers.takeRefused();
        if (refused > 0) {
            Set<Integer> causes = router.causes();
            LOG.warn("Dropped {} messages, since the memory of this stream manager is full. {}", refused, causes.isEmpty()
                ? "The network to other containers, or a stream manager there, cannot keep up." : "Add executors for the tasks " + causes);
        }
    }
}
