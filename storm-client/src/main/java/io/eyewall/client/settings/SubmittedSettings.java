package io.eyewall.client.settings;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.utils.WrappedInvalidTopologyException;
import org.apache.storm.validation.ConfigValidation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the values that a topology and its components set for our keys. Upstream's client and Nimbus check only upstream's keys, and no
 * key in the configuration of a component. Safe for any thread.
 */
public final class SubmittedSettings {

    private static final Logger LOG = LoggerFactory.getLogger(SubmittedSettings.class);

    private SubmittedSettings() {
    }

    /**
     * Checks the configuration of a topology.
     *
     * @throws IllegalArgumentException names the key, the value and what is allowed
     */
    public static void check(Map<String, Object> topologyConf) {
        ConfigValidation.validateFields(topologyConf, groups());
    }

    /**
     * Checks the configurations that the components of a topology have of their own.
     *
     * @throws InvalidTopologyException names the component, the key, the value and what is allowed
     */
    public static void checkComponents(StormTopology topology) throws InvalidTopologyException {
        List<Class<?>> groups = groups();
        for (var component : Components.of(topology).entrySet()) {
            try {
                ConfigValidation.validateFields(OwnConfiguration.of(component.getValue()), groups);
            } catch (IllegalArgumentException e) {
                throw new WrappedInvalidTopologyException(inConfigurationOf(component.getKey(), e));
            }
        }
    }

    /**
     * Logs a warning for each key of a topology or of its components that looks like a misspelt key of ours. It may be a key that only the
     * topology's own code reads, so it is not refused.
     */
    public static void warnOfMisspeltKeys(Map<String, Object> topologyConf, StormTopology topology) {
        MisspeltKeys keys = new MisspeltKeys();
        warnOf(topologyConf, keys, "");
        Components.of(topology).forEach((component, common) -> warnOf(OwnConfiguration.of(common), keys,
            ", which the component '" + component + "' sets"));
    }

    /** YAML may have keys that are no texts. */
    private static void warnOf(Map<?, ?> conf, MisspeltKeys keys, String where) {
        conf.keySet().stream().filter(String.class::isInstance).map(String.class::cast).sorted()
            .forEach(key -> keys.meant(key).ifPresent(meant ->
                LOG.warn("There is no key {}{}. If you mean {}, correct it and submit the topology again.", key, where, meant)));
    }

    /**
     * Removes values that are not allowed from the components' own configurations, and logs a warning for each: the topology's value
     * applies. For a process that runs a topology that another Nimbus has accepted, since it would otherwise fail at each start.
     *
     * @param topology the copy of the process
     */
    public static void removeBadValues(StormTopology topology) {
        List<Class<?>> groups = groups();
        Components.of(topology).forEach((component, common) -> {
            Map<String, Object> own = OwnConfiguration.of(common);
            if (own.entrySet().removeIf(value -> isBad(component, value, groups))) {
                OwnConfiguration.set(common, own);
            }
        });
    }

    private static boolean isBad(String component, Map.Entry<String, Object> value, List<Class<?>> groups) {
        try {
            ConfigValidation.validateFields(Collections.singletonMap(value.getKey(), value.getValue()), groups);
            return false;
        } catch (IllegalArgumentException e) {
            LOG.warn("{} The value is ignored. Correct it and submit the topology again.", inConfigurationOf(component, e));
            return true;
        }
    }

    private static String inConfigurationOf(String component, IllegalArgumentException bad) {
        return "In the configuration of the component '" + component + "', " + bad.getMessage();
    }

    /** The classes of all groups on the class path. */
    private static List<Class<?>> groups() {
        return ConfigValidation.getConfigClasses().stream().filter(SettingsGroup.class::isAssignableFrom).toList();
    }
}
