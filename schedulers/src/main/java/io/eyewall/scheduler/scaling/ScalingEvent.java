package io.eyewall.scheduler.scaling;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Something that happened to an action; a line of the action log.
 *
 * @param timeMs when, in milliseconds since 1970
 * @param action the action's id, which is that of its order
 * @param topologyName the topology
 * @param order what was ordered, in words
 * @param kind what happened
 * @param text the particulars, in one line
 */
public record ScalingEvent(long timeMs, String action, String topologyName, String order, Kind kind, String text) {

    /** What may happen to an action. */
    public enum Kind {
        /** Nimbus has been given the new places: from here on failures are Storm's business. */
        COMMITTED,
        /** Something changed between plan and rebalance; the plan was not applied. */
        ABORTED,
        /** There is no plan; only of actions that nobody waits for. */
        REFUSED,
        /** What came of it was measured. */
        MEASURED
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("time-ms", timeMs);
        json.put("action", action);
        json.put("topology", topologyName);
        json.put("order", order);
        json.put("kind", kind.name());
        json.put("text", text);
        return json;
    }

    static ScalingEvent of(Map<String, Object> json) {
        return new ScalingEvent(((Number) json.get("time-ms")).longValue(), (String) json.get("action"), (String) json.get("topology"),
            (String) json.get("order"), Kind.valueOf((String) json.get("kind")), (String) json.get("text"));
    }
}
