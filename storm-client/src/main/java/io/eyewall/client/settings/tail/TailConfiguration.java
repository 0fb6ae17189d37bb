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
    private static final String SLO = "slo";

    private static final Setting<String> SETTING = Setting.choice(TAIL_LATENCY, "manual", List.of("manual", AUTO, SLO),
        "With `auto` each worker switches the adaptive timeout, shared executor queues and latency-based load balancing on and off,"
            + " according to what it measures. With `slo` the `HengeScheduler` switches the adaptive timeout and load balancing, while the"
            + " topology has an SLO. If a technique's own key is set, that key decides. With `slo`, the scheduler also decides when"
            + " different targets of spouts (`topology.deadline.target.ms`) apply; all messages have the longest of them until then.");

    private static final List<Setting<?>> SETTINGS = List.of(SETTING);

    private final boolean automatic;
    private final boolean ordered;

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
        String value = SETTING.of(topologyConf);
        automatic = value.equals(AUTO);
        ordered = value.equals(SLO);
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

    /** Whether the cluster's scheduler switches techniques. */
    public boolean takesOrders() {
        return ordered;
    }

    /** How Storm's validation checks this key. */
    public static final class Check extends SettingsValidator {
        /** For Storm's validation. */
        public Check() {
            super(SETTINGS);
        }
    }
}
