package io.eyewall.core.security;

import io.eyewall.client.security.SchedulingStrategies;
import io.eyewall.core.nimbus.RebalanceCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import javax.security.auth.Subject;
import net.bytebuddy.asm.MemberSubstitution;
import org.apache.storm.Config;
import org.apache.storm.DaemonConfig;
import org.apache.storm.blobstore.BlobStore;
import org.apache.storm.blobstore.BlobStoreAclHandler;
import org.apache.storm.cluster.IStormClusterState;
import org.apache.storm.daemon.nimbus.Nimbus;
import org.apache.storm.daemon.nimbus.TopoCache;
import org.apache.storm.generated.KeyNotFoundException;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.nimbus.ILeaderElector;
import org.apache.storm.security.auth.ReqContext;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.ServerConfigUtils;
import org.apache.storm.utils.ServerUtils;
import org.apache.storm.utils.Time;
import org.apache.storm.utils.Utils;
import org.apache.storm.utils.WrappedIllegalStateException;
import org.apache.storm.utils.WrappedInvalidTopologyException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What upstream's Nimbus calls, by weaving, on the thread that serves a client or cleans up. */
public final class NimbusDelegates {

    private static final Logger LOG = LoggerFactory.getLogger(NimbusDelegates.class);

    private static final String CONF = "conf";

    private NimbusDelegates() {
    }

    /**
     * In place of {@code Utils.validateTopologyBlobStoreMap} in {@code submitTopologyWithOpts}, which calls it after it has checked that
     * the caller may submit.
     */
    public static void submitting(@MemberSubstitution.Argument(0) Map<String, Object> topologyConf,
            @MemberSubstitution.Argument(1) BlobStore blobs,
            @MemberSubstitution.Argument(value = 1, source = MemberSubstitution.Source.ENCLOSING_METHOD) String jar,
            @MemberSubstitution.Argument(value = 3, source = MemberSubstitution.Source.ENCLOSING_METHOD) StormTopology topology,
            @MemberSubstitution.FieldValue(CONF) Map<String, Object> nimbusConf) throws TException, IOException {
        if (jar != null) {
            UploadedJar.check(jar, Path.of(ServerConfigUtils.masterInbox(nimbusConf)));
        }
        checkConf(topologyConf, blobs, nimbusConf);
        String authentication = Config.STORM_MESSAGING_NETTY_AUTHENTICATION;
        WorkerSecrets.check(topologyConf.getOrDefault(authentication, nimbusConf.get(authentication)), nimbusConf);
        DependencyBlobs.check(topology, blobs, ReqContext.context().subject());
    }

    /**
     * In place of {@code ReqContext.subject()} where a Nimbus that shall lead reads topologies. Nobody asks it to; upstream reads them as
     * nobody, who may not.
     */
    public static Subject leading(ReqContext ignoredNobody) {
        return Nimbus.NIMBUS_SUBJECT;
    }

    /**
     * In place of {@code Utils.parseJson} in {@code rebalance}, which calls it after it has checked that the caller may rebalance: what
     * may be in a submission may be in a rebalance, and nothing else (CVE-2026-82432).
     */
    public static Map<String, Object> rebalancing(@MemberSubstitution.Argument(0) String overrides,
            @MemberSubstitution.Argument(value = 0, source = MemberSubstitution.Source.ENCLOSING_METHOD) String name,
            @MemberSubstitution.FieldValue("stormClusterState") IStormClusterState state,
            @MemberSubstitution.FieldValue("topoCache") TopoCache topologies,
            @MemberSubstitution.FieldValue("blobStore") BlobStore blobs,
            @MemberSubstitution.FieldValue(CONF) Map<String, Object> nimbusConf) throws TException, IOException {
        Map<String, Object> parsed = Utils.parseJson(overrides);
        checkConf(parsed, blobs, nimbusConf);
        Optional<String> id = state.getTopoId(name);
        if (id.isPresent()) { // If not, upstream says so next.
            RebalanceCheck.checkTogether(topologies.readTopology(id.get(), Nimbus.NIMBUS_SUBJECT), nimbusConf,
                topologies.readTopoConf(id.get(), Nimbus.NIMBUS_SUBJECT), parsed);
        }
        WorkerSecrets.check(parsed.get(Config.STORM_MESSAGING_NETTY_AUTHENTICATION), nimbusConf);
        if (!ObjectReader.getBoolean(nimbusConf.get(DaemonConfig.STORM_TOPOLOGY_CLASSPATH_BEGINNING_ENABLED), false)) {
            parsed.remove(Config.TOPOLOGY_CLASSPATH_BEGINNING);
        }
        return parsed;
    }

    /** In place of {@code BlobStore.listKeys} in {@code listBlobs}. */
    public static Iterator<String> listing(
            @MemberSubstitution.This(source = MemberSubstitution.Source.SUBSTITUTED_ELEMENT) BlobStore blobs,
            @MemberSubstitution.FieldValue(CONF) Map<String, Object> nimbusConf) {
        boolean isChecked = ObjectReader.getBoolean(nimbusConf.get(Config.STORM_BLOBSTORE_ACL_VALIDATION_ENABLED), false);
        return isChecked ? new VisibleBlobs(blobs, ReqContext.context().subject()) : blobs.listKeys();
    }

    /** In place of {@code JSONValue.toJSONString} where a configuration is returned. */
    public static String json(@MemberSubstitution.Argument(0) Object conf,
            @MemberSubstitution.FieldValue(CONF) Map<String, Object> nimbusConf) {
        return ServedConfigurations.json(conf, nimbusConf);
    }

    /**
     * In place of {@code StormTopology.get_dependency_jars} in {@code rmDependencyJarsInTopology}.
     *
     * @return the keys of the blobs to remove
     */
    public static List<String> removing(
            @MemberSubstitution.This(source = MemberSubstitution.Source.SUBSTITUTED_ELEMENT) StormTopology ended,
            @MemberSubstitution.Argument(value = 0, source = MemberSubstitution.Source.ENCLOSING_METHOD) String id,
            @MemberSubstitution.FieldValue("stormClusterState") IStormClusterState state,
            @MemberSubstitution.FieldValue("topoCache") TopoCache topologies,
            @MemberSubstitution.FieldValue("blobStore") BlobStore blobs,
            @MemberSubstitution.FieldValue(CONF) Map<String, Object> nimbusConf) throws TException, IOException {
        if (DependencyBlobs.keys(ended).isEmpty()) {
            return List.of();
        }
        Set<String> others = used(state.activeStorms().stream().filter(other -> !other.equals(id)).toList(), topologies);
        Object submitter = topologies.readTopoConf(id, Nimbus.NIMBUS_SUBJECT).get(Config.TOPOLOGY_SUBMITTER_PRINCIPAL);
        String user = submitter == null ? "" : submitter.toString();
        BlobStoreAclHandler permissions = new BlobStoreAclHandler(nimbusConf);
        return DependencyBlobs.removable(ended, others).stream()
            .filter(key -> DependencyBlobs.isDeletable(key, blobs, permissions, user)).toList();
    }

    /** In place of {@code BlobStore.deleteBlob} in {@code deleteBlob}. */
    public static void deleting(@MemberSubstitution.This(source = MemberSubstitution.Source.SUBSTITUTED_ELEMENT) BlobStore blobs,
            @MemberSubstitution.Argument(0) String key, @MemberSubstitution.Argument(1) Subject caller,
            @MemberSubstitution.FieldValue("stormClusterState") IStormClusterState state,
            @MemberSubstitution.FieldValue("topoCache") TopoCache topologies) throws TException, IOException {
        for (String id : state.activeStorms()) {
            if (keys(id, topologies).contains(key)) {
                throw new WrappedIllegalStateException("The topology " + id + " depends on the blob '" + key
                    + "'. Kill the topology, which removes the blob if it was uploaded for it, or delete the blob after that.");
            }
        }
        blobs.deleteBlob(key, caller);
    }

    /** After each cleaning up, by the timer of each Nimbus: now and then the leader removes dependencies without a topology as well. */
    public static void cleanedUp(Nimbus nimbus, Map<String, Object> nimbusConf, ILeaderElector elector, BlobStore blobs,
            IStormClusterState state, TopoCache topologies) {
        DependencySweep sweep = DependencySweep.of(nimbus);
        long nowMs = TimeUnit.NANOSECONDS.toMillis(Time.nanoTime()); // The time of day may jump.
        try {
            if (elector.isLeader() && sweep.isDue(nowMs, ms(nimbusConf, DaemonConfig.NIMBUS_CLEANUP_INBOX_FREQ_SECS))) {
                sweep.sweep(blobs, used(state.activeStorms(), topologies), nowMs,
                    ms(nimbusConf, DaemonConfig.NIMBUS_INBOX_JAR_EXPIRATION_SECS));
            }
        } catch (Exception e) { // What the timer's task throws ends Nimbus.
            LOG.warn("Dependencies that no topology uses could not be removed. They will be later.", e);
        }
    }

    /**
     * The dependencies of topologies that some Nimbus has. No Nimbus would lead if each waited for a blob that no longer exists. A Nimbus
     * that is down may have what ZooKeeper has a node for; other blob stores than Nimbus's own have no nodes there.
     *
     * @return the keys without which a Nimbus leaves the lead to another
     */
    public static Set<String> expected(Set<String> keys, IStormClusterState state, BlobStore blobs) {
        Set<String> lost = new TreeSet<>(keys);
        lost.removeAll(state.blobstore(null));
        for (Iterator<String> local = blobs.listKeys(); local.hasNext() && !lost.isEmpty();) {
            lost.remove(local.next());
        }
        if (lost.isEmpty()) {
            return keys;
        }
        LOG.warn("No Nimbus has the blobs {}, on which topologies depend. Their workers cannot start on other hosts: resubmit them.",
            lost);
        Set<String> expected = new HashSet<>(keys);
        expected.removeAll(lost);
        return expected;
    }

    /** Before a topology is returned. */
    public static StormTopology served(StormTopology topology, Map<String, Object> nimbusConf) {
        return ServedConfigurations.topology(topology, nimbusConf);
    }

    private static void checkConf(Map<String, Object> topologyConf, BlobStore blobs, Map<String, Object> nimbusConf) throws TException {
        LocalNames.check(topologyConf.get(Config.TOPOLOGY_BLOBSTORE_MAP));
        Utils.validateTopologyBlobStoreMap(topologyConf, blobs);
        String refusal = SchedulingStrategies.refusal(nimbusConf, topologyConf.get(Config.TOPOLOGY_SCHEDULER_STRATEGY));
        if (refusal != null && ServerUtils.isRas(nimbusConf)) {
            throw new WrappedInvalidTopologyException(refusal);
        }
    }

    private static long ms(Map<String, Object> nimbusConf, String keyInSecs) {
        return Time.secsToMillis(ObjectReader.getInt(nimbusConf.get(keyInSecs)));
    }

    private static Set<String> used(List<String> ids, TopoCache topologies) throws TException, IOException {
        Set<String> used = new HashSet<>();
        for (String id : ids) {
            used.addAll(keys(id, topologies));
        }
        return used;
    }

    private static List<String> keys(String id, TopoCache topologies) throws TException, IOException {
        try {
            return DependencyBlobs.keys(topologies.readTopology(id, Nimbus.NIMBUS_SUBJECT));
        } catch (KeyNotFoundException e) {
            LOG.info("The topology {} is gone, so its dependencies do not count.", id);
            return List.of();
        }
    }
}
