package io.eyewall.client.settings.tail;

import io.eyewall.client.settings.Setting;
import io.eyewall.client.settings.SettingsGroup;
import io.eyewall.client.settings.SettingsValidator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.storm.validation.ConfigValidationAnnotations.CustomValidator;

/**
 * The settings of latency-based load balancing, as one topology has them: for its workers, which move traffic, and for the scheduler, which
 * moves executors that are slow with hardly any traffic.
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
    /** Key of {@link #moveFactor()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String MOVE_FACTOR = "topology.latency.balancing.move.factor";
    /** Key of {@link #movePeriodMs()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String MOVE_PERIOD_SECS = "topology.latency.balancing.move.period.secs";

    private static final double MIN_FACTOR = 1.2;
    private static final double MAX_FACTOR = 1_000;

    private static final Setting<Boolean> BALANCING_SETTING = Setting.flag(BALANCING, false,
        "Shuffle and local-or-shuffle groupings send less to the tasks that keep tuples longest and more to those that finish them"
            + " soonest.");
    private static final Setting<Long> PERIOD_SETTING = Setting.integer(PERIOD_SECS, 5, 1, 3_600, "seconds",
        "How often workers report latencies to the workers that send to them, and change the shares of what they send. Also the period"
            + " of `topology.tail.latency: auto`.");
    private static final Setting<Double> AGING_SETTING = new Setting<>(AGING, 0.5, "a number above 0 and up to 1",
        "The weight of the last period's latency against earlier ones. With 1 only the last period counts.",
        value -> number(value, Double.MIN_VALUE, 1));
    private static final Setting<Double> FACTOR_SETTING = new Setting<>(MOVE_FACTOR, 2.0, "a number from 1.2 to 1000",
        "For the scheduler LatencyBalancedScheduler: an executor that takes this many times as long for a tuple as its siblings,"
            + " although it gets hardly any traffic, moves to a machine that has room for it.",
        value -> number(value, MIN_FACTOR, MAX_FACTOR));
    private static final Setting<Long> MOVE_PERIOD_SETTING = Setting.integer(MOVE_PERIOD_SECS, 300, 10, 86_400, "seconds",
        "How long an executor must have been that slow before it moves. At most one executor of a topology moves in this time.");

    private static final List<Setting<?>> SETTINGS =
        List.of(BALANCING_SETTING, PERIOD_SETTING, AGING_SETTING, FACTOR_SETTING, MOVE_PERIOD_SETTING);

    private final boolean on;
    private final int periodSecs;
    private final double aging;
    private final double moveFactor;
    private final long movePeriodSecs;

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
        moveFactor = FACTOR_SETTING.of(topologyConf);
        movePeriodSecs = MOVE_PERIOD_SETTING.of(topologyConf);
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

    /** The weight of the last period's latency against earlier ones, above 0 and up to 1. */
    public double aging() {
        return aging;
    }

    /** An executor moves if it takes this many times as long as its siblings. */
    public double moveFactor() {
        return moveFactor;
    }

    public long movePeriodMs() {
        return TimeUnit.SECONDS.toMillis(movePeriodSecs);
    }

    private static double number(Object value, double least, double most) {
        if (value instanceof Number number && number.doubleValue() >= least && number.doubleValue() <= most) {
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
