package io.eyewall.tail.balance;

import io.eyewall.client.config.Setting;
import io.eyewall.client.config.SettingsGroup;
import io.eyewall.client.config.SettingsValidator;
import java.util.List;
import java.util.Map;
import org.apache.storm.validation.ConfigValidationAnnotations.CustomValidator;

/**
 * The settings of latency-based load balancing, as one topology has them.
 */
public final class BalancingConfiguration implements SettingsGroup {

    /** Key of {@link #isOn()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String BALANCING = "topology.latency.balancing";
    /** Key of {@link #periodSecs()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String PERIOD_SECS = "topology.latency.balancing.period.secs";
    /** Key of {@link #aging()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String AGING = "topology.latency.balancing.aging";

    private static final Setting<Boolean> BALANCING_SETTING = Setting.flag(BALANCING, false,
        "Shuffle and local-or-shuffle groupings move traffic from the tasks that keep tuples longest to those that are done with them"
            + " soonest.");
    private static final Setting<Long> PERIOD_SETTING = Setting.integer(PERIOD_SECS, 5, 1, 3_600, "seconds",
        "How often latencies are told to the workers that send, and traffic is moved.");
    private static final Setting<Double> AGING_SETTING = new Setting<>(AGING, 0.5, "a number above 0 and up to 1",
        "How much the latency of the last period counts against those before it; with 1 it alone counts.",
        BalancingConfiguration::parseAging);

    private static final List<Setting<?>> SETTINGS = List.of(BALANCING_SETTING, PERIOD_SETTING, AGING_SETTING);

    private final boolean on;
    private final int periodSecs;
    private final double aging;

    /** The defaults. */
    public BalancingConfiguration() {
        this(Map.of());
    }

    /**
     * The settings of a topology.
     *
     * @throws IllegalArgumentException names the key, the value and the range
     */
    public BalancingConfiguration(Map<String, Object> topologyConf) {
        on = BALANCING_SETTING.of(topologyConf);
        periodSecs = PERIOD_SETTING.of(topologyConf).intValue();
        aging = AGING_SETTING.of(topologyConf);
    }

    @Override
    public String title() {
        return "Latency-based load balancing";
    }

    @Override
    public List<Setting<?>> settings() {
        return SETTINGS;
    }

    public boolean isOn() {
        return on;
    }

    public int periodSecs() {
        return periodSecs;
    }

    /** Above 0, up to 1. */
    public double aging() {
        return aging;
    }

    private static double parseAging(Object value) {
        if (value instanceof Number number && number.doubleValue() > 0 && number.doubleValue() <= 1) {
            return number.doubleValue();
        }
        throw new IllegalArgumentException("not in range");
    }

    /** How Storm's validation checks these keys. */
    public static final class Check extends SettingsValidator {
        /** For Storm's validation. */
        public Check() {
            super(SETTINGS);
        }
    }
}
