package io.eyewall.core.nimbus;

import io.eyewall.client.deadline.DeadlineSubmission;
import io.eyewall.client.stream.StreamConfiguration;
import java.util.HashMap;
import java.util.Map;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.utils.WrappedInvalidTopologyException;
import org.apache.storm.validation.ConfigValidation;

/**
 * Refuses configuration that a rebalance may not bring to a topology: the seam <em>rebalance-options</em>. Upstream's Nimbus stores it
 * without a check. From then on a bad value of a worker's key keeps workers from starting, and a bad value of {@code topology.workers}
 * keeps Nimbus itself from starting. Safe for any thread.
 */
public final class RebalanceCheck {

    private RebalanceCheck() {
    }

    /**
     * Checks upstream's keys and ours.
     *
     * @param options null for none
     * @throws InvalidTopologyException names the key, the value and what it may be
     */
    public static void check(RebalanceOptions options) throws InvalidTopologyException {
        String overrides = options == null ? null : options.get_topology_conf_overrides();
        if (overrides == null) {
            return;
        }
        if (!(JSONValue.parse(overrides) instanceof Map<?, ?> parsed)) {
            throw new WrappedInvalidTopologyException("the configuration is '" + overrides + "', but must be a JSON object.");
        }
        @SuppressWarnings("unchecked")
        Map<String, Object> configuration = (Map<String, Object>) parsed;
        try {
            ConfigValidation.validateFields(configuration);
        } catch (IllegalArgumentException e) {
            throw new WrappedInvalidTopologyException(e.getMessage());
        }
    }

    /**
     * Checks that the topology's settings go together then, as at its submission.
     *
     * @param topology as the user made it
     * @param nimbusConf Nimbus's own configuration
     * @param topologyConf that of the topology so far
     * @param overrides what the rebalance changes
     * @throws InvalidTopologyException says what is wrong, and the remedy
     */
    public static void checkTogether(StormTopology topology, Map<String, Object> nimbusConf, Map<String, Object> topologyConf,
            Map<String, Object> overrides) throws InvalidTopologyException {
        Map<String, Object> before = new HashMap<>(nimbusConf);
        before.putAll(topologyConf);
        Map<String, Object> after = new HashMap<>(before);
        after.putAll(overrides);
        if (hasStreamManagers(before) != hasStreamManagers(after)) {
            throw new WrappedInvalidTopologyException(StreamConfiguration.MODE + " is '" + after.get(StreamConfiguration.MODE)
                + "', but cannot change while the topology runs: kill the topology, and submit it with that value.");
        }
        DeadlineSubmission.checkChange(topology, before, after);
    }

    private static boolean hasStreamManagers(Map<String, Object> conf) throws InvalidTopologyException {
        try {
            return new StreamConfiguration(conf).hasStreamManagers();
        } catch (IllegalArgumentException e) { // Nimbus's storm.yaml, which nobody has checked, may have any value.
            throw new WrappedInvalidTopologyException(e.getMessage());
        }
    }
}
