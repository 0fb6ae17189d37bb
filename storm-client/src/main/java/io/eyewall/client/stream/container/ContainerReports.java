package io.eyewall.client.stream.container;

import io.eyewall.client.engine.EngineConfiguration;
import io.eyewall.client.seam.MovableMark;
import io.eyewall.client.stream.instance.InstanceMain;
import io.eyewall.client.stream.plan.Instance;
import io.eyewall.client.stream.slot.Slot;
import io.eyewall.client.stream.slot.SlotTopology;
import io.eyewall.client.stream.slot.SlotView;
import io.eyewall.client.time.NanoClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.storm.Config;
import org.apache.storm.generated.BoltStats;
import org.apache.storm.generated.ClusterWorkerHeartbeat;
import org.apache.storm.generated.ExecutorInfo;
import org.apache.storm.generated.ExecutorSpecificStats;
import org.apache.storm.generated.ExecutorStats;
import org.apache.storm.generated.LSWorkerHeartbeat;
import org.apache.storm.generated.SupervisorWorkerHeartbeat;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.ConfigUtils;
import org.apache.storm.utils.LocalState;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.Time;
import org.apache.storm.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reports that a container makes in place of a worker: heartbeats to its Supervisor, the statistics of all executors to Nimbus, and
 * that its executors can change while it runs. Each method says on which thread.
 */
final class ContainerReports {

    private static final Logger LOG = LoggerFactory.getLogger(ContainerReports.class);
    private static final int KEPT_VERSIONS = 60;
    /** The statistics of an acker that has done nothing. */
    private static final ExecutorStats NO_WORK = new ExecutorStats(Map.of(), Map.of(),
        ExecutorSpecificStats.bolt(new BoltStats(Map.of(), Map.of(), Map.of(), Map.of(), Map.of())), 0);

    private final Slot slot;
    private final Map<String, Object> conf;
    private final SlotView view;
    private final LocalState state;
    private final MovableMark mark;
    private final boolean changesExecutors;
    private final long statisticsNs;
    private final Utils.UptimeComputer uptime = Utils.makeUptimeComputer();
    private final NanoClock clock;
    /** For the thread that reports. */
    private long statisticsDueNs;
    /** Guarded by this object: from then on there is no mark. */
    private boolean hasEnded;

    ContainerReports(Slot slot, Map<String, Object> conf, SlotTopology topology, SlotView view, NanoClock clock)
            throws IOException {
        this.clock = clock;
        statisticsDueNs = clock.nanoTime();
        this.slot = slot;
        this.conf = conf;
        this.view = view;
        state = ConfigUtils.workerState(conf, slot.workerId());
        mark = new MovableMark(ConfigUtils.workerRoot(conf, slot.workerId()));
        changesExecutors = new EngineConfiguration(topology.conf()).changesExecutors();
        statisticsNs = TimeUnit.SECONDS.toNanos(ObjectReader.getInt(conf.get(Config.EXECUTOR_METRICS_FREQUENCY_SECS)));
    }

    /** Writes the pid of this process where Supervisors and scripts look for it. */
    void writePids() throws IOException {
        String pid = Utils.processPid();
        Path file = Path.of(ConfigUtils.workerPidPath(conf, slot.workerId(), pid));
        Files.createDirectories(file.getParent());
        Files.write(file, new byte[0]);
        Path artifact = Path.of(ConfigUtils.workerArtifactsPidPath(conf, slot.topologyId(), slot.port()));
        Files.createDirectories(artifact.getParent());
        Files.writeString(artifact, pid);
    }

    /**
     * What there is to report. Immutable.
     *
     * @param hasDeparted whether the Supervisor may end the container, as soon as it knows that nothing is assigned to it
     * @param instances those of the container
     * @param expected those that run, or may still be expected to; Nimbus assigns the executors of others elsewhere after a while
     * @param idle the executors that run nowhere
     * @param directories those of the instances
     */
    record Report(boolean hasDeparted, List<Instance> instances, List<Instance> expected, List<List<Long>> idle, List<Path> directories) {

        static final Report OF_DEPARTURE = new Report(true, List.of(), List.of(), List.of(), List.of());

        private LSWorkerHeartbeat beat(Slot slot) {
            List<ExecutorInfo> infos = new ArrayList<>(with(idle, expected).stream().map(ContainerReports::info).toList());
            infos.add(new ExecutorInfo(-1, -1)); // Every worker has Storm's system bolt.
            return new LSWorkerHeartbeat(Time.currentTimeSecs(), slot.topologyId(), infos, slot.port());
        }
    }

    /** Writes a heartbeat for the Supervisor of this host into a file. On the main thread, since it must not come late. */
    void writeBeat(Report report) {
        try {
            state.setWorkerHeartBeat(report.beat(slot));
            state.cleanup(KEPT_VERSIONS);
        } catch (IOException | RuntimeException e) {
            LOG.warn("Cannot write the heartbeat of this container: {}", e.toString());
        }
    }

    /** Reports to the Supervisor, Nimbus and ZooKeeper, for which it waits. On one thread, which need not be the main one. */
    void report(Report report) {
        if (report.hasDeparted()) {
            setMark(mark::clear);
            sendBeat(report);
            return;
        }
        sendBeat(report);
        List<List<Long>> executors = with(report.idle(), report.instances());
        if (clock.nanoTime() - statisticsDueNs >= 0) {
            statisticsDueNs = clock.nanoTime() + statisticsNs;
            reportStatistics(report.directories(), executors, report.idle());
        }
        if (changesExecutors && isInZooKeeper()) {
            setMark(() -> mark.set(executors, clock.nanoTime()));
        }
    }

    private synchronized void setMark(Runnable change) {
        if (!hasEnded) {
            change.run();
        }
    }

    private static List<List<Long>> with(List<List<Long>> idle, List<Instance> instances) {
        List<List<Long>> executors = new ArrayList<>(idle);
        instances.forEach(instance -> executors.addAll(instance.executors()));
        return executors;
    }

    private void sendBeat(Report report) {
        LSWorkerHeartbeat beat = report.beat(slot);
        try {
            view.beat(new SupervisorWorkerHeartbeat(beat.get_topology_id(), beat.get_executors(), beat.get_time_secs()));
        } catch (TException | RuntimeException e) {
            LOG.warn("Cannot report a heartbeat to the Supervisor or to Nimbus: {}", e.toString());
        }
    }

    private void reportStatistics(List<Path> directories, List<List<Long>> executors, List<List<Long>> idle) {
        Map<ExecutorInfo, ExecutorStats> all = new HashMap<>();
        directories.forEach(directory -> all.putAll(read(directory.resolve(InstanceMain.STATISTICS))));
        all.keySet().removeIf(executor -> executor.get_task_start() >= 0 && !executors.contains(
            List.of((long) executor.get_task_start(), (long) executor.get_task_end())));
        idle.forEach(executor -> all.put(info(executor), NO_WORK));
        try {
            view.cluster().workerHeartbeat(slot.topologyId(), slot.supervisorId(), (long) slot.port(),
                new ClusterWorkerHeartbeat(slot.topologyId(), all, Time.currentTimeSecs(), uptime.upTime()));
        } catch (RuntimeException e) {
            LOG.warn("Cannot write statistics to ZooKeeper, and try again later: {}", e.toString());
        }
    }

    private static Map<ExecutorInfo, ExecutorStats> read(Path file) {
        try {
            return Utils.deserialize(Files.readAllBytes(file), ClusterWorkerHeartbeat.class).get_executor_stats();
        } catch (NoSuchFileException e) {
            return Map.of(); // The instance has not written any so far.
        } catch (IOException | RuntimeException e) {
            LOG.warn("Cannot read the statistics of an instance in {}: {}", file, e.toString());
            return Map.of();
        }
    }

    /** Whether the Supervisor lets a container run that has no executors any more, until it departs. */
    boolean mayOutliveAssignment() {
        return changesExecutors;
    }

    private boolean isInZooKeeper() {
        try {
            return view.cluster().stormBase(slot.topologyId(), null) != null;
        } catch (RuntimeException e) {
            LOG.debug("ZooKeeper cannot be reached", e);
            return false;
        }
    }

    /** Removes what would outlive the container, although a report may be under way. For any thread. */
    void end() {
        synchronized (this) {
            hasEnded = true;
            mark.clear();
        }
        try {
            view.cluster().removeWorkerHeartbeat(slot.topologyId(), slot.supervisorId(), (long) slot.port());
        } catch (RuntimeException e) {
            LOG.debug("ZooKeeper cannot be reached", e);
        }
    }

    private static ExecutorInfo info(List<Long> executor) {
        return new ExecutorInfo(executor.get(0).intValue(), executor.get(1).intValue());
    }
}
