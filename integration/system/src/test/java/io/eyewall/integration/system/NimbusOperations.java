package io.eyewall.integration.system;

import io.eyewall.integration.cluster.ClusterException;
import io.eyewall.integration.cluster.Topologies;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.storm.generated.AuthorizationException;
import org.apache.storm.generated.Credentials;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.KeyAlreadyExistsException;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.generated.LogConfig;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.generated.ProfileAction;
import org.apache.storm.generated.ProfileRequest;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.generated.SettableBlobMeta;
import org.apache.storm.generated.SubmitOptions;
import org.apache.storm.generated.SupervisorWorkerHeartbeats;
import org.apache.storm.generated.TopologyInitialStatus;
import org.apache.storm.generated.WorkerMetricList;
import org.apache.storm.generated.WorkerMetrics;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.thrift.TException;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.utils.Utils;
import org.awaitility.Awaitility;

/** Nimbus's operations on a tenant's topology and blob, as anybody may try them. */
final class NimbusOperations {

    private static final int LATER_SECS = 600;
    private static final String BLOB = "private";
    private static final String CONF =
        "{\"storm.zookeeper.topology.auth.scheme\":\"digest\",\"storm.zookeeper.topology.auth.payload\":\"name:secret\"}";

    private final Map<String, Operation> operations = new LinkedHashMap<>();
    private final String name;
    private final String id;
    private final Topologies owner;
    private int submitted;

    /** {@code name} and {@code id} are those of a running topology of {@code owner}'s. */
    NimbusOperations(String name, String id, Topologies owner) {
        this.name = name;
        this.id = id;
        this.owner = owner;
        makeBlob();
        ofTheCluster();
        thatRead();
        thatChange();
        onBlobs();
        ofDaemons();
        operations.put("killTopology", nimbus -> {
            KillOptions options = new KillOptions();
            options.set_wait_secs(LATER_SECS);
            nimbus.killTopologyWithOpts(name, options);
        });
    }

    /** The names of all operations; the topology is killed by the last. */
    Set<String> names() {
        return operations.keySet();
    }

    /** Whether the user of this client may do that; does it if so. Throws {@link ClusterException} if it fails for another reason. */
    boolean may(Topologies user, String operation) {
        try {
            user.ask(operation, nimbus -> {
                operations.get(operation).on(nimbus);
                return null;
            });
            return true;
        } catch (ClusterException e) {
            if (e.getCause() instanceof AuthorizationException) {
                return false;
            }
            throw e;
        }
    }

    private void ofTheCluster() {
        operations.put("submitTopology", this::submit);
        operations.put("getClusterInfo", Nimbus.Iface::getClusterInfo);
        operations.put("getNimbusConf", Nimbus.Iface::getNimbusConf);
        operations.put("getTopologySummaries", Nimbus.Iface::getTopologySummaries);
        operations.put("getOwnerResourceSummaries", nimbus -> nimbus.getOwnerResourceSummaries(null));
        operations.put("getLeader", Nimbus.Iface::getLeader);
        operations.put("isTopologyNameAllowed", nimbus -> nimbus.isTopologyNameAllowed("another"));
    }

    private void thatRead() {
        operations.put("getTopologyConf", nimbus -> nimbus.getTopologyConf(id));
        operations.put("getTopology", nimbus -> nimbus.getTopology(id));
        operations.put("getUserTopology", nimbus -> nimbus.getUserTopology(id));
        operations.put("getTopologyInfo", nimbus -> nimbus.getTopologyInfo(id));
        operations.put("getTopologyPageInfo", nimbus -> nimbus.getTopologyPageInfo(id, ":all-time", true));
        operations.put("getComponentPageInfo", nimbus -> nimbus.getComponentPageInfo(id, "numbers", ":all-time", true));
        operations.put("getTopologySummary", nimbus -> nimbus.getTopologySummary(id));
        operations.put("getLogConfig", nimbus -> nimbus.getLogConfig(id));
        operations.put("getComponentPendingProfileActions",
            nimbus -> nimbus.getComponentPendingProfileActions(id, "numbers", ProfileAction.JPROFILE_STOP));
    }

    private void thatChange() {
        operations.put("deactivate", nimbus -> nimbus.deactivate(name));
        operations.put("activate", nimbus -> nimbus.activate(name));
        operations.put("rebalance", nimbus -> {
            RebalanceOptions options = new RebalanceOptions();
            options.set_wait_secs(0);
            nimbus.rebalance(name, options);
            Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> owner.find(name).orElseThrow().get_status().equals("ACTIVE"));
        });
        operations.put("debug", nimbus -> nimbus.debug(name, "numbers", false, 0));
        LogConfig none = new LogConfig();
        none.set_named_logger_level(Map.of());
        operations.put("setLogConfig", nimbus -> nimbus.setLogConfig(id, none));
        operations.put("setWorkerProfiler", nimbus -> nimbus.setWorkerProfiler(id,
            new ProfileRequest(new NodeInfo("nowhere", Set.of(1L)), ProfileAction.JPROFILE_STOP)));
        operations.put("uploadNewCredentials", nimbus -> nimbus.uploadNewCredentials(name, new Credentials(Map.of("colour", "blue"))));
    }

    private void onBlobs() {
        operations.put("listBlobs", nimbus -> {
            if (!nimbus.listBlobs("").get_keys().contains(BLOB)) {
                throw new AuthorizationException(BLOB + " is not in the list.");
            }
        });
        operations.put("getBlobMeta", nimbus -> nimbus.getBlobMeta(BLOB));
        operations.put("beginBlobDownload", nimbus -> nimbus.beginBlobDownload(BLOB));
        operations.put("getBlobReplication", nimbus -> nimbus.getBlobReplication(BLOB));
        operations.put("createStateInZookeeper", nimbus -> nimbus.createStateInZookeeper(BLOB));
        operations.put("beginUpdateBlob", nimbus -> nimbus.cancelBlobUpload(nimbus.beginUpdateBlob(BLOB)));
        operations.put("setBlobMeta", nimbus -> nimbus.setBlobMeta(BLOB,
            owner.ask("describe the blob", owners -> owners.getBlobMeta(BLOB)).get_settable()));
        operations.put("deleteBlob", nimbus -> {
            makeBlob();
            nimbus.deleteBlob(BLOB);
        });
    }

    private void ofDaemons() {
        operations.put("getSupervisorAssignments", nimbus -> nimbus.getSupervisorAssignments("nowhere"));
        operations.put("sendSupervisorWorkerHeartbeats",
            nimbus -> nimbus.sendSupervisorWorkerHeartbeats(new SupervisorWorkerHeartbeats("nowhere", List.of())));
        operations.put("processWorkerMetrics",
            nimbus -> nimbus.processWorkerMetrics(new WorkerMetrics(id, 1, "nowhere", new WorkerMetricList(List.of()))));
    }

    /** Has the owner make a blob that nobody else may read, unless there is one. */
    private void makeBlob() {
        owner.ask("make a blob", nimbus -> {
            try {
                nimbus.finishBlobUpload(nimbus.beginCreateBlob(BLOB, new SettableBlobMeta(List.of())));
            } catch (KeyAlreadyExistsException there) {
                return false;
            }
            return true;
        });
    }

    /** Submits a topology that never emits. */
    private void submit(Nimbus.Iface nimbus) throws TException {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("words", new TestWordSpout());
        String jar = nimbus.beginFileUpload();
        nimbus.finishFileUpload(jar);
        submitted++;
        try {
            nimbus.submitTopologyWithOpts("submitted-" + submitted, jar, CONF, Utils.addVersions(topology.createTopology()),
                new SubmitOptions(TopologyInitialStatus.INACTIVE));
        } catch (InvalidTopologyException e) {
            throw new IllegalStateException(e.get_msg(), e);
        }
        KillOptions now = new KillOptions();
        now.set_wait_secs(0);
        nimbus.killTopologyWithOpts("submitted-" + submitted, now);
    }

    /** Something that a client asks of Nimbus. */
    @FunctionalInterface
    private interface Operation {

        void on(Nimbus.Iface nimbus) throws TException;
    }
}
