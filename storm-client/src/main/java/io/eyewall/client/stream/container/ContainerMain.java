package io.eyewall.client.stream.container;

import io.eyewall.client.stream.StreamConfiguration;
import io.eyewall.client.stream.plan.Instance;
import io.eyewall.client.stream.plan.InstancePlan;
import io.eyewall.client.stream.slot.BackgroundWork;
import io.eyewall.client.stream.slot.ParentContainer;
import io.eyewall.client.stream.slot.Slot;
import io.eyewall.client.stream.slot.SlotTopology;
import io.eyewall.client.stream.slot.SlotView;
import io.eyewall.client.time.NanoClock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.storm.Config;
import org.apache.storm.daemon.StormCommon;
import org.apache.storm.utils.ConfigUtils;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process that a Supervisor starts as a worker, for topologies with stream managers. It runs no code of the topology's. It starts the
 * stream manager and the instances of its slot, restarts those that end, ends and starts instances when the assignment changes, and reports
 * to the Supervisor and to Nimbus for all of them. The main thread looks after the processes. Two other threads read the assignment and
 * report, since they have to wait for the Supervisor, Nimbus and ZooKeeper.
 */
public final class ContainerMain {

    private static final Logger LOG = LoggerFactory.getLogger(ContainerMain.class);
    private static final long ROUND_MS = 1_000;
    /**
     * How long the processes of a dead container have before they are killed. Nearly always they have noticed its death before this
     * container has been started. Others count on them for {@link ParentContainer#END_SECS}.
     */
    private static final long FORMER_SECS = 5;
    /** Until there is a plan. */
    private static final long FIRST_ROUND_MS = 50;

    private final ContainerProcesses processes;
    private final ContainerReports reports;
    private final SlotView view;
    private final Slot slot;
    private final SlotTopology topology;
    private final CountDownLatch ending = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    /** By the last assignment that could be read; null before the first one. Written by the thread that reads it. */
    private final AtomicReference<Optional<InstancePlan>> plan = new AtomicReference<>();
    /** What has to be reported next; null if that has been done. The main thread puts it here, and the one that reports takes it. */
    private final AtomicReference<ContainerReports.Report> due = new AtomicReference<>();
    private boolean isAssigned = true;
    /** Whether nothing was left in this container, so that its Supervisor may end it. It starts nothing any more. */
    private boolean hasDeparted;
    /** Whether this process ends by itself, as a worker would: the topology has ended, or it has to be another process. */
    private boolean hasToEnd;
    /** Those of the last plan; written by the main thread. */
    private volatile List<Instance> instances = List.of();
    /** What features of the container do when it ends. */
    private final List<Runnable> ends = new ArrayList<>();

    private ContainerMain(Slot slot, Map<String, Object> conf, SlotTopology topology) throws Exception {
        this.slot = slot;
        this.topology = topology;
        view = new SlotView(slot, topology, conf);
        processes = new ContainerProcesses(slot, topology, Path.of(ConfigUtils.workerRoot(conf, slot.workerId())),
            NanoClock.SYSTEM);
        reports = new ContainerReports(slot, conf, topology, view, NanoClock.SYSTEM);
    }

    /**
     * Runs a container in place of a worker, if the topology is to have one. It then ends with the container.
     *
     * @param arguments those of {@code Worker.main}
     * @return false if the topology has workers, and this process is to be one
     */
    public static boolean takesOver(String... arguments) throws Exception {
        if (arguments.length != Slot.ARGUMENTS) {
            return false; // Storm's worker reports what is wrong.
        }
        Slot slot = Slot.parse(arguments);
        Map<String, Object> conf = ConfigUtils.readStormConfig();
        if (!new StreamConfiguration(ConfigUtils.readSupervisorStormConf(conf, slot.topologyId())).hasStreamManagers()) {
            return false;
        }
        Utils.setupWorkerUncaughtExceptionHandler();
        StormCommon.validateDistributedMode(conf);
        ContainerMain container = new ContainerMain(slot, conf, new SlotTopology(slot, conf));
        long shutdownSecs = ObjectReader.getInt(conf.get(Config.SUPERVISOR_WORKER_SHUTDOWN_SLEEP_SECS));
        Runtime.getRuntime().addShutdownHook(new Thread(container::end, "end-container"));
        container.run(TimeUnit.SECONDS.toNanos(shutdownSecs));
        return true;
    }

    private void run(long shutdownNs) throws IOException, InterruptedException {
        LOG.info("The container of {} at {}:{} has started.", slot.topologyId(), slot.supervisorId(), slot.port());
        try {
            try {
                keepRunningUntilEnd(shutdownNs);
                ends.forEach(Runnable::run);
            } finally {
                reports.end();
                view.close();
            }
            LOG.info("The container of {} at {}:{} has ended.", slot.topologyId(), slot.supervisorId(), slot.port());
        } finally {
            ended.countDown(); // The process that shuts down waits for it, whatever has failed.
        }
    }

    /** Returns when all other processes have ended. */
    private void keepRunningUntilEnd(long shutdownNs) throws IOException, InterruptedException {
        try {
            join();
            followUntilEnd();
        } finally {
            processes.end(shutdownNs);
        }
    }

    private void followUntilEnd() throws IOException, InterruptedException {
        try (BackgroundWork reads = new BackgroundWork("read-assignment", () -> plan.set(view.plan()), "Cannot read the assignment. The"
                + " container continues with the last one");
                BackgroundWork reporting = new BackgroundWork("report", this::report, "Cannot report for this container")) {
            LOG.debug("{} and {} have started.", reads, reporting);
            reports.writePids();
            new FormerProcesses(slot, NanoClock.SYSTEM).awaitEnd(TimeUnit.SECONDS.toNanos(FORMER_SECS), ending);
            do {
                followAssignment();
            } while (!hasToEnd && !ending.await(plan.get() == null ? FIRST_ROUND_MS : ROUND_MS, TimeUnit.MILLISECONDS));
        }
    }

    private void join() {
        ContainerFeature.Members members = new ContainerFeature.Members() {
            @Override
            public List<Instance> instances() {
                return instances;
            }

            @Override
            public String component(int task) {
                return topology.of(task);
            }

            @Override
            public Path directory(String process) {
                return processes.directory(process);
            }
        };
        ServiceLoader.load(ContainerFeature.class, ContainerMain.class.getClassLoader())
            .forEach(feature -> ends.add(feature.join(slot, topology.conf(), members)));
    }

    /** Does what the last assignment says that could be read. */
    private void followAssignment() {
        Optional<InstancePlan> read = plan.get();
        if (read == null) {
            return;
        }
        boolean wasAssigned = isAssigned;
        isAssigned = read.filter(now -> now.containers().contains(slot.place())).isPresent();
        hasToEnd = read.isEmpty() || (isAssigned ? hasDeparted : !reports.mayOutliveAssignment());
        if (wasAssigned && !isAssigned && !hasToEnd) {
            LOG.info("Nothing is assigned to this container any more. It ends when its last tuple has arrived.");
        }
        if (!hasToEnd) {
            InstancePlan now = read.get();
            instances = now.instances(slot.place());
            keepRunning();
            hasDeparted |= !isAssigned && processes.areFinished();
            ContainerReports.Report next = hasDeparted ? ContainerReports.Report.OF_DEPARTURE : new ContainerReports.Report(false,
                instances, processes.expected(instances, NanoClock.SYSTEM.nanoTime()), now.idle(slot.place()),
                processes.directories(instances));
            reports.writeBeat(next);
            due.set(next);
        }
    }

    /** Reports what the main thread has seen last. If that thread stands still, nothing is reported. */
    private void report() {
        ContainerReports.Report next = due.getAndSet(null);
        if (next != null) {
            reports.report(next);
        }
    }

    /** What cannot be written now, such as to a full disk, is tried again in the next round. Processes that run go on meanwhile. */
    private void keepRunning() {
        try {
            processes.keepRunning(instances, NanoClock.SYSTEM.nanoTime());
        } catch (IOException e) {
            LOG.warn("Cannot write into the directory of this container, and tries again in a second: {}", e.toString());
        }
    }

    /** Ends the other processes, while this one is shutting down. */
    private void end() {
        ending.countDown();
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
