package io.eyewall.scheduler.drain;

import io.eyewall.scheduler.cluster.Blobs;
import io.eyewall.scheduler.cluster.MachineNames;
import io.eyewall.scheduler.cluster.RequestBlobs;
import io.eyewall.scheduler.drain.DrainRequest.Progress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.SupervisorDetails;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles the requests to empty Supervisors in each round of Nimbus, before its scheduler. Used by Nimbus's scheduling thread only.
 *
 * <p>A Supervisor that is to be emptied stays in the cluster without slots, so that no scheduler places anything on it. When an empty one
 * has ended, or has been started anew, its request is done.
 */
final class DrainCoordinator {

    /** How long a refused request is kept if the client does not remove it, in milliseconds. */
    static final long REFUSAL_LIFETIME_MS = 60_000;

    private static final Logger LOG = LoggerFactory.getLogger(DrainCoordinator.class);

    private final Blobs blobs;
    private final RequestBlobs<DrainRequest> requests;
    private final SupervisorStates states;
    private final LongSupplier clockMs;
    /** Why the requests are refused; null if they are not. */
    private final String obstacle;
    /** The Supervisors that got nothing in the last round. */
    private Set<String> hidden = new TreeSet<>();

    /**
     * A coordinator.
     *
     * @param obstacle why Nimbus's scheduler lets no Supervisor be emptied; null if it does
     * @param clockMs the time in milliseconds since 1970
     */
    DrainCoordinator(Blobs blobs, SupervisorStates states, String obstacle, LongSupplier clockMs) {
        this.blobs = blobs;
        this.requests = new RequestBlobs<>(blobs, DrainRequest.KEY_PREFIX, DrainRequest::of, DrainRequest::key);
        this.states = states;
        this.obstacle = obstacle;
        this.clockMs = clockMs;
    }

    /** Runs one round. If the blobs cannot be read, the Supervisors of the last round still get nothing. Throws nothing. */
    void runRound(Cluster cluster) {
        List<DrainRequest> active = new ArrayList<>();
        try {
            requests.read().stream().filter(request -> isActive(request, cluster)).forEach(active::add);
            hidden = ids(active);
        } catch (RuntimeException e) {
            // An exception would end Nimbus's thread.
            LOG.warn("Cannot read the requests to drain Supervisors, the next round tries again: {}", e.getMessage(), e);
            active.clear();
        }
        try {
            Map<String, SupervisorDetails> originals = hide(cluster);
            Map<String, SortedSet<String>> left = new HashMap<>();
            hidden.forEach(id -> left.put(id, assigned(id, cluster)));
            List<DrainRequest> waiting = active.stream().filter(request -> request.progress() == Progress.WAITING).toList();
            active.removeAll(waiting);
            Evacuation.of(ids(active), cluster).apply(cluster);
            Evacuation evacuation = Evacuation.of(ids(waiting), cluster);
            if (evacuation.stuck().isEmpty()) {
                evacuation.apply(cluster);
                active.addAll(waiting);
            } else {
                waiting.forEach(request -> refuse(request, originals, evacuation.stuck(), cluster));
            }
            active.forEach(request -> report(request, left.get(request.supervisor()), cluster));
        } catch (RuntimeException e) {
            LOG.warn("Supervisors are not drained in this round, the next one tries again: {}", e.getMessage(), e);
        }
    }

    /** Replaces the Supervisors by such without slots; returns what they were. */
    private Map<String, SupervisorDetails> hide(Cluster cluster) {
        Map<String, SupervisorDetails> originals = new HashMap<>();
        for (String id : hidden) {
            SupervisorDetails original = cluster.getSupervisorById(id);
            originals.put(id, original);
            if (original != null) {
                // Not with its port over Thrift, which Nimbus does not always know, and which no scheduler needs.
                cluster.getSupervisors().put(id, new SupervisorDetails(id, original.getHost(), original.getSchedulerMeta(), List.of(),
                    original.getTotalResources().toNormalizedMap()));
            }
        }
        return originals;
    }

    /** Whether the Supervisor of a request gets nothing in this round. Answers or removes the requests of others. */
    private boolean isActive(DrainRequest request, Cluster cluster) {
        if (request.progress() == Progress.REFUSED) {
            if (clockMs.getAsLong() - request.changedMs() > REFUSAL_LIFETIME_MS) {
                blobs.delete(request.key());
            }
            return false;
        }
        boolean isThere = cluster.getSupervisorById(request.supervisor()) != null;
        if (!blobs.isByAdmin(request.key())) {
            refuse(request, "You may not drain Supervisors: only a user who may rebalance every topology may, as those in nimbus.admins. "
                + "With a nimbus.authorizer, set storm.blobstore.acl.validation.enabled: true in Nimbus's storm.yaml, too");
            return false;
        }
        if (obstacle != null) {
            refuse(request, obstacle);
            return false;
        }
        if (request.progress() == Progress.WAITING && !isThere) {
            refuse(request, "There is no Supervisor " + request.supervisor() + " in the cluster");
            return false;
        }
        if (request.progress() == Progress.EMPTY && (!isThere || hasStartedSince(request))) {
            LOG.info("Supervisor {} was empty and has ended. It gets executors again when it is back.", request.supervisor());
            blobs.delete(request.key());
            return false;
        }
        return true;
    }

    private boolean hasStartedSince(DrainRequest request) {
        OptionalLong uptimeSecs = states.uptimeSecs(request.supervisor());
        return uptimeSecs.isEmpty()
            || clockMs.getAsLong() - TimeUnit.SECONDS.toMillis(uptimeSecs.getAsLong()) > request.changedMs();
    }

    /** Refuses a request for which there is no room, whose Supervisor gets its slots back. */
    private void refuse(DrainRequest request, Map<String, SupervisorDetails> originals, List<String> stuck, Cluster cluster) {
        cluster.getSupervisors().put(request.supervisor(), originals.get(request.supervisor()));
        hidden.remove(request.supervisor());
        refuse(request, "No other Supervisor has a free slot, or another worker of the topology, for " + String.join(", ", stuck)
            + ". Start a Supervisor, or kill a topology. Nothing has moved");
    }

    private void report(DrainRequest request, SortedSet<String> assignedBefore, Cluster cluster) {
        SortedSet<String> left = new TreeSet<>(assignedBefore);
        left.addAll(states.workers(request.supervisor()));
        DrainRequest next = request.with(left.isEmpty() ? Progress.EMPTY : Progress.DRAINING, String.join(", ", left), clockMs.getAsLong());
        if (!next.equals(request)) {
            String name = new MachineNames(cluster.getSupervisors().values()).nameOf(request.supervisor());
            LOG.info("Supervisor {} gets no executors. Its workers: {}", name, left);
            blobs.replace(next.key(), next.toBytes());
        }
    }

    private static Set<String> ids(List<DrainRequest> requests) {
        return requests.stream().map(DrainRequest::supervisor).collect(Collectors.toCollection(TreeSet::new));
    }

    /** What was assigned to a Supervisor before this round. */
    private static SortedSet<String> assigned(String supervisorId, Cluster cluster) {
        SortedSet<String> assigned = new TreeSet<>();
        cluster.getAssignments().forEach((id, assignment) -> assignment.getSlots().stream()
            .filter(slot -> slot.getNodeId().equals(supervisorId))
            .forEach(slot -> assigned.add(id + " on port " + slot.getPort())));
        return assigned;
    }

    private void refuse(DrainRequest request, String why) {
        DrainRequest refused = request.with(Progress.REFUSED, why, clockMs.getAsLong());
        blobs.replace(refused.key(), refused.toBytes());
    }
}
