package io.eyewall.scheduler.scaling;

import io.eyewall.elasticity.plan.ScalingGoal;
import io.eyewall.elasticity.plan.ScalingStrategy;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What somebody wishes to be done.
 *
 * @param id names the order, and the action that comes of it
 * @param topologyName the topology
 * @param direction more or fewer machines
 * @param machines how many more or fewer
 * @param strategy who plans
 * @param dryRun whether the plan is only to be looked at
 */
public record ScalingRequest(String id, String topologyName, ScalingGoal.Direction direction, int machines, ScalingStrategy strategy,
        boolean dryRun) {

    /** In words: {@code scale out by 1 (etp)}. */
    public String inWords() {
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
