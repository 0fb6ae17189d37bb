package io.eyewall.tail.replay;

import io.eyewall.client.settings.Setting;
import io.eyewall.client.settings.SettingsGroup;
import io.eyewall.client.settings.SettingsValidator;
import io.eyewall.client.settings.tail.TechniqueOrders;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.storm.validation.ConfigValidationAnnotations.CustomValidator;

/**
 * The settings of the adaptive timeout, as one topology has them.
 */
public final class ReplayConfiguration implements SettingsGroup {

    /** Key of {@link #isOn()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String ADAPTIVE_TIMEOUT = TechniqueOrders.ADAPTIVE_TIMEOUT;
    /** Key of {@link #cancels()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String CANCEL = "topology.adaptive.timeout.cancel";
    /** Key of {@link #periodNs()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String PERIOD_SECS = "topology.adaptive.timeout.period.secs";
    /** Key of {@link #samples()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String SAMPLES = "topology.adaptive.timeout.samples";
    /** Key of {@link #mostReplays()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String REPLAYS = "topology.adaptive.timeout.replays";
    /** Key of {@link #percent()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String PERCENT = "topology.adaptive.timeout.percent";
    /** Key of {@link #minNs()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String MIN_MS = "topology.adaptive.timeout.min.ms";
    /** Key of {@link #maxNs()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String MAX_MS = "topology.adaptive.timeout.max.ms";

    private static final int MAX_LIMIT_MS = 3_600_000;

    private static final Setting<Boolean> ON_SETTING = Setting.flag(ADAPTIVE_TIMEOUT, false,
        "A message that takes longer than nearly all others is sent once more and is acked when its first instance is complete. Bolts"
            + " may execute it twice.");
    private static final Setting<Boolean> CANCEL_SETTING = Setting.flag(CANCEL, true,
        "When one instance of a message is complete, bolts drop tuples of its other instances that they have not started to execute."
            + " Needs `topology.acking: ledger`.");
    private static final Setting<Long> PERIOD_SETTING = Setting.integer(PERIOD_SECS, 1, 1, 3_600, "seconds",
        "How often each spout task computes, from the latencies of the last period, when a message is late.");
    private static final Setting<Long> SAMPLES_SETTING = Setting.integer(SAMPLES, 1_000, 10, 1_000_000, "messages",
        "How many completed messages a period needs. A period with fewer of them is extended.");
    private static final Setting<Long> REPLAYS_SETTING = Setting.integer(REPLAYS, 1, 1, 10, "instances",
        "The maximum number of times that one message is sent again.");
    private static final Setting<Long> PERCENT_SETTING = Setting.integer(PERCENT, 5, 1, 100, "per cent",
        "The maximum number of messages that are sent again in a period, in per cent of those that the spout emits in it.");
    private static final Setting<Long> MIN_SETTING = Setting.integer(MIN_MS, 1, 1, MAX_LIMIT_MS, "milliseconds",
        "A message is never late before it has taken this long.");
    private static final Setting<Long> MAX_SETTING = Setting.integer(MAX_MS, 30_000, 1, MAX_LIMIT_MS, "milliseconds",
        "A message is always late when it has taken this long, once enough messages are complete. Must not be less than"
            + " `topology.adaptive.timeout.min.ms`.");

    private static final List<Setting<?>> SETTINGS =
        List.of(ON_SETTING, CANCEL_SETTING, PERIOD_SETTING, SAMPLES_SETTING, REPLAYS_SETTING, PERCENT_SETTING, MIN_SETTING,
            MAX_SETTING);

    private final boolean on;
    private final boolean cancels;
    private final long periodSecs;
    private final int samples;
    private final int mostReplays;
    private final int percent;
    private final long minMs;
    private final long maxMs;

    /** The defaults. */
    public ReplayConfiguration() {
        this(Map.of());
    }

    /**
     * The settings of a topology.
     *
     * @throws IllegalArgumentException names the key, the value and the range
     */
    public ReplayConfiguration(Map<String, Object> topologyConf) {
        on = ON_SETTING.of(topologyConf);
        cancels = CANCEL_SETTING.of(topologyConf);
        periodSecs = PERIOD_SETTING.of(topologyConf);
        samples = SAMPLES_SETTING.of(topologyConf).intValue();
        mostReplays = REPLAYS_SETTING.of(topologyConf).intValue();
        percent = PERCENT_SETTING.of(topologyConf).intValue();
        minMs = MIN_SETTING.of(topologyConf);
        maxMs = MAX_SETTING.of(topologyConf);
        if (maxMs < minMs) {
            throw new IllegalArgumentException(MAX_MS + " is '" + maxMs + "'" + (topologyConf.containsKey(MAX_MS) ? "" : " by default")
                + ", but must not be less than " + MIN_MS + ", which is " + minMs + ".");
        }
    }

    @Override
    public String title() {
        return "Adaptive timeout";
    }

    @Override
    public List<Setting<?>> settings() {
        return SETTINGS;
    }

    public boolean isOn() {
        return on;
    }

    /** Whether bolts drop the tuples of an instance that they have not begun when another instance is complete. */
    public boolean cancels() {
        return cancels;
    }

    public long periodNs() {
        return TimeUnit.SECONDS.toNanos(periodSecs);
    }

    public int samples() {
        return samples;
    }

    public int mostReplays() {
        return mostReplays;
    }

    public int percent() {
        return percent;
    }

    public long minNs() {
        return TimeUnit.MILLISECONDS.toNanos(minMs);
    }

    public long maxNs() {
        return TimeUnit.MILLISECONDS.toNanos(maxMs);
    }

    /** How Storm's validation checks these keys. */
    public static final class Check extends SettingsValidator {
        /** For Storm's validation. */
        public Check() {
            super(SETTINGS);
        }
    }
}
