package io.eyewall.core.nimbus;

import io.eyewall.client.settings.SettingsGroup;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.utils.WrappedInvalidTopologyException;
import org.apache.storm.validation.ConfigValidation;

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
     * @throws InvalidTopologyException names the key, the value and what it may be
     */
    public static void check(String topologyConf) throws InvalidTopologyException {
        if (topologyConf != null && JSONValue.parse(topologyConf) instanceof Map<?, ?> parsed) {
            @SuppressWarnings("unchecked")
            Map<String, Object> configuration = (Map<String, Object>) parsed;
            List<Class<?>> ours = ConfigValidation.getConfigClasses().stream().filter(SettingsGroup.class::isAssignableFrom).toList();
            try {
                ConfigValidation.validateFields(configuration, ours);
            } catch (IllegalArgumentException e) {
                throw new WrappedInvalidTopologyException(e.getMessage());
            }
        }
    }
}
