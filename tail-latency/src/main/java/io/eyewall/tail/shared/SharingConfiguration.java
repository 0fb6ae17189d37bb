package io.eyewall.tail.shared;

import io.eyewall.client.settings.Setting;
import io.eyewall.client.settings.SettingsGroup;
import io.eyewall.client.settings.SettingsValidator;
import java.util.List;
import java.util.Map;
import org.apache.storm.validation.ConfigValidationAnnotations.CustomValidator;

/**
 * The setting of shared executor queues, as one topology or one of its bolts has it.
 */
public final class SharingConfiguration implements SettingsGroup {

    /** Key of {@link #isShared()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String EXECUTOR_QUEUE = "topology.executor.queue";

    private static final String SHARED = "shared";

    private static final Setting<String> QUEUE_SETTING = Setting.choice(EXECUTOR_QUEUE, "own", List.of("own", SHARED),
        "With `own` each executor has its own queue. With `shared` the executors of a bolt in one worker take tuples from one queue,"
            + " whichever is free. Only bolts whose inputs are all shuffle, local-or-shuffle or none groupings can share, and none where"
            + " spouts have deadline targets or shares. A bolt's own configuration overrides the topology's.");

    private static final List<Setting<?>> SETTINGS = List.of(QUEUE_SETTING);

    private final boolean shared;

    /** The default. */
    public SharingConfiguration() {
        this(Map.of());
    }

    /**
     * The setting of a topology, or of a bolt with its own configuration on top of the topology's.
     *
     * @throws IllegalArgumentException names the key, the value and the range
     */
    public SharingConfiguration(Map<String, Object> conf) {
        shared = QUEUE_SETTING.of(conf).equals(SHARED);
    }

    @Override
    public String title() {
        return "Shared executor queues";
    }

    @Override
    public List<Setting<?>> settings() {
        return SETTINGS;
    }

    public boolean isShared() {
        return shared;
    }

    /** How Storm's validation checks this key. */
    public static final class Check extends SettingsValidator {
        /** For Storm's validation. */
        public Check() {
            super(SETTINGS);
        }
    }
}
