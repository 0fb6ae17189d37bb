package io.eyewall.client.settings.elasticity;

import io.eyewall.client.settings.Setting;
import io.eyewall.client.settings.SettingsGroup;
import io.eyewall.client.settings.SettingsValidator;
import java.util.List;
import java.util.Map;
import org.apache.storm.validation.ConfigValidationAnnotations.CustomValidator;

/** The settings of growing and shrinking, as one topology has them. */
public final class ElasticityConfiguration implements SettingsGroup {

    /** Key of {@link #isAutomatic()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String ELASTIC = "topology.elastic";

    /** Key of {@link #strategy()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String STRATEGY = "topology.elastic.strategy";

    /** Key of {@link #congestionRate()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String CONGESTION_RATE = "topology.elastic.congestion.rate";

    /** Key of {@link #tasksPerExecutor()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String TASKS_FACTOR = "topology.elastic.tasks.factor";

    /** The names of all strategies. They are the same as in the module {@code elasticity}, which workers do not load. */
    public static final List<String> STRATEGIES = List.of("etp", "ds2", "spout-distance", "output-distance", "descendants", "centrality",
        "least-link-load", "most-link-load");

    private static final String MANUAL = "manual";
    private static final String AUTO = "auto";
    private static final double DEFAULT_RATE = 1.2;
    private static final double MAX_RATE = 100;

    private static final Setting<String> ELASTIC_SETTING = Setting.choice(ELASTIC, MANUAL, List.of(MANUAL, AUTO),
        "With `auto` the topology grows to machines that join the cluster while it runs. With `manual` it grows and shrinks only by"
            + " `storm scale`.");

    private static final Setting<String> STRATEGY_SETTING = Setting.choice(STRATEGY, STRATEGIES.get(0), STRATEGIES,
        "The strategy that plans when the topology grows by itself. The option `--strategy` of `storm scale` takes the same values.");

    private static final Setting<Double> RATE_SETTING = new Setting<>(CONGESTION_RATE, DEFAULT_RATE, "a number from 1 to 100",
        "An operator is congested when it receives this many times as many tuples per second as it processes.", value -> {
            if (value instanceof Number number && number.doubleValue() >= 1 && number.doubleValue() <= MAX_RATE) {
                return number.doubleValue();
            }
            throw new IllegalArgumentException("not in range");
        });

    private static final Setting<Long> FACTOR_SETTING = Setting.integer(TASKS_FACTOR, 1, 1, 100, "tasks",
        "How many tasks each executor has when the topology is submitted. The topology may later have this many times as many"
            + " executors. A component that sets its number of tasks keeps that number, and one that must have a single task has to"
            + " set it to 1.");

    private static final List<Setting<?>> SETTINGS = List.of(ELASTIC_SETTING, STRATEGY_SETTING, RATE_SETTING, FACTOR_SETTING);

    private final boolean automatic;
    private final String strategy;
    private final double congestionRate;
    private final long tasksPerExecutor;

    /** The defaults. */
    public ElasticityConfiguration() {
        this(Map.of());
    }

    /**
     * The settings of a topology.
     *
     * @throws IllegalArgumentException names the key, the value and the range
     */
    public ElasticityConfiguration(Map<String, Object> topologyConf) {
        automatic = ELASTIC_SETTING.of(topologyConf).equals(AUTO);
        strategy = STRATEGY_SETTING.of(topologyConf);
        congestionRate = RATE_SETTING.of(topologyConf);
        tasksPerExecutor = FACTOR_SETTING.of(topologyConf);
    }

    @Override
    public String title() {
        return "Elasticity";
    }

    @Override
    public List<Setting<?>> settings() {
        return SETTINGS;
    }

    /** Whether the topology grows to machines that join. */
    public boolean isAutomatic() {
        return automatic;
    }

    /** The strategy that plans when the topology grows by itself: one of {@link #STRATEGIES}. */
    public String strategy() {
        return strategy;
    }

    /** An operator is congested when it receives this many times as many tuples per second as it processes. */
    public double congestionRate() {
        return congestionRate;
    }

    /** The number of tasks of an executor when the topology is submitted. */
    public long tasksPerExecutor() {
        return tasksPerExecutor;
    }

    /** How Storm's validation checks these keys. */
    public static final class Check extends SettingsValidator {
        /** For Storm's validation. */
        public Check() {
            super(SETTINGS);
        }
    }
}
