package io.eyewall.core.nimbus;

import io.eyewall.client.settings.SubmittedSettings;
import java.util.Map;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.utils.WrappedInvalidTopologyException;

/**
 * Refuses topologies with a bad value of one of our keys: the seam <em>submitted-configuration</em>. Upstream's Nimbus and client check
 * upstream's keys only, and our client does not know the keys of schedulers. Safe for any thread.
 */
public final class SubmissionCheck {

    private SubmissionCheck() {
    }

    /**
     * Checks our keys; upstream's are left to Nimbus.
     *
     * @param topologyConf the topology's configuration as JSON
     * @param topology the topology as the user made it
     * @throws InvalidTopologyException names the component if one sets the key, the key, the value and what it may be
     */
    public static void check(String topologyConf, StormTopology topology) throws InvalidTopologyException {
        if (topologyConf != null && JSONValue.parse(topologyConf) instanceof Map<?, ?> parsed) {
            @SuppressWarnings("unchecked")
            Map<String, Object> configuration = (Map<String, Object>) parsed;
            try {
                SubmittedSettings.check(configuration);
            } catch (IllegalArgumentException e) {
                throw new WrappedInvalidTopologyException(e.getMessage());
            }
        }
        SubmittedSettings.checkComponents(topology);
    }
}
