package io.eyewall.core.security;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import javax.security.auth.Subject;
import org.apache.storm.LocalCluster;
import org.apache.storm.daemon.nimbus.Nimbus;
import org.apache.storm.generated.AccessControl;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.generated.SettableBlobMeta;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.SubmitOptions;
import org.apache.storm.generated.TopologyInitialStatus;
import org.apache.storm.security.auth.ReqContext;
import org.apache.storm.security.auth.SingleUserPrincipal;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.utils.Utils;

/**
 * A Nimbus with authorization and access control of blobs, and tenants who call it; without Supervisors. It is started when it is first
 * used, once for each class loader. Knows nothing of Eyewall, so that it runs on upstream's classes as well.
 */
final class Tenants {

    static final String ALICE = "alice";
    static final String MALLORY = "mallory";
    static final String ADMIN = "admin";
    static final String READER = "reader";
    static final String CLUSTER_SECRET = "hunter2";
    static final String TOPOLOGY_SECRET = "swordfish";

    private static LocalCluster cluster;

    private Tenants() {
    }

    static synchronized Nimbus nimbus() throws Exception {
        if (cluster == null) {
            cluster = new LocalCluster.Builder().withSupervisors(0).withDaemonConf(Map.of(
                "nimbus.authorizer", "org.apache.storm.security.auth.authorizer.SimpleACLAuthorizer",
                "supervisor.authorizer", "org.apache.storm.security.auth.authorizer.SimpleACLAuthorizer",
                "nimbus.admins", List.of(ADMIN),
                "storm.blobstore.acl.validation.enabled", true,
                "ui.https.keystore.password", CLUSTER_SECRET,
                "worker.childopts", "-Djavax.net.ssl.keyStorePassword=" + CLUSTER_SECRET)).build();
        }
        return cluster.getNimbus();
    }

    static LocalCluster cluster() throws Exception {
        nimbus();
        return cluster;
    }

    private static synchronized void close() throws Exception {
        if (cluster != null) {
            cluster.close();
            cluster = null;
        }
    }

    /** Does something as this user. */
    static <T> T as(String user, Callable<T> call) throws Exception {
        nimbus();
        ReqContext.context().setSubject(new Subject(true, Set.of(new SingleUserPrincipal(user)), Set.of(), Set.of()));
        try {
            return call.call();
        } finally {
            ReqContext.reset();
        }
    }

    static void submit(String user, String name, String jar, Map<String, Object> conf, StormTopology topology) throws Exception {
        as(user, () -> {
            nimbus().submitTopologyWithOpts(name, jar, JSONValue.toJSONString(conf), Utils.addVersions(topology),
                new SubmitOptions(TopologyInitialStatus.INACTIVE));
            return null;
        });
    }

    static StormTopology topology() {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("words", new TestWordSpout()).addConfiguration("db.password", TOPOLOGY_SECRET);
        return builder.createTopology();
    }

    /** Kills a topology, and removes what goes with it. */
    static void kill(String user, String name) throws Exception {
        String id = id(name);
        KillOptions now = new KillOptions();
        now.set_wait_secs(0);
        as(user, () -> {
            nimbus().killTopologyWithOpts(name, now);
            return null;
        });
        nimbus().rmDependencyJarsInTopology(id);
    }

    static String id(String name) throws Exception {
        return as(ADMIN, () -> nimbus().getTopologySummaryByName(name).get_id());
    }

    /** Makes a blob that only its owner may read. */
    static void create(String user, String key, String content, AccessControl... others) throws Exception {
        as(user, () -> {
            String session = nimbus().beginCreateBlob(key, new SettableBlobMeta(List.of(others)));
            nimbus().uploadBlobChunk(session, ByteBuffer.wrap(content.getBytes(StandardCharsets.UTF_8)));
            nimbus().finishBlobUpload(session);
            return null;
        });
    }

    static String read(String user, String key) throws Exception {
        return as(user, () -> {
            String session = nimbus().beginBlobDownload(key).get_session();
            return StandardCharsets.UTF_8.decode(nimbus().downloadBlobChunk(session)).toString();
        });
    }

    /** Ends the cluster of the class loader. */
    static final class Close implements Callable<Void> {
        @Override
        public Void call() throws Exception {
            close();
            return null;
        }
    }
}
