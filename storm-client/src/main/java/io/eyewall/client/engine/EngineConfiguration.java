package io.eyewall.client.engine;

import io.eyewall.client.config.Setting;
import io.eyewall.client.config.SettingsGroup;
import io.eyewall.client.config.SettingsValidator;
import java.util.List;
import java.util.Map;
import org.apache.storm.validation.ConfigValidationAnnotations.CustomValidator;

/**
 * The settings of the worker engine, as one topology has them.
 */
public final class EngineConfiguration implements SettingsGroup {

    /** Key of {@link #wakeOnArrival()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String WAKE_ON_ARRIVAL = "topology.wake.on.arrival";

    private static final Setting<Boolean> WAKE_SETTING = Setting.flag(WAKE_ON_ARRIVAL, true,
        "Executors and the transfer thread wake when work arrives. Otherwise, and for an executor whose wait strategy is set to another"
            + " than Storm's default, they look for it in the intervals that the wait strategy gives.");

    private static final List<Setting<?>> SETTINGS = List.of(WAKE_SETTING);

    private final boolean wakeOnArrival;

    /** The defaults. */
    public EngineConfiguration() {
        this(Map.of());
    }

    /**
     * The settings of a topology.
     *
     * @throws IllegalArgumentException names the key, the value and the range
     */
    public EngineConfiguration(Map<String, Object> topologyConf) {
        wakeOnArrival = WAKE_SETTING.of(topologyConf);
    }

    @Override
    public String title() {
        return "Worker engine";
    }

    @Override
    public List<Setting<?>> settings() {
        return SETTINGS;
    }

    public boolean wakeOnArrival() {
        return wakeOnArrival;
    }

    /** How Storm's validation checks these keys. */
    public static final class Check extends SettingsValidator {
        /** For Storm's validation. */
        public Check() {
            super(SETTINGS);
        }
    }
}
