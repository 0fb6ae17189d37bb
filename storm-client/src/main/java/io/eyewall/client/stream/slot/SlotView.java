package io.eyewall.client.stream.slot;

import io.eyewall.client.stream.plan.InstancePlan;
import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import javax.security.auth.Subject;
import org.apache.storm.cluster.ClusterStateContext;
import org.apache.storm.cluster.ClusterUtils;
import org.apache.storm.cluster.DaemonType;
import org.apache.storm.cluster.IStateStorage;
import org.apache.storm.cluster.IStormClusterState;
import org.apache.storm.generated.Assignment;
import org.apache.storm.generated.Credentials;
import org.apache.storm.generated.Supervisor;
import org.apache.storm.generated.SupervisorWorkerHeartbeat;
import org.apache.storm.security.auth.ClientAuthUtils;
import org.apache.storm.security.auth.IAutoCredentials;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.SupervisorClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cluster as a process in a slot sees it: ZooKeeper, its Supervisor, and the plan that follows from the assignment. It has the identity
 * that a worker would have. For any thread.
 */
public final class SlotView implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SlotView.class);

    private final Slot slot;
    private final SlotTopology topology;
    private final IStateStorage storage;
    private final IStormClusterState cluster;
    private final Subject subject;

    /**
     * Connects to ZooKeeper.
     *
     * @param stormConf the cluster's configuration
     * @throws Exception what Storm's own classes throw if they cannot
     */
    public SlotView(Slot slot, SlotTopology topology, Map<String, Object> stormConf) throws Exception {
        this.slot = slot;
        this.topology = topology;
        ClusterStateContext context = new ClusterStateContext(DaemonType.WORKER, topology.conf());
        storage = ClusterUtils.mkStateStorage(stormConf, topology.conf(), context);
        cluster = ClusterUtils.mkStormClusterState(storage, context);
        Credentials credentials = cluster.credentials(slot.topologyId(), null);
        Collection<IAutoCredentials> autoCredentials = ClientAuthUtils.getAutoCredentials(topology.conf());
        subject = ClientAuthUtils.populateSubject(null, autoCredentials,
            credentials == null ? new HashMap<>() : new HashMap<>(credentials.get_creds()));
    }

    /** What that state is kept in. */
    public IStateStorage storage() {
        return storage;
    }

    /** The topology's state in ZooKeeper. */
    public IStormClusterState cluster() {
        return cluster;
    }

    /**
     * The plan by the assignment that the Supervisor has, or ZooKeeper if the Supervisor has none or cannot be reached; empty if the
     * topology is assigned nowhere, since it has ended.
     *
     * @throws RuntimeException if neither can be reached
     */
    public Optional<InstancePlan> plan() {
        Assignment assignment = null;
        try {
            assignment = supervisor(supervisor -> supervisor.getLocalAssignmentForStorm(slot.topologyId()));
        } catch (TException | RuntimeException e) {
            LOG.debug("The Supervisor does not report the assignment", e);
        }
        if (assignment == null) {
            assignment = cluster.remoteAssignmentInfo(slot.topologyId(), null);
        }
        return Optional.ofNullable(assignment).map(topology::plan);
    }

    private <T> T supervisor(SupervisorCall<T> call) throws TException {
        return as(() -> {
            try (SupervisorClient client = slot.supervisor(topology.conf())) {
                return call.of(client.getIface());
            }
        });
    }

    /**
     * Reports a heartbeat to the Supervisor, which passes it on to Nimbus, or to Nimbus while the Supervisor cannot be reached.
     *
     * @throws TException if neither can be reached
     */
    public void beat(SupervisorWorkerHeartbeat heartbeat) throws TException {
        try {
            supervisor(supervisor -> {
                supervisor.sendSupervisorWorkerHeartbeat(heartbeat);
                return heartbeat;
            });
        } catch (TException | RuntimeException e) {
            LOG.debug("The Supervisor takes no heartbeat", e);
            as(() -> {
                try (NimbusClient nimbus = NimbusClient.Builder.withConf(topology.conf()).build()) {
                    nimbus.getClient().sendSupervisorWorkerHeartbeat(heartbeat);
                    return heartbeat;
                }
            });
        }
    }

    /** Runs something with the identity of the topology. */
    @SuppressWarnings("removal") // Storm's own classes read the identity in this way.
    private <T> T as(PrivilegedExceptionAction<T> action) throws TException {
        try {
            return Subject.doAs(subject, action);
        } catch (PrivilegedActionException e) {
            throw e.getException() instanceof TException thrown ? thrown : new TException(e.getException());
        }
    }

    @Override
    public void close() {
        cluster.disconnect();
        storage.close();
    }

    /** A call of the Supervisor. */
    @FunctionalInterface
    private interface SupervisorCall<T> {
        /** Makes the call. */
        T of(Supervisor.Iface supervisor) throws TException;
    }
}
