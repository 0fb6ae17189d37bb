package org.apache.storm.daemon.supervisor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.engine.EngineConfiguration;
import io.eyewall.client.seam.MovableMark;
import io.eyewall.client.time.NanoClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.storm.Config;
import org.apache.storm.DaemonConfig;
import org.apache.storm.container.DefaultResourceIsolationManager;
import org.apache.storm.generated.ExecutorInfo;
import org.apache.storm.generated.LocalAssignment;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.generated.ProfileAction;
import org.apache.storm.generated.ProfileRequest;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.utils.ConfigUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A worker is being started, or runs, when its slot gets another assignment, or none. */
class MovedSlotsTest {

    private static final LocalAssignment STARTED_FOR = assignment(1);
    private static final List<List<Long>> STARTED_FOR_TASKS = List.of(List.of(1L, 1L));

    @TempDir
    Path local;

    @ParameterizedTest
    @CsvSource({
        "true, false, false, true",  // It may hold tuples of others, which it sends on.
        "true, true, false, false",  // A process that has ended holds none, and would keep the slot.
        "true, false, true, true",
        "false, false, false, false",
        "false, false, true, false"})
    void shouldLetAWorkerStartThatMayHoldTuples(boolean hot, boolean exited, boolean assigned, boolean keeps) throws IOException {
        Map<String, Object> topologyConf = Map.of(EngineConfiguration.HOT_REBALANCE, hot);
        StormMetricsRegistry metrics = new StormMetricsRegistry();
        Slot.DynamicState slot = new Slot.DynamicState(STARTED_FOR, new StartingContainer(conf(), topologyConf, metrics, exited), null,
            new SlotMetrics(metrics));
        assertEquals(keeps, MovedSlots.keepsStarting(assigned ? assignment(2) : null, STARTED_FOR, slot));
    }

    @ParameterizedTest
    @CsvSource({"10, true", "30, false"})
    void shouldEndAWorkerThatHasNotReachedZooKeeperForASession(int secondsAgo, boolean keeps) throws IOException {
        Slot.DynamicState slot = slotOfWorkerThatReachedZooKeeper(secondsAgo);
        assertEquals(keeps, MovedSlots.keepsRunning(assignment(2), STARTED_FOR, slot));
    }

    @Test
    void shouldEndAWorkerThatIsAssignedAgainWhatOthersMayRunByNow() throws IOException {
        Slot.DynamicState slot = slotOfWorkerThatReachedZooKeeper(10);
        assertTrue(MovedSlots.keepsRunning(assignment(2), STARTED_FOR, slot));
        assertTrue(MovedSlots.keepsRunning(STARTED_FOR, assignment(2), slot));
        mark(slot.container.conf).set(STARTED_FOR_TASKS, NanoClock.SYSTEM.nanoTime() - TimeUnit.SECONDS.toNanos(30));
        assertFalse(MovedSlots.keepsRunning(STARTED_FOR, STARTED_FOR, slot));
        mark(slot.container.conf).set(STARTED_FOR_TASKS, NanoClock.SYSTEM.nanoTime());
        assertTrue(MovedSlots.keepsRunning(STARTED_FOR, STARTED_FOR, slot));
    }

    @Test
    void shouldRememberRecordingsThatHaveBegunInThisTopology() throws IOException {
        Slot.TopoProfileAction begun = request("topology-1", 1);
        Slot.TopoProfileAction asked = request("topology-1", 2);
        Set<Slot.TopoProfileAction> both = Set.of(begun, request("topology-0", 1));

        Slot.DynamicState next = ProfileRequests.remembering(slotOfWorkerThatReachedZooKeeper(10), Set.of(asked), both);
        assertEquals(Set.of(asked, begun), next.profileActions);
        assertEquals(Set.of(begun), next.pendingStopProfileActions);

        Slot.DynamicState empty = new Slot.DynamicState(null, null, null, new SlotMetrics(new StormMetricsRegistry()));
        assertEquals(Set.of(asked), ProfileRequests.remembering(empty, Set.of(asked), both).profileActions);
    }

    private static Slot.TopoProfileAction request(String topology, long endMs) {
        ProfileRequest request = new ProfileRequest(new NodeInfo("host", Set.of(6700L)), ProfileAction.JPROFILE_STOP);
        request.set_time_stamp(endMs);
        return new Slot.TopoProfileAction(topology, request);
    }

    private Slot.DynamicState slotOfWorkerThatReachedZooKeeper(int secondsAgo) throws IOException {
        Map<String, Object> conf = conf();
        mark(conf).set(STARTED_FOR_TASKS, NanoClock.SYSTEM.nanoTime() - TimeUnit.SECONDS.toNanos(secondsAgo));
        StormMetricsRegistry metrics = new StormMetricsRegistry();
        return new Slot.DynamicState(STARTED_FOR, new StartingContainer(conf, Map.of(), metrics, false), null, new SlotMetrics(metrics));
    }

    private static MovableMark mark(Map<String, Object> conf) throws IOException {
        return new MovableMark(Files.createDirectories(Path.of(ConfigUtils.workerRoot(conf, StartingContainer.WORKER))).toString());
    }

    private Map<String, Object> conf() {
        return Map.of(Config.STORM_LOCAL_DIR, local.toString(), DaemonConfig.STORM_RESOURCE_ISOLATION_PLUGIN_ENABLE, false,
            Config.STORM_ZOOKEEPER_SESSION_TIMEOUT, 20_000);
    }

    private static LocalAssignment assignment(int lastTask) {
        return new LocalAssignment("topology-1", List.of(new ExecutorInfo(1, lastTask)));
    }

    private static final class StartingContainer extends Container {
        static final String WORKER = "worker-1";
        private final boolean exited;

        StartingContainer(Map<String, Object> conf, Map<String, Object> topologyConf, StormMetricsRegistry metrics, boolean exited)
                throws IOException {
            super(ContainerType.LAUNCH, conf, "supervisor", 6699, 6700, STARTED_FOR, new DefaultResourceIsolationManager(), null,
                topologyConf, new AdvancedFSOps(conf) {
                    @Override
                    public boolean doRequiredTopoFilesExist(Map<String, Object> any, String topologyId) {
                        return true;
                    }
                }, metrics, new ContainerMemoryTracker(metrics));
            this.exited = exited;
        }

        @Override
        public String getWorkerId() {
            return WORKER;
        }

        @Override
        public boolean didMainProcessExit() {
            return exited;
        }

        @Override
        public void launch() {
            throw new UnsupportedOperationException("It is being started.");
        }

        @Override
        public void relaunch() {
            throw new UnsupportedOperationException("It is being started.");
        }

        @Override
        public boolean runProfiling(ProfileRequest request, boolean stop) {
            throw new UnsupportedOperationException("Nobody profiles it.");
        }
    }
}
