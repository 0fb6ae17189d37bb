package io.eyewall.core.security;

import static io.eyewall.core.security.Tenants.ADMIN;
import static io.eyewall.core.security.Tenants.ALICE;
import static io.eyewall.core.security.Tenants.MALLORY;
import static io.eyewall.core.security.Tenants.as;
import static io.eyewall.core.security.Tenants.nimbus;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.blobstore.BlobStore;
import org.apache.storm.blobstore.BlobStoreAclHandler;
import org.apache.storm.callback.DefaultWatcherCallBack;
import org.apache.storm.cluster.DaemonType;
import org.apache.storm.daemon.nimbus.Nimbus;
import org.apache.storm.daemon.nimbus.TopoCache;
import org.apache.storm.generated.AccessControl;
import org.apache.storm.generated.AccessControlType;
import org.apache.storm.generated.AuthorizationException;
import org.apache.storm.generated.IllegalStateException;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.SettableBlobMeta;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.nimbus.ILeaderElector;
import org.apache.storm.nimbus.LeaderListenerCallback;
import org.apache.storm.nimbus.NimbusInfo;
import org.apache.storm.shade.org.apache.curator.framework.CuratorFramework;
import org.apache.storm.shade.org.apache.zookeeper.ZooDefs;
import org.apache.storm.utils.ConfigUtils;
import org.apache.storm.utils.ServerUtils;
import org.apache.storm.utils.Utils;
import org.apache.storm.zookeeper.ClientZookeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Blobs that go with a topology. */
class DependenciesCve202682441Test {

    private static final String READABLE = "dep-readable.jar";
    private static final String OWN = "dep-own.jar";

    @AfterAll
    static void close() throws Exception {
        Upstream.attackedBy(Tenants.Close.class);
        new Tenants.Close().call();
    }

    @Test
    void shouldNotRemoveABlobOfSomebodyElse() throws Exception {
        assertEquals(true, Upstream.attackedBy(ForeignDependency.class));

        assertEquals("The topology depends on the blob 'dep-of-alice.jar', which may not be read by you. Submit it with --jars or"
            + " --artifacts, which upload what it depends on.", refusal(new ForeignDependency()));
        assertEquals("of alice", Tenants.read(Tenants.ALICE, "dep-of-alice.jar"));
    }

    @Test
    void shouldRefuseADependencyThatIsNoneOrDoesNotExist() throws Exception {
        Tenants.create(Tenants.MALLORY, "data", "of mallory");
        assertTrue(refusal(depending("data")).contains("does not begin with dep-"));
        assertTrue(refusal(depending("dep-none.jar")).contains("does not exist"));
    }

    @Test
    void shouldNotRemoveADependencyThatAnotherTopologyHas() {
        String own = "dep-a-0a1b2c3d-0000-1111-2222-0123456789ab.jar";
        StormTopology ended = new StormTopology();
        ended.set_dependency_jars(List.of("dep-jar.jar", "dep-shared.jar", "data"));
        ended.set_dependency_artifacts(List.of("dep-org-library-1.0.jar", own));

        assertEquals(List.of("dep-jar.jar", own), DependencyBlobs.removable(ended, Set.of("dep-shared.jar")));
    }

    @Test
    void shouldNotRemoveABlobOfWhichTheSubmitterIsAReaderOnly() throws Exception {
        assertEquals(true, Upstream.attackedBy(ReadableDependency.class));

        assertEquals(false, new ReadableDependency().call());
    }

    @Test
    void shouldRemoveABlobOfTheSubmitters() throws Exception {
        Tenants.create(MALLORY, "dep-of-mallory.jar", "of mallory");
        Tenants.submit(MALLORY, "own", null, Map.of(), dependingOn("dep-of-mallory.jar"));
        Tenants.kill(ADMIN, "own");

        assertFalse(exists("dep-of-mallory.jar"));
    }

    @Test
    void shouldNotDeleteWhatARunningTopologyDependsOn() throws Exception {
        assertEquals(true, Upstream.attackedBy(DependencyTaken.class));

        String refusal = assertThrows(IllegalStateException.class, new DependencyTaken()::call).get_msg();
        assertEquals("The topology " + Tenants.id("taken") + " depends on the blob '" + OWN + "'. Kill the topology, which removes the blob"
            + " if it was uploaded for it, or delete the blob after that.", refusal);
    }

    @Test
    void shouldLeadWhereADependencyIsNowhere() throws Exception {
        assertEquals(true, Upstream.attackedBy(LeaderUnseated.class));

        assertEquals(false, new LeaderUnseated().call());
    }

    @Test
    void shouldReadTheTopologiesOfOthersWhenItBeginsToLead() throws Exception {
        assertEquals(true, Upstream.attackedBy(LeaderRefused.class));

        assertEquals(false, new LeaderRefused().call());
    }

    private static Callable<Void> depending(String key) {
        StormTopology topology = Tenants.topology();
        topology.set_dependency_artifacts(List.of(key));
        return () -> {
            Tenants.submit(Tenants.MALLORY, "depending", null, Map.of(), topology);
            return null;
        };
    }

    private static String refusal(Callable<?> attack) {
        return assertThrows(InvalidTopologyException.class, attack::call).get_msg();
    }

    private static StormTopology dependingOn(String key) {
        StormTopology topology = Tenants.topology();
        topology.set_dependency_jars(List.of(key));
        return topology;
    }

    private static boolean exists(String key) throws Exception {
        return as(ADMIN, () -> nimbus().isRemoteBlobExists(key));
    }

    /** Has Nimbus delete somebody else's blob with an own topology. */
    static final class ForeignDependency implements Callable<Boolean> {
        @Override
        public Boolean call() throws Exception {
            Tenants.create(ALICE, "dep-of-alice.jar", "of alice");
            Tenants.submit(MALLORY, "dependency", null, Map.of(), dependingOn("dep-of-alice.jar"));
            Tenants.kill(MALLORY, "dependency");
            return !exists("dep-of-alice.jar");
        }
    }

    /** Has Nimbus delete a blob that its owner lets everybody read, as {@code storm jar} does, and no more. */
    static final class ReadableDependency implements Callable<Boolean> {
        @Override
        public Boolean call() throws Exception {
            Tenants.create(ALICE, READABLE, "of alice", new AccessControl(AccessControlType.OTHER, BlobStoreAclHandler.READ));
            Tenants.submit(MALLORY, "readable", null, Map.of(), dependingOn(READABLE));
            Tenants.kill(MALLORY, "readable");
            return !exists(READABLE);
        }
    }

    /** Takes away what a running topology depends on. */
    static final class DependencyTaken implements Callable<Boolean> {
        @Override
        public Boolean call() throws Exception {
            Tenants.create(MALLORY, OWN, "of mallory");
            Tenants.submit(MALLORY, "taken", null, Map.of(), dependingOn(OWN));
            return as(MALLORY, () -> {
                nimbus().deleteBlob(OWN);
                return !nimbus().isRemoteBlobExists(OWN);
            });
        }
    }

    /** Whether a Nimbus gives up the lead, where a topology depends on a blob that is nowhere. */
    static final class LeaderUnseated implements Callable<Boolean> {
        @Override
        public Boolean call() throws Exception {
            Tenants.create(MALLORY, "dep-lost.jar", "of mallory");
            Tenants.submit(MALLORY, "unseating", null, Map.of(), dependingOn("dep-lost.jar"));
            try {
                return as(ADMIN, () -> hasQuit("dep-lost.jar"));
            } finally {
                Tenants.kill(MALLORY, "unseating");
            }
        }
    }

    /** Whether a Nimbus that begins to lead, which nobody has asked to, is refused a topology, or gives up. */
    static final class LeaderRefused implements Callable<Boolean> {
        @Override
        public Boolean call() throws Exception {
            Tenants.create(MALLORY, "dep-there.jar", "of mallory");
            Tenants.submit(MALLORY, "protected", null, Map.of(), dependingOn("dep-there.jar"));
            try {
                return hasQuit("dep-there.jar");
            } catch (RuntimeException e) {
                return Utils.exceptionCauseIsInstanceOf(AuthorizationException.class, e);
            } finally {
                Tenants.kill(MALLORY, "protected");
            }
        }
    }

    /** Whether a Nimbus that begins to lead gives up at once, after Nimbus has deleted a blob. */
    private static boolean hasQuit(String deleted) throws Exception {
        LocalCluster cluster = Tenants.cluster();
        Map<String, Object> conf = cluster.getDaemonConf();
        AtomicBoolean hasQuit = new AtomicBoolean();
        ILeaderElector elector = (ILeaderElector) Proxy.newProxyInstance(ILeaderElector.class.getClassLoader(),
            new Class<?>[] {ILeaderElector.class}, (proxy, method, arguments) -> {
                hasQuit.compareAndSet(false, "quitElectionFor".equals(method.getName()));
                return "isLeader".equals(method.getName()) ? true : null;
            });
        BlobStore blobs = ServerUtils.getNimbusBlobStore(conf, NimbusInfo.fromConf(conf), elector);
        List<String> keys = new ArrayList<>();
        blobs.listKeys().forEachRemaining(keys::add);
        for (String id : cluster.getClusterState().activeStorms()) {
            // In local mode topologies have none, which is another reason to give up the lead.
            String jar = ConfigUtils.masterStormJarKey(id);
            if (!keys.contains(jar)) {
                blobs.createBlob(jar, new byte[1], new SettableBlobMeta(new ArrayList<>()), Nimbus.NIMBUS_SUBJECT);
            }
        }
        // As upstream's Nimbus does if it is asked to.
        blobs.deleteBlob(deleted, Nimbus.NIMBUS_SUBJECT);
        cluster.getClusterState().removeBlobstoreKey(deleted);
        try (CuratorFramework zookeeper = ClientZookeeper.mkClient(conf, List.of("localhost"), conf.get(Config.STORM_ZOOKEEPER_PORT),
                String.valueOf(conf.get(Config.STORM_ZOOKEEPER_ROOT)), new DefaultWatcherCallBack(), conf, DaemonType.NIMBUS)) {
            new LeaderListenerCallback(conf, zookeeper, blobs, elector, new TopoCache(blobs, conf), cluster.getClusterState(),
                ZooDefs.Ids.OPEN_ACL_UNSAFE, new StormMetricsRegistry()).leaderCallBack(new Object());
        } finally {
            blobs.shutdown();
        }
        return hasQuit.get();
    }
}
