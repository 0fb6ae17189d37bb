package io.eyewall.client.deadline;

import io.eyewall.client.settings.OwnConfiguration;
import io.eyewall.client.settings.Setting;
import io.eyewall.client.settings.SettingsGroup;
import io.eyewall.client.settings.SettingsValidator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.SpoutSpec;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.validation.ConfigValidationAnnotations.CustomValidator;

/** The settings of deadlines, as one topology or one of its spouts has them. */
public final class DeadlineConfiguration implements SettingsGroup {

    /** Key of {@link #targetMs()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String TARGET = "topology.deadline.target.ms";
    /** Key of the target of spouts without {@link #TARGET}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String OTHERS = "topology.deadline.others.ms";

    private static final int HOUR_MS = 3_600_000;

    private static final Setting<Long> TARGET_SETTING = Setting.integer(TARGET, 0, 0, HOUR_MS, "milliseconds",
        "How soon a message is to be processed after a spout has emitted it, or 0 for no target. Executors that share threads run in the"
            + " order of the deadlines of their tuples. For a topology, or in the configuration of a spout. Needs"
            + " `topology.executor.threads` to be `pool` or `auto`; `auto` is then `pool`.");
    private static final Setting<Long> OTHERS_SETTING = Setting.integer(OTHERS, 1_000, 1, HOUR_MS, "milliseconds",
        "The target of the other spouts, in a topology where a spout has one. An executor with their tuples waits at most about this long"
            + " for executors with closer deadlines.");

    private static final List<Setting<?>> SETTINGS = List.of(TARGET_SETTING, OTHERS_SETTING);

    private final long targetMs;
    private final long othersMs;

    /** The defaults. */
    public DeadlineConfiguration() {
        this(Map.of());
    }

    /**
     * The settings of a topology or a spout.
     *
     * @throws IllegalArgumentException names the key, the value and the range
     */
    public DeadlineConfiguration(Map<String, Object> conf) {
        targetMs = TARGET_SETTING.of(conf);
        othersMs = OTHERS_SETTING.of(conf);
    }

    /**
     * The targets of the spouts of a topology, in milliseconds, by component: their own or the topology's, and if they have none that of
     * {@link #OTHERS}. Empty if no spout has a target.
     */
    public static Map<String, Long> targetsMs(StormTopology topology, Map<String, Object> topologyConf) {
        Map<String, Long> targets = new HashMap<>();
        boolean anyTarget = false;
        for (Map.Entry<String, SpoutSpec> spout : spouts(topology).entrySet()) {
            Map<String, Object> conf = new HashMap<>(topologyConf);
            conf.putAll(OwnConfiguration.of(spout.getValue().get_common()));
            DeadlineConfiguration deadlines = new DeadlineConfiguration(conf);
            anyTarget |= deadlines.targetMs > 0;
            targets.put(spout.getKey(), deadlines.targetMs > 0 ? deadlines.targetMs : deadlines.othersMs);
        }
        return anyTarget ? targets : Map.of();
    }

    private static Map<String, SpoutSpec> spouts(StormTopology topology) {
        return topology.is_set_spouts() ? topology.get_spouts() : Map.of();
    }

    @Override
    public String title() {
        return "Deadlines";
    }

    @Override
    public List<Setting<?>> settings() {
        return SETTINGS;
    }

    /** How soon a message is to be processed, in milliseconds; 0 if there is no target. */
    public long targetMs() {
        return targetMs;
    }

    /** How Storm's validation checks these keys. */
    public static final class Check extends SettingsValidator {
        /** For Storm's validation. */
        public Check() {
            super(SETTINGS);
        }
    }
}
