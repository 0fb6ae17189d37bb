package io.eyewall.scheduler.scaling;

import io.eyewall.elasticity.plan.ScalingGoal;
import io.eyewall.elasticity.plan.ScalingStrategy;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A request to scale a topology.
 *
 * @param id the id of the request and of the scaling that it starts
 * @param topologyName the topology's name
 * @param direction whether the topology grows or shrinks
 * @param machines the number of machines to add or remove
 * @param strategy the strategy that makes the plan
 * @param dryRun whether the plan is only shown and not applied
 */
public record ScalingRequest(String id, String topologyName, ScalingGoal.Direction direction, int machines, ScalingStrategy strategy,
        boolean dryRun) {

    /** The request as text, such as {@code scale out by 1 (etp)}. */
    public String description() {
        return "scale " + direction.name().toLowerCase(Locale.ROOT) + " by " + machines + " (" + strategy + ")";
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("id", id);
        json.put("topology", topologyName);
        json.put("direction", direction.name());
        json.put("machines", machines);
        json.put("strategy", strategy.toString());
        json.put("dry-run", dryRun);
        return json;
    }

    static ScalingRequest of(Map<String, Object> json) {
        return new ScalingRequest((String) json.get("id"), (String) json.get("topology"),
            ScalingGoal.Direction.valueOf((String) json.get("direction")), ((Number) json.get("machines")).intValue(),
            ScalingStrategy.named((String) json.get("strategy")), (Boolean) json.get("dry-run"));
    }
}
