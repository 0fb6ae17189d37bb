package io.eyewall.scheduler.scaling;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An event in the life of a scaling: one line of the log.
 *
 * @param timeMs when it happened, in milliseconds since 1970
 * @param requestId the id of the request that started the scaling
 * @param topologyName the topology's name
 * @param request the request as text
 * @param kind what happened
 * @param text the details, in one line
 */
public record ScalingEvent(long timeMs, String requestId, String topologyName, String request, Kind kind, String text) {

    /** The kinds of events of a scaling. */
    public enum Kind {
        /** Nimbus has the new assignment. From now on, Storm handles failures. */
        COMMITTED,
        /** Something changed between the plan and the rebalance, and the plan was not applied. */
        ABORTED,
        /** There was no plan. Logged only for scalings that no client waits for. */
        REFUSED,
        /** The result was measured. */
        MEASURED
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("time-ms", timeMs);
        json.put("action", requestId);
        json.put("topology", topologyName);
        json.put("order", request);
        json.put("kind", kind.name());
        json.put("text", text);
        return json;
    }

    static ScalingEvent of(Map<String, Object> json) {
        return new ScalingEvent(((Number) json.get("time-ms")).longValue(), (String) json.get("action"), (String) json.get("topology"),
            (String) json.get("order"), Kind.valueOf((String) json.get("kind")), (String) json.get("text"));
    }
}
