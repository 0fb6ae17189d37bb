package io.eyewall.client.stream;

import io.eyewall.client.settings.Setting;
import io.eyewall.client.settings.SettingsGroup;
import io.eyewall.client.settings.SettingsValidator;
import java.util.List;
import java.util.Map;
import org.apache.storm.validation.ConfigValidationAnnotations.CustomValidator;

/** The settings of the stream-manager mode, as a topology or one of its components has them. Immutable. */
public final class StreamConfiguration implements SettingsGroup {

    /** Key of {@link #hasStreamManagers()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String MODE = "topology.worker.mode";
    private static final String WORKER = "worker";
    private static final String STREAM_MANAGER = "stream-manager";

    /** Key of {@link #executorsPerInstance()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String EXECUTORS = "topology.stream.executors.per.instance";

    /** Key of {@link #holdsStages()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String BACK_PRESSURE = "topology.stream.back.pressure";
    private static final String SPOUTS = "spouts";
    private static final String STAGES = "stages";

    private static final int MAX_EXECUTORS = 10_000;

    private static final Setting<String> MODE_SETTING = Setting.choice(MODE, WORKER, List.of(WORKER, STREAM_MANAGER),
        "With `worker` a slot is one process with all of its executors, as in Storm. With `stream-manager` it is a container: a process for"
            + " each executor, which has a heap of its own and can be profiled and restarted by itself, and a stream manager that passes"
            + " tuples between them and to other containers. CPU time is limited for the container. Local mode always runs one process.");
    private static final Setting<Long> EXECUTORS_SETTING = Setting.integer(EXECUTORS, 1, 1, MAX_EXECUTORS, "executors",
        "How many executors of a component share a process in the stream-manager mode. A component's own configuration overrides the"
            + " topology's.");
    private static final Setting<String> BACK_PRESSURE_SETTING = Setting.choice(BACK_PRESSURE, SPOUTS, List.of(SPOUTS, STAGES),
        "Which executors stop in the stream-manager mode when one cannot keep up: with `spouts` all spouts of the topology, with `stages`"
            + " those that send to it.");

    private static final List<Setting<?>> SETTINGS = List.of(MODE_SETTING, EXECUTORS_SETTING, BACK_PRESSURE_SETTING);

    private final boolean streamManagers;
    private final int executorsPerInstance;
    private final boolean stages;

    /** The defaults. */
    public StreamConfiguration() {
        this(Map.of());
    }

    /**
     * The settings of a topology, or of a component on top of its topology's.
     *
     * @throws IllegalArgumentException names the key, the value and the range
     */
    public StreamConfiguration(Map<String, Object> conf) {
        streamManagers = MODE_SETTING.of(conf).equals(STREAM_MANAGER);
        executorsPerInstance = EXECUTORS_SETTING.of(conf).intValue();
        stages = BACK_PRESSURE_SETTING.of(conf).equals(STAGES);
    }

    @Override
    public String title() {
        return "Stream managers";
    }

    @Override
    public List<Setting<?>> settings() {
        return SETTINGS;
    }

    /** Whether slots run containers with stream managers. */
    public boolean hasStreamManagers() {
        return streamManagers;
    }

    /** How many executors of a component share an instance at most. */
    public int executorsPerInstance() {
        return executorsPerInstance;
    }

    /** Whether back-pressure holds back the senders of a slow executor, and not all spouts. */
    public boolean holdsStages() {
        return stages;
    }

    /** How Storm's validation checks these keys. */
    public static final class Check extends SettingsValidator {
        /** For Storm's validation. */
        public Check() {
            super(SETTINGS);
        }
    }
}
