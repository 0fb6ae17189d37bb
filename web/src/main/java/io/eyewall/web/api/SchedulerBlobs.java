package io.eyewall.web.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.eyewall.client.blob.SmallBlob;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.apache.storm.DaemonConfig;
import org.apache.storm.generated.KeyNotFoundException;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.SettableBlobMeta;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.thrift.TException;

/**
 * What Eyewall's schedulers say about a topology, in blobs whose keys and JSON do not change: its service level, how it was scaled, and
 * plans for that. Safe for any thread.
 */
final class SchedulerBlobs {

    private static final String SLO_REPORT = "eyewall-slo-report";
    private static final String SCALING_LOG = "eyewall-scaling-log";
    /** What the keys of requests to scale begin with. */
    static final String SCALING_REQUEST = "eyewall-scaling-order-";
    private static final Set<String> SCALING_SCHEDULERS =
        Set.of("io.eyewall.scheduler.scaling.ElasticityScheduler", "io.eyewall.scheduler.stela.ElasticityScheduler");
    private static final int MAX_MACHINES = 1_000_000;
    private static final int CONFLICT = 409;
    private static final int DEFAULT_ROUND_SECS = 10;

    /** Which topologies have a service level, and whether each is met. */
    static Object slos(Nimbus.Iface nimbus) throws TException {
        String scheduler = scheduler(nimbus);
        List<Map<String, Object>> states = new ArrayList<>();
        if (scheduler.equals(SchedulerActions.SLO_SCHEDULER)) {
            for (Map<?, ?> row : sloRows(sloReport(nimbus))) {
                Map<String, Object> state = new LinkedHashMap<>();
                state.put("name", row.get("topology"));
                state.put("state", row.get("state"));
                states.add(state);
            }
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("scheduler", scheduler);
        json.put("topologies", states);
        return json;
    }

    private static Map<?, ?> sloReport(Nimbus.Iface nimbus) throws TException {
        return SmallBlob.text(nimbus, SLO_REPORT).map(SchedulerBlobs::object).orElse(Map.of());
    }

    private static List<Map<?, ?>> sloRows(Map<?, ?> report) {
        List<Map<?, ?>> rows = new ArrayList<>();
        if (report.get("topologies") instanceof List<?> all) {
            for (Object each : all) {
                if (each instanceof Map<?, ?> row) {
                    rows.add(row);
                }
            }
        }
        return rows;
    }

    /** The topology's service level, and how it does; {@code slo} is null if it has none. */
    Object slo(Nimbus.Iface nimbus, Parameters asked) throws TException {
        String name = TopologyActions.name(nimbus, asked);
        Map<?, ?> report = sloReport(nimbus);
        Map<?, ?> row = Map.of();
        for (Map<?, ?> each : sloRows(report)) {
            row = name.equals(each.get("topology")) ? each : row;
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("topologyId", asked.path("id"));
        json.put("scheduler", scheduler(nimbus));
        json.put("reportedMs", report.get("time-ms"));
        json.put("activity", report.get("activity"));
        json.put("slo", row.get("slo"));
        json.put("now", row.get("values"));
        json.put("utility", row.get("utility"));
        json.put("maxUtility", row.get("max-utility"));
        json.put("state", row.get("state"));
        json.put("lastAction", row.get("last-action"));
        json.put("lastActionMs", row.get("last-action-ms"));
        return json;
    }

    /** How the topology was scaled, the oldest first. */
    Object scalings(Nimbus.Iface nimbus, Parameters asked) throws TException {
        String name = TopologyActions.name(nimbus, asked);
        List<Map<String, Object>> events = new ArrayList<>();
        for (String line : SmallBlob.text(nimbus, SCALING_LOG).orElse("").lines().filter(each -> !each.isBlank()).toList()) {
            Map<?, ?> event = object(line);
            if (name.equals(event.get("topology"))) {
                Map<String, Object> json = new LinkedHashMap<>();
                json.put("timeMs", event.get("time-ms"));
                json.put("requestId", event.get("action"));
                json.put("request", event.get("order"));
                json.put("kind", event.get("kind"));
                json.put("text", event.get("text"));
                events.add(json);
            }
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("topologyId", asked.path("id"));
        json.put("scheduler", scheduler(nimbus));
        json.put("events", events);
        return json;
    }

    /** Asks the scheduler for a plan, which it makes in one of its next rounds. It changes nothing. */
    Object requestPlan(Nimbus.Iface nimbus, Parameters asked) throws HttpException, TException {
        String name = TopologyActions.name(nimbus, asked);
        JsonNode body = asked.json();
        if (body.hasNonNull("out") == body.hasNonNull("in")) {
            throw HttpException.badRequest("Give either out or in, with a number of machines, such as {\"out\": 1}.");
        }
        String direction = body.hasNonNull("out") ? "out" : "in";
        int machines = Parameters.whole(direction, body.get(direction).asText(), 1, MAX_MACHINES);
        String strategy = body.path("strategy").asText("etp");
        if (!strategy.matches("[a-z0-9-]{1,30}")) {
            throw HttpException.badRequest("strategy is " + Parameters.shown(strategy) + ". Use one that storm scale knows, such as etp.");
        }
        requireScaling(nimbus);
        String id = UUID.randomUUID().toString();
        Map<String, Object> order = new LinkedHashMap<>();
        order.put("id", id);
        order.put("topology", name);
        order.put("direction", direction.equals("out") ? "OUT" : "IN");
        order.put("machines", machines);
        order.put("strategy", strategy);
        order.put("dry-run", true);
        create(nimbus, SCALING_REQUEST + id, JSONValue.toJSONString(Map.of("order", order)));
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("topologyId", asked.path("id"));
        json.put("requestId", id);
        return json;
    }

    /** The plan that was asked for, or why there is none; {@code ready} is false until the scheduler has made it. */
    Object plan(Nimbus.Iface nimbus, Parameters asked) throws HttpException, TException {
        String name = TopologyActions.name(nimbus, asked);
        Map<?, ?> record = record(nimbus, asked, name);
        Map<?, ?> answer = record.get("answer") instanceof Map<?, ?> given ? given : Map.of();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("topologyId", asked.path("id"));
        json.put("requestId", asked.path("request"));
        json.put("ready", !answer.isEmpty());
        json.put("refusal", answer.get("refusal"));
        json.put("plan", answer.get("text"));
        json.put("executors", answer.get("executors"));
        json.put("workers", answer.get("workers"));
        return json;
    }

    /** A request to scale a topology, with the answer if there is one. */
    Map<?, ?> record(Nimbus.Iface nimbus, Parameters asked, String name) throws HttpException, TException {
        String id = asked.path("request");
        Map<?, ?> record = id.matches("[0-9a-f-]{36}") ? object(nimbus, SCALING_REQUEST + id).orElse(Map.of()) : Map.of();
        if (!(record.get("order") instanceof Map<?, ?> order) || !name.equals(order.get("topology"))) {
            throw HttpException.notFound("There is no request " + Parameters.shown(id) + " for this topology. The scheduler removes old"
                + " ones.");
        }
        return record;
    }

    /** How a scaling ended, if it has: an entry of the log. */
    Optional<Map<?, ?>> lastEvent(Nimbus.Iface nimbus, String request) throws TException {
        Map<?, ?> found = null;
        for (String line : SmallBlob.text(nimbus, SCALING_LOG).orElse("").lines().filter(each -> each.contains(request)).toList()) {
            Map<?, ?> event = object(line);
            found = request.equals(event.get("action")) && !"MEASURED".equals(event.get("kind")) ? event : found;
        }
        return Optional.ofNullable(found);
    }

    /** Throws a 409 unless the cluster has a scheduler that scales. */
    static void requireScaling(Nimbus.Iface nimbus) throws HttpException, TException {
        String scheduler = scheduler(nimbus);
        if (!SCALING_SCHEDULERS.contains(scheduler)) {
            throw new HttpException(CONFLICT, "The cluster's scheduler is " + scheduler + ". Set storm.scheduler:"
                + " io.eyewall.scheduler.scaling.ElasticityScheduler in Nimbus's storm.yaml and restart Nimbus.");
        }
    }

    static String scheduler(Nimbus.Iface nimbus) throws TException {
        return object(nimbus.getNimbusConf()).get("storm.scheduler") instanceof String name ? name : "Storm's default scheduler";
    }

    /** The time between two rounds of the scheduler. */
    static int roundSecs(Nimbus.Iface nimbus) throws TException {
        return object(nimbus.getNimbusConf()).get(DaemonConfig.NIMBUS_MONITOR_FREQ_SECS) instanceof Number secs ? secs.intValue()
            : DEFAULT_ROUND_SECS;
    }

    /** Creates a blob that only this daemon's user and Nimbus can read and write. */
    static void create(Nimbus.Iface nimbus, String key, String contents) throws TException {
        String session = nimbus.beginCreateBlob(key, new SettableBlobMeta(new ArrayList<>()));
        nimbus.uploadBlobChunk(session, ByteBuffer.wrap(contents.getBytes(StandardCharsets.UTF_8)));
        nimbus.finishBlobUpload(session);
    }

    static void delete(Nimbus.Iface nimbus, String key) throws TException {
        try {
            nimbus.deleteBlob(key);
        } catch (KeyNotFoundException removedByTheScheduler) {
            return;
        }
    }

    /** The JSON object in a blob; empty if there is no such blob. */
    static Optional<Map<?, ?>> object(Nimbus.Iface nimbus, String key) throws TException {
        return SmallBlob.text(nimbus, key).map(SchedulerBlobs::object);
    }

    private static Map<?, ?> object(String json) {
        return JSONValue.parse(json) instanceof Map<?, ?> object ? object : Map.of();
    }
}
