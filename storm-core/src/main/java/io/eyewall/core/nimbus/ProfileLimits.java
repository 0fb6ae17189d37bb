package io.eyewall.core.nimbus;

import java.security.Principal;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.storm.cluster.IStormClusterState;
import org.apache.storm.generated.ProfileAction;
import org.apache.storm.generated.ProfileRequest;
import org.apache.storm.security.auth.ReqContext;
import org.apache.storm.thrift.TApplicationException;
import org.apache.storm.utils.Time;

/**
 * Which workers are being recorded, and until when, by what this Nimbus was asked for: one recording of a worker at a time, since its
 * Supervisor runs no second one, and few of all, since each costs its worker CPU time. ZooKeeper does not show it: a Supervisor removes a
 * request when it begins with it. Safe for any thread.
 */
public final class ProfileLimits {

    /** How many recordings run at a time. */
    public static final int MAX_RECORDINGS = 5;
    /** The type of the exception that refuses a worker that is being recorded. */
    public static final int CONFLICT = 409;
    /** The type of the exception that refuses a recording since there are too many. */
    public static final int TOO_MANY = 429;

    private final InstantSource clock;
    // Used under this object's lock.
    private final Map<Worker, Recording> recordings = new HashMap<>();

    ProfileLimits(InstantSource clock) {
        this.clock = clock;
    }

    /** A worker of a topology, HOST:PORT. */
    record Worker(String topology, String worker) {

        static Worker of(String topology, ProfileRequest request) {
            return new Worker(topology, request.get_nodeInfo().get_node() + ":" + request.get_nodeInfo().get_port().iterator().next());
        }
    }

    /** Who records, empty if nobody has logged in, and when that ends by itself. */
    private record Recording(String user, long endMs) {

        @Override
        public String toString() {
            return (user.isEmpty() ? "" : "by " + user + " ") + "until " + Instant.ofEpochMilli(endMs).truncatedTo(ChronoUnit.SECONDS);
        }
    }

    /** Whether a failure is the refusal of a recording; its type is {@link #CONFLICT} or {@link #TOO_MANY}. */
    public static boolean isRefusal(TApplicationException failure) {
        return failure.getType() == CONFLICT || failure.getType() == TOO_MANY;
    }

    /** Hands a request on to the Supervisors, unless it is refused; the caller may make it. */
    static void request(Object nimbus, IStormClusterState state, String topologyId, ProfileRequest request) throws TApplicationException {
        ProfileLimits limits = NimbusParts.of(nimbus, ProfileLimits.class,
            () -> new ProfileLimits(() -> Instant.ofEpochMilli(Time.currentTimeMillis())));
        Principal caller = ReqContext.context().principal();
        limits.check(topologyId, request, caller == null ? "" : caller.getName(), state::activeStorms);
        boolean requested = false;
        try {
            state.setWorkerProfileRequest(topologyId, request);
            requested = true;
        } finally {
            if (!requested) {
                limits.end(Worker.of(topologyId, request));
            }
        }
    }

    /**
     * Notes what a request begins or ends.
     *
     * @param user empty if nobody has logged in
     * @param active the topologies that there are
     * @throws TApplicationException which Thrift sends as it is, if the worker is being recorded, or if too many are; it says until when
     */
    synchronized void check(String topologyId, ProfileRequest request, String user, Supplier<? extends Collection<String>> active)
            throws TApplicationException {
        Worker worker = Worker.of(topologyId, request);
        long nowMs = clock.millis();
        boolean records = request.get_action() == ProfileAction.JPROFILE_STOP;
        recordings.values().removeIf(recording -> recording.endMs <= nowMs);
        if (request.get_action() == ProfileAction.JVM_RESTART || (records && request.get_time_stamp() <= nowMs)) {
            recordings.remove(worker);
        } else if (records) {
            begin(worker, new Recording(user, request.get_time_stamp()), active);
        }
    }

    private void begin(Worker worker, Recording wanted, Supplier<? extends Collection<String>> active) throws TApplicationException {
        Recording before = recordings.get(worker);
        if (before != null && !before.equals(wanted)) {
            throw new TApplicationException(CONFLICT, "The worker " + worker.worker + " of " + worker.topology + " is being recorded "
                + before + ". Wait, or end that with profiling/stop/" + worker.worker + " of the REST API.");
        }
        if (recordings.size() >= MAX_RECORDINGS) {
            Collection<String> running = active.get();
            recordings.keySet().removeIf(each -> !running.contains(each.topology));
        }
        if (before == null && recordings.size() >= MAX_RECORDINGS) {
            long firstMs = recordings.values().stream().mapToLong(Recording::endMs).min().orElseThrow();
            throw new TApplicationException(TOO_MANY, MAX_RECORDINGS
                + " workers are being recorded, the most at a time. The first recording ends at "
                + Instant.ofEpochMilli(firstMs).truncatedTo(ChronoUnit.SECONDS) + ". Wait, or end one with profiling/stop/HOST:PORT of the"
                + " REST API.");
        }
        recordings.put(worker, wanted);
    }

    private synchronized void end(Worker worker) {
        recordings.remove(worker);
    }
}
