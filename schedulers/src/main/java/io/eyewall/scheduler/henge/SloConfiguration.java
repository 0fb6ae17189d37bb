package io.eyewall.scheduler.henge;

import io.eyewall.client.settings.Setting;
import io.eyewall.client.settings.SettingsGroup;
import io.eyewall.client.settings.SettingsValidator;
import io.eyewall.elasticity.slo.LatencyStatistic;
import io.eyewall.elasticity.slo.Slo;
import io.eyewall.elasticity.slo.SloMetric;
import io.eyewall.elasticity.slo.UtilityFunctions;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.storm.validation.ConfigValidationAnnotations.CustomValidator;

/**
 * The SLO of a topology. Nimbus checks these keys for every client when a topology is submitted. Clients and workers do not load this
 * class.
 */
public final class SloConfiguration implements SettingsGroup {

    /** The beginning of all keys of an SLO. */
    public static final String PREFIX = "topology.slo.";

    /** The longest latency. */
    @CustomValidator(validatorClass = Check.class)
    public static final String LATENCY_MS = "topology.slo.latency.ms";

    /** What {@link #LATENCY_MS} is a bound of. */
    @CustomValidator(validatorClass = Check.class)
    public static final String LATENCY_PERCENTILE = "topology.slo.latency.percentile";

    /** The least juice. */
    @CustomValidator(validatorClass = Check.class)
    public static final String JUICE_MIN = "topology.slo.juice.min";

    /** The least throughput. */
    @CustomValidator(validatorClass = Check.class)
    public static final String THROUGHPUT_MIN = "topology.slo.throughput.min";

    /** The priority. */
    @CustomValidator(validatorClass = Check.class)
    public static final String UTILITY_MAX = "topology.slo.utility.max";

    /** What a performance below the objectives is worth. */
    @CustomValidator(validatorClass = Check.class)
    public static final String UTILITY_FUNCTION = "topology.slo.utility.function";

    private static final Setting<Double> LATENCY_SETTING = number(LATENCY_MS, 0.0, 0, Double.MAX_VALUE,
        "a number of milliseconds above 0, or 0 for no objective", "The end-to-end latency is to be at most this.");

    private static final Setting<LatencyStatistic> STATISTIC_SETTING = new Setting<>(LATENCY_PERCENTILE, "p99",
        "mean, or p and a percentile above 0 and below 100, such as p50 or p99.9", "The statistic of the latencies that `"
            + LATENCY_MS + "` is for.", value -> LatencyStatistic.named(String.valueOf(value)));

    private static final Setting<Double> JUICE_SETTING = number(JUICE_MIN, 0.0, 0, 1,
        "a number above 0 and at most 1, or 0 for no objective", "The juice is to be at least this: the share of the spouts' tuples that"
            + " the topology processes.");

    private static final Setting<Double> THROUGHPUT_SETTING = number(THROUGHPUT_MIN, 0.0, 0, Double.MAX_VALUE,
        "a number of tuples per second above 0, or 0 for no objective", "All sinks together are to process at least this.");

    private static final Setting<Double> UTILITY_SETTING = number(UTILITY_MAX, 1.0, Double.MIN_VALUE, Double.MAX_VALUE, "a number above 0",
        "The utility of the topology when it meets its SLO, which is its priority: topologies with more come first.");

    private static final Setting<String> FUNCTION_SETTING = new Setting<>(UTILITY_FUNCTION, "knee",
        "one of these, which must not fall: " + UtilityFunctions.GRAMMAR, "The share of the utility that the topology "
            + "has while it misses its SLO, as a function of the attainment: value / objective, or objective / value for a latency. A"
            + " `class` must be on Nimbus's class path.",
        value -> {
            UtilityFunctions.parse(String.valueOf(value));
            return String.valueOf(value);
        });

    private static final List<Setting<?>> SETTINGS =
        List.of(LATENCY_SETTING, STATISTIC_SETTING, JUICE_SETTING, THROUGHPUT_SETTING, UTILITY_SETTING, FUNCTION_SETTING);

    private final Slo slo;

    /** No SLO. */
    public SloConfiguration() {
        this(Map.of());
    }

    /**
     * The SLO of a topology.
     *
     * @throws IllegalArgumentException names the key, the value, the range and what is wrong
     */
    public SloConfiguration(Map<String, Object> topologyConf) {
        try {
            Map<SloMetric, Double> objectives = new EnumMap<>(SloMetric.class);
            objectives.put(SloMetric.LATENCY_MS, LATENCY_SETTING.of(topologyConf));
            objectives.put(SloMetric.JUICE, JUICE_SETTING.of(topologyConf));
            objectives.put(SloMetric.THROUGHPUT_PER_SEC, THROUGHPUT_SETTING.of(topologyConf));
            objectives.values().removeIf(objective -> objective == 0);
            LatencyStatistic statistic = STATISTIC_SETTING.of(topologyConf);
            double maxUtility = UTILITY_SETTING.of(topologyConf);
            String function = FUNCTION_SETTING.of(topologyConf);
            slo = objectives.isEmpty() ? null : Slo.of(objectives, statistic, maxUtility, function);
        } catch (IllegalArgumentException e) {
            throw withReason(e);
        }
    }

    @Override
    public String title() {
        return "Service level objectives";
    }

    @Override
    public List<Setting<?>> settings() {
        return SETTINGS;
    }

    /** The SLO; empty if no objective is set. */
    public Optional<Slo> slo() {
        return Optional.ofNullable(slo);
    }

    private static Setting<Double> number(String key, double defaultValue, double min, double max, String range, String doc) {
        Object written = defaultValue == Math.rint(defaultValue) ? (Object) (long) defaultValue : (Object) defaultValue;
        return new Setting<>(key, written, range, doc, value -> {
            if (value instanceof Number number && number.doubleValue() >= min && number.doubleValue() <= max) {
                return number.doubleValue();
            }
            throw new IllegalArgumentException();
        });
    }

    /** The same error with what exactly is wrong, where the range alone does not say it. */
    private static IllegalArgumentException withReason(IllegalArgumentException e) {
        String reason = e.getCause() == null ? null : e.getCause().getMessage();
        return reason == null ? e : new IllegalArgumentException(e.getMessage() + " What is wrong: " + reason + ".", e);
    }

    /** How Storm's validation checks these keys. */
    public static final class Check extends SettingsValidator {

        /** For Storm's validation. */
        public Check() {
            super(SETTINGS);
        }

        @Override
        public void validateField(String constant, Object value) {
            try {
                super.validateField(constant, value);
            } catch (IllegalArgumentException e) {
                throw withReason(e);
            }
        }
    }
}
