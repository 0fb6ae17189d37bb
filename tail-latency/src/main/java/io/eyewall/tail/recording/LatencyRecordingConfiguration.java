package io.eyewall.tail.recording;

import io.eyewall.client.settings.Setting;
import io.eyewall.client.settings.SettingsGroup;
import io.eyewall.client.settings.SettingsValidator;
import io.eyewall.client.settings.tail.LatencyAccess;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.storm.validation.ConfigValidationAnnotations.CustomValidator;

/**
 * The settings of latency recording, as one topology has them.
 */
public final class LatencyRecordingConfiguration implements SettingsGroup {

    /** Key of {@link #sampling()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String RECORDING = LatencyAccess.RECORDING;
    /** Key of {@link #rangeNs()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String RANGE_SECS = "topology.latency.range.secs";
    /** Key of {@link #precisionDigits()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String PRECISION_DIGITS = "topology.latency.precision.digits";
    /** Key of {@link #intervalSecs()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String INTERVAL_SECS = "topology.latency.interval.secs";
    /** Key of {@link #endpointPortOffset()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String ENDPOINT_PORT_OFFSET = LatencyAccess.ENDPOINT_PORT_OFFSET;
    /** Key of {@link #dueField()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String DUE_FIELD = "topology.latency.due.field";

    private static final Setting<Sampling> RECORDING_SETTING = new Setting<>(RECORDING, LatencyAccess.RECORDING_DEFAULT,
        "off, all, or sampled:1/N with N from 1 to 999999999",
        "Which messages of the spouts are recorded, each with its whole tree of tuples: none, all, or one in N.", Sampling::parse);
    private static final Setting<Long> RANGE_SETTING = Setting.integer(RANGE_SECS, 600, 1, 86_400, "seconds",
        "The longest latency that is recorded. Longer ones are dropped and counted.");
    private static final Setting<Long> PRECISION_SETTING = Setting.integer(PRECISION_DIGITS, 2, 1, 5, "significant decimal digits",
        "How many digits of a latency are kept. Each further digit takes ten times the memory, and as much CPU time to report.");
    private static final Setting<Long> INTERVAL_SETTING = Setting.integer(INTERVAL_SECS, 10, 1, 3_600, "seconds",
        "How often a worker appends to its interval log and renews the percentiles in its metrics.");
    private static final Setting<Long> ENDPOINT_SETTING = LatencyAccess.ENDPOINT_SETTING;
    private static final Setting<String> DUE_SETTING = Setting.text(DUE_FIELD, "dueNs",
        "The field in which a spout emits the time at which a message was due: nanoseconds, as a long of `System.nanoTime()`. Spouts"
            + " without such a field have no due time.");

    private static final List<Setting<?>> SETTINGS = List.of(RECORDING_SETTING, RANGE_SETTING, PRECISION_SETTING, INTERVAL_SETTING,
        ENDPOINT_SETTING, DUE_SETTING);

    private final Sampling sampling;
    private final long rangeNs;
    private final int precisionDigits;
    private final int intervalSecs;
    private final int endpointPortOffset;
    private final String dueField;

    /** The defaults. */
    public LatencyRecordingConfiguration() {
        this(Map.of());
    }

    /**
     * The settings of a topology.
     *
     * @throws IllegalArgumentException names the key, the value and the range
     */
    public LatencyRecordingConfiguration(Map<String, Object> topologyConf) {
        sampling = RECORDING_SETTING.of(topologyConf);
        rangeNs = TimeUnit.SECONDS.toNanos(RANGE_SETTING.of(topologyConf));
        precisionDigits = PRECISION_SETTING.of(topologyConf).intValue();
        intervalSecs = INTERVAL_SETTING.of(topologyConf).intValue();
        endpointPortOffset = ENDPOINT_SETTING.of(topologyConf).intValue();
        dueField = DUE_SETTING.of(topologyConf);
    }

    @Override
    public String title() {
        return "Latency recording";
    }

    @Override
    public List<Setting<?>> settings() {
        return SETTINGS;
    }

    /** Which of the spouts' messages are recorded. */
    public Sampling sampling() {
        return sampling;
    }

    /** The longest latency that is recorded, in nanoseconds. */
    public long rangeNs() {
        return rangeNs;
    }

    /** The number of significant decimal digits of a latency that are kept. */
    public int precisionDigits() {
        return precisionDigits;
    }

    /** The interval at which recorded values go to the log and to Storm's metrics, in seconds. */
    public int intervalSecs() {
        return intervalSecs;
    }

    /** The endpoint's port is the worker's port plus this number; 0 for no endpoint. */
    public int endpointPortOffset() {
        return endpointPortOffset;
    }

    /** The field of a spout's tuples that holds the time at which the message was due, in nanoseconds of the host's clock. */
    public String dueField() {
        return dueField;
    }

    /** How Storm's validation checks these keys. */
    public static final class Check extends SettingsValidator {
        /** For Storm's validation. */
        public Check() {
            super(SETTINGS);
        }
    }
}
