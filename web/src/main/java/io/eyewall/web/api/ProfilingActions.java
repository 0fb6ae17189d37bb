package io.eyewall.web.api;

import io.eyewall.core.nimbus.ProfileLimits;
import io.eyewall.web.json.LogLinks;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.generated.ProfileAction;
import org.apache.storm.generated.ProfileRequest;
import org.apache.storm.thrift.TApplicationException;
import org.apache.storm.thrift.TException;

/** What the API lets callers do to a worker, which is named HOST:PORT. Nimbus keeps the request until the worker's Supervisor does it. */
final class ProfilingActions {

    private static final int MAX_MINUTES = 1_440;
    private static final int MAX_PORT = 65_535;

    private final LogLinks logs;
    private final InstantSource clock;

    ProfilingActions(Map<String, Object> conf, InstantSource clock) {
        this.logs = LogLinks.of(conf);
        this.clock = clock;
    }

    /** Begins a profile that ends by itself, unless Nimbus has too many. */
    Object start(Nimbus.Iface nimbus, Parameters asked) throws HttpException, TException {
        int minutes = asked.number("minutes", 1, MAX_MINUTES);
        NodeInfo worker = worker(asked);
        long endMs = clock.millis() + Duration.ofMinutes(minutes).toMillis();
        try {
            request(nimbus, asked, worker, ProfileAction.JPROFILE_STOP, endMs);
        } catch (TApplicationException e) {
            if (ProfileLimits.isRefusal(e)) {
                // Its types are statuses of HTTP.
                throw new HttpException(e.getType(), e.getMessage());
            }
            throw e;
        }
        Map<String, Object> json = done(asked);
        json.put("timeout", asked.path("minutes"));
        json.put("dumplink", logs.dumps(asked.path("id"), worker.get_node(), worker.get_port().iterator().next()));
        return json;
    }

    /** Ends a profile: its end is put into the past. */
    Object stop(Nimbus.Iface nimbus, Parameters asked) throws HttpException, TException {
        request(nimbus, asked, worker(asked), ProfileAction.JPROFILE_STOP, 0);
        return done(asked);
    }

    /** Does one thing at once. */
    Handler now(ProfileAction action) {
        return (nimbus, asked) -> {
            request(nimbus, asked, worker(asked), action, clock.millis());
            return done(asked);
        };
    }

    private static void request(Nimbus.Iface nimbus, Parameters asked, NodeInfo worker, ProfileAction action, long timeMs)
            throws TException {
        TopologyActions.name(nimbus, asked);
        ProfileRequest request = new ProfileRequest(worker, action);
        request.set_time_stamp(timeMs);
        nimbus.setWorkerProfiler(asked.path("id"), request);
    }

    private static NodeInfo worker(Parameters asked) throws HttpException {
        String worker = asked.path("worker");
        int colon = worker.lastIndexOf(':');
        if (colon < 1) {
            throw HttpException.badRequest("The worker is " + Parameters.shown(worker) + ". Use HOST:PORT.");
        }
        long port = Parameters.whole("The worker's port", worker.substring(colon + 1), 1, MAX_PORT);
        return new NodeInfo(worker.substring(0, colon), Set.of(port));
    }

    private static Map<String, Object> done(Parameters asked) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("status", "ok");
        json.put("id", asked.path("worker"));
        return json;
    }
}
