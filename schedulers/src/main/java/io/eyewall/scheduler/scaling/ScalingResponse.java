package io.eyewall.scheduler.scaling;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.storm.generated.RebalanceOptions;

/**
 * The scheduler's response to a request: a plan with the numbers of workers and executors for its rebalance, or the reason why there is
 * none.
 *
 * @param refusal the reason why there is no plan, or null
 * @param text the plan as text
 * @param executors the new number of executors of each component for which it changes
 * @param workers the new number of workers
 * @param undo the command that restores the present numbers
 */
public record ScalingResponse(String refusal, String text, Map<String, Integer> executors, int workers, String undo) {

    /** Copies the map. */
    public ScalingResponse {
        executors = Map.copyOf(executors);
    }

    /** The response to a request for which there is no plan. */
    static ScalingResponse refused(String why) {
        return new ScalingResponse(why, "", Map.of(), 0, "");
    }

    /** Whether there is no plan. */
    public boolean isRefused() {
        return refusal != null;
    }

    /** The options of the rebalance that makes Nimbus's scheduler apply the plan, without waiting. */
    public RebalanceOptions rebalance() {
        RebalanceOptions options = new RebalanceOptions();
        options.set_wait_secs(0);
        options.set_num_workers(workers);
        options.set_num_executors(new TreeMap<>(executors));
        return options;
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        if (isRefused()) {
            json.put("refusal", refusal);
            return json;
        }
        json.put("text", text);
        json.put("executors", executors);
        json.put("workers", workers);
        json.put("undo", undo);
        return json;
    }

    static ScalingResponse of(Map<String, Object> json) {
        if (json.containsKey("refusal")) {
            return refused((String) json.get("refusal"));
        }
        Map<String, Integer> executors = new TreeMap<>();
        ((Map<?, ?>) json.get("executors")).forEach((component, count) -> executors.put((String) component, ((Number) count).intValue()));
        return new ScalingResponse(null, (String) json.get("text"), executors, ((Number) json.get("workers")).intValue(),
            (String) json.get("undo"));
    }
}
