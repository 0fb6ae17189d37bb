package io.eyewall.client.settings.tail;

import io.eyewall.client.settings.Setting;
import io.eyewall.client.settings.SettingsGroup;
import io.eyewall.client.settings.SettingsValidator;
import java.util.List;
import java.util.Map;
import org.apache.storm.validation.ConfigValidationAnnotations.CustomValidator;

/**
 * The setting that lets workers switch the techniques against the tail on and off, as one topology has it.
 */
public final class TailConfiguration implements SettingsGroup {

    /** Key of {@link #isAutomatic()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String TAIL_LATENCY = "topology.tail.latency";

    private static final String AUTO = "auto";

    private static final Setting<String> SETTING = Setting.choice(TAIL_LATENCY, "manual", List.of("manual", AUTO),
        "With `auto` each worker switches the adaptive timeout, shared executor queues and latency-based load balancing on and off,"
            + " according to what it measures. If a technique's own key is set, that key decides.");

    private static final List<Setting<?>> SETTINGS = List.of(SETTING);

    private final boolean automatic;

    /** The default. */
    public TailConfiguration() {
        this(Map.of());
    }

    /**
     * The setting of a topology.
     *
     * @throws IllegalArgumentException names the key, the value and the range
     */
    public TailConfiguration(Map<String, Object> topologyConf) {
        automatic = SETTING.of(topologyConf).equals(AUTO);
    }

    @Override
    public String title() {
        return "Tail latency";
    }

    @Override
    public List<Setting<?>> settings() {
        return SETTINGS;
    }

    public boolean isAutomatic() {
        return automatic;
    }

    /** How Storm's validation checks this key. */
    public static final class Check extends SettingsValidator {
        /** For Storm's validation. */
        public Check() {
            super(SETTINGS);
        }
    }
}
