package io.eyewall.web.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.thrift.TException;

/**
 * Has Eyewall's schedulers scale a topology or change its service level, as {@code storm scale} and {@code storm slo set} do: a request in
 * a blob, the scheduler's response, and the rebalance with which it takes effect. A caller waits for some rounds of the scheduler. Safe
 * for any thread.
 */
final class SchedulerActions {

    private static final String SLO_REQUEST = "eyewall-slo-request-";
    private static final String SLO_PREFIX = "topology.slo.";
    static final String SLO_SCHEDULER = "io.eyewall.scheduler.henge.HengeScheduler";
    private static final int MAX_SETTINGS = 10;
    private static final int MAX_VALUE_CHARS = 500;
    private static final long POLL_MS = 500;
    /** How long to wait for the scheduler, in addition to two of its rounds. */
    private static final long TIMEOUT_SECS = 60;
    private static final int MAX_AT_A_TIME = 8;
    private static final int CONFLICT = 409;
    private static final int UNAVAILABLE = 503;

    private final SchedulerBlobs blobs;
    private final Pause pause;
    private final Semaphore places = new Semaphore(MAX_AT_A_TIME);

    /** Waits between two polls. */
    @FunctionalInterface
    interface Pause {

        void ms(long ms) throws InterruptedException;
    }

    /** Looks for something that may not be there yet. */
    @FunctionalInterface
    private interface Poll<T> {

        Optional<T> poll() throws TException;
    }

    /** What waits for the scheduler. */
    @FunctionalInterface
    private interface Step {

        Object run() throws HttpException, TException;
    }

    SchedulerActions(SchedulerBlobs blobs, Pause pause) {
        this.blobs = blobs;
        this.pause = pause;
    }

    /** Applies the plan that was asked for before, if the scheduler still makes the same; returns when it is applied. */
    Object applyPlan(Nimbus.Iface nimbus, Parameters asked) throws HttpException, TException {
        String name = TopologyActions.name(nimbus, asked);
        Map<?, ?> shown = blobs.record(nimbus, asked, name);
        if (!(shown.get("answer") instanceof Map<?, ?> plan) || plan.get("refusal") != null) {
            throw new HttpException(CONFLICT, "The request " + Parameters.shown(asked.path("request"))
                + " has no plan that could be applied.");
        }
        SchedulerBlobs.requireScaling(nimbus);
        String id = UUID.randomUUID().toString();
        Map<String, Object> order = new LinkedHashMap<>();
        Map<?, ?> before = (Map<?, ?>) shown.get("order");
        order.put("id", id);
        order.put("topology", name);
        order.put("direction", before.get("direction"));
        order.put("machines", before.get("machines"));
        order.put("strategy", before.get("strategy"));
        order.put("dry-run", false);
        return waiting(SchedulerBlobs.SCALING_REQUEST + id, nimbus, Map.of("order", order), () -> {
            Map<?, ?> answer = await(nimbus, () -> SchedulerBlobs.object(nimbus, SchedulerBlobs.SCALING_REQUEST + id)
                .map(record -> record.get("answer") instanceof Map<?, ?> given ? given : null));
            requireAccepted(answer.get("refusal"));
            if (!Objects.equals(answer.get("executors"), plan.get("executors"))
                    || !Objects.equals(answer.get("workers"), plan.get("workers"))) {
                throw new HttpException(CONFLICT,
                    "The scheduler now makes another plan. Nothing was changed. Ask for a plan again.");
            }
            nimbus.rebalance(name, options(answer));
            Map<?, ?> event = await(nimbus, () -> blobs.lastEvent(nimbus, id));
            if (!"COMMITTED".equals(event.get("kind"))) {
                throw new HttpException(CONFLICT, "The scaling was not applied: " + event.get("text"));
            }
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("topologyId", asked.path("id"));
            json.put("requestId", id);
            json.put("text", event.get("text"));
            return json;
        });
    }

    /** Changes the topology's service level; returns when it is in force. */
    Object setSlo(Nimbus.Iface nimbus, Parameters asked) throws HttpException, TException {
        String name = TopologyActions.name(nimbus, asked);
        Map<String, Object> settings = settings(asked.json());
        String scheduler = SchedulerBlobs.scheduler(nimbus);
        if (!scheduler.equals(SLO_SCHEDULER)) {
            throw new HttpException(CONFLICT, "The cluster's scheduler is " + scheduler + ". Set storm.scheduler: " + SLO_SCHEDULER
                + " in Nimbus's storm.yaml and restart Nimbus.");
        }
        String id = UUID.randomUUID().toString();
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("id", id);
        request.put("topology", name);
        request.put("settings", settings);
        request.put("progress", "WAITING");
        request.put("text", "");
        request.put("changed-ms", 0);
        String key = SLO_REQUEST + id;
        return waiting(key, nimbus, request, () -> {
            Map<?, ?> response = await(nimbus, () -> progressed(nimbus, key, "WAITING"));
            if ("READY".equals(response.get("progress"))) {
                // It changes no numbers: the scheduler puts every executor back where it is, and changes the service level.
                RebalanceOptions options = new RebalanceOptions();
                options.set_wait_secs(0);
                nimbus.rebalance(name, options);
                response = await(nimbus, () -> progressed(nimbus, key, "READY"));
            }
            if (!"DONE".equals(response.get("progress"))) {
                requireAccepted(response.get("text"));
            }
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("topologyId", asked.path("id"));
            json.put("slo", response.get("text"));
            return json;
        });
    }

    /** A request for a service level when it has come further. */
    private static Optional<Map<?, ?>> progressed(Nimbus.Iface nimbus, String key, String from) throws TException {
        return SchedulerBlobs.object(nimbus, key).filter(now -> !from.equals(now.get("progress")));
    }

    /** The keys that change, whole, with their values: numbers or texts. */
    private static Map<String, Object> settings(JsonNode body) throws HttpException {
        Map<String, Object> settings = new TreeMap<>();
        for (Map.Entry<String, JsonNode> entry : body.properties()) {
            JsonNode value = entry.getValue();
            if (!entry.getKey().matches("[a-z.]{1,40}") || !(value.isNumber() || value.isTextual())
                    || value.asText().length() > MAX_VALUE_CHARS) {
                throw HttpException.badRequest(Parameters.shown(entry.getKey()) + " in the body is no setting of a service level. Use"
                    + " numbers or texts such as {\"latency.ms\": 50, \"latency.percentile\": \"p99\"}.");
            }
            settings.put(SLO_PREFIX + entry.getKey(), value.isNumber() ? value.numberValue() : value.asText());
        }
        if (settings.isEmpty() || settings.size() > MAX_SETTINGS) {
            throw HttpException.badRequest("Which settings? Send a body such as {\"latency.ms\": 50}.");
        }
        return settings;
    }

    private static RebalanceOptions options(Map<?, ?> answer) {
        RebalanceOptions options = new RebalanceOptions();
        options.set_wait_secs(0);
        options.set_num_workers(((Number) answer.get("workers")).intValue());
        Map<String, Integer> executors = new TreeMap<>();
        ((Map<?, ?>) answer.get("executors"))
            .forEach((component, count) -> executors.put(component.toString(), ((Number) count).intValue()));
        options.set_num_executors(executors);
        return options;
    }

    private static void requireAccepted(Object refusal) throws HttpException {
        if (refusal != null) {
            throw new HttpException(CONFLICT, "The scheduler refuses it: " + refusal);
        }
    }

    /** Leaves a request, and removes it whatever comes of it. */
    private Object waiting(String key, Nimbus.Iface nimbus, Map<String, Object> request, Step step) throws HttpException, TException {
        if (!places.tryAcquire()) {
            throw new HttpException(UNAVAILABLE, MAX_AT_A_TIME + " requests wait for the scheduler. Try again when one of them is done.");
        }
        try {
            SchedulerBlobs.create(nimbus, key, JSONValue.toJSONString(request));
            try {
                return step.run();
            } finally {
                SchedulerBlobs.delete(nimbus, key);
            }
        } finally {
            places.release();
        }
    }

    private <T> T await(Nimbus.Iface nimbus, Poll<T> poll) throws HttpException, TException {
        long timeoutMs = TimeUnit.SECONDS.toMillis(2L * SchedulerBlobs.roundSecs(nimbus) + TIMEOUT_SECS);
        for (long leftMs = timeoutMs; leftMs > 0; leftMs -= POLL_MS) {
            Optional<T> found = poll.poll();
            if (found.isPresent()) {
                return found.get();
            }
            try {
                pause.ms(POLL_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new HttpException(UNAVAILABLE, "The UI ends.");
            }
        }
        throw new HttpException(UNAVAILABLE, "Nimbus's scheduler has not responded for " + TimeUnit.MILLISECONDS.toSeconds(timeoutMs)
            + " s. nimbus.log has the reason. What was asked for may still happen: the address shows it.");
    }
}
