package io.eyewall.scheduler.drain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.eyewall.scheduler.cluster.StormFixture;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.storm.blobstore.BlobStore;
import org.apache.storm.blobstore.BlobStoreUtils;
import org.apache.storm.cluster.ClusterStateContext;
import org.apache.storm.cluster.ClusterUtils;
import org.apache.storm.cluster.DaemonType;
import org.apache.storm.cluster.IStateStorage;
import org.apache.storm.daemon.nimbus.Nimbus;
import org.apache.storm.generated.SettableBlobMeta;
import org.apache.storm.generated.SupervisorInfo;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.nimbus.NimbusInfo;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.DefaultScheduler;
import org.apache.storm.scheduler.IScheduler;
import org.apache.storm.scheduler.blacklist.BlacklistScheduler;
import org.apache.storm.shade.org.apache.zookeeper.ZooDefs;
import org.apache.storm.testing.InProcessZookeeper;
import org.apache.storm.utils.ServerUtils;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Uses the scheduler that Nimbus makes, a blob store of Storm's, and ZooKeeper. */
class DrainingSchedulerTest {

    @TempDir
    private Path directory;
    private final Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
    private InProcessZookeeper zooKeeper;

    @BeforeEach
    void start() throws Exception {
        zooKeeper = new InProcessZookeeper();
        conf.put("storm.zookeeper.servers", List.of("localhost"));
        conf.put("storm.zookeeper.port", zooKeeper.getPort());
        conf.put("storm.local.dir", directory.toString());
    }

    @AfterEach
    void stop() throws Exception {
        zooKeeper.close();
    }

    @Test
    void shouldHideASupervisorFromTheSchedulerThatNimbusMakes() throws Exception {
        BlobStore blobs = ServerUtils.getNimbusBlobStore(conf, new NimbusInfo("localhost", 6627, true), null);
        blobs.createBlob("eyewall-drain-m1", DrainRequest.of("m1").toBytes(), new SettableBlobMeta(new ArrayList<>()),
            BlobStoreUtils.getNimbusSubject());
        StormFixture storm = new StormFixture("m1", "m2");
        Method wrap = Nimbus.class.getDeclaredMethod("wrapAsBlacklistScheduler", Map.class, IScheduler.class, StormMetricsRegistry.class);
        wrap.setAccessible(true);
        IScheduler scheduler = (IScheduler) wrap.invoke(null, conf, new DefaultScheduler(), new StormMetricsRegistry());
        Field underlying = BlacklistScheduler.class.getDeclaredField("underlyingScheduler");
        underlying.setAccessible(true);
        assertInstanceOf(DrainingScheduler.class, underlying.get(scheduler));

        Cluster cluster = storm.cluster();
        scheduler.schedule(cluster.getTopologies(), cluster);

        int executors = storm.placement().size();
        storm.keep(cluster);
        assertEquals(executors, storm.placement().size(), "each executor has a slot");
        storm.placement().values().forEach(slot -> assertEquals("m2", slot.getNodeId()));
        assertEquals(DrainRequest.Progress.DRAINING,
            DrainRequest.of(blobs.readBlob("eyewall-drain-m1", BlobStoreUtils.getNimbusSubject())).progress());
        scheduler.cleanup();
        blobs.shutdown();
    }

    @Test
    void shouldReadWhatSupervisorsAndWorkersHaveWritten() throws Exception {
        try (IStateStorage written = ClusterUtils.mkStateStorage(conf, conf, new ClusterStateContext(DaemonType.NIMBUS, conf));
                StoredSupervisorStates states = new StoredSupervisorStates(conf)) {
            assertEquals(Set.of(), states.workers("host-1"));
            assertEquals(OptionalLong.empty(), states.uptimeSecs("host-1"));

            for (String worker : List.of("orders-1-1/host-1-6700", "orders-1-1/host-11-6701", "clicks-2-1/host-1-6702")) {
                String path = ClusterUtils.BACKPRESSURE_SUBTREE + "/" + worker;
                written.mkdirs(path.substring(0, path.lastIndexOf('/')), ZooDefs.Ids.OPEN_ACL_UNSAFE);
                written.set_ephemeral_node(path, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE);
            }
            SupervisorInfo info = new SupervisorInfo(0, "host");
            info.set_uptime_secs(42);
            written.mkdirs(ClusterUtils.SUPERVISORS_SUBTREE, ZooDefs.Ids.OPEN_ACL_UNSAFE);
            written.set_ephemeral_node(ClusterUtils.supervisorPath("host-1"), Utils.serialize(info), ZooDefs.Ids.OPEN_ACL_UNSAFE);

            assertEquals(Set.of("clicks-2-1 on port 6702", "orders-1-1 on port 6700"), states.workers("host-1"));
            assertEquals(OptionalLong.of(42), states.uptimeSecs("host-1"));
        }
    }
}
