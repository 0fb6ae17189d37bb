package io.eyewall.scheduler.henge;

import io.eyewall.client.settings.Setting;
import io.eyewall.client.settings.SettingsGroup;
import io.eyewall.client.settings.SettingsValidator;
import io.eyewall.elasticity.henge.Goal;
import io.eyewall.elasticity.henge.HengeConfiguration;
import io.eyewall.elasticity.henge.RemedyKind;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.storm.validation.ConfigValidationAnnotations.CustomValidator;

/** The settings of the {@code HengeScheduler}, in Nimbus's {@code storm.yaml}. */
public final class HengeSettings implements SettingsGroup {

    /** What the cluster is to maximise. */
    @CustomValidator(validatorClass = Check.class)
    public static final String GOAL = "nimbus.slo.goal";

    /** What no operator loses. */
    @CustomValidator(validatorClass = Check.class)
    public static final String MINIMUM_SHARE = "nimbus.slo.minimum.share";

    /** What a step may cost topologies without an SLO. */
    @CustomValidator(validatorClass = Check.class)
    public static final String OTHERS_BOUND = "nimbus.slo.others.bound";

    /** How long the cluster is left alone after a step. */
    @CustomValidator(validatorClass = Check.class)
    public static final String SETTLE_SECS = "nimbus.slo.settle.secs";

    /** What may be done for a topology that misses its SLO. */
    @CustomValidator(validatorClass = Check.class)
    public static final String REMEDIES = "nimbus.slo.remedies";

    /** What happens to a topology with an SLO for which there is no room. */
    @CustomValidator(validatorClass = Check.class)
    public static final String ADMISSION = "nimbus.slo.admission";

    static final String WARN = "warn";
    static final String REFUSE = "refuse";

    private static final long MS_PER_SEC = 1_000;
    /** A step is given this many times the time to settle. */
    private static final long TIMEOUT_FACTOR = 5;

    private static final Setting<String> GOAL_SETTING = Setting.choice(GOAL, name(Goal.TOTAL),
        List.of(name(Goal.TOTAL), name(Goal.MINIMUM)), "What the `HengeScheduler` maximises: the `total` of all"
            + " utilities, or the `minimum`: the lowest utility, as a share of the topology's"
            + " maximum.");

    private static final Setting<Double> SHARE_SETTING = share(MINIMUM_SHARE, HengeConfiguration.DEFAULT.minimumShare(),
        "Every operator of a topology with an SLO keeps this share of the executors that it was first seen with.");

    private static final Setting<Double> OTHERS_SETTING = share(OTHERS_BOUND, HengeConfiguration.DEFAULT.othersBound(),
        "A step is undone if it lowers the throughput of a topology without an SLO, or the share of its input that it processes, by more"
            + " than this share of the value before the search. With 1, steps may cost such topologies anything.");

    private static final Setting<Long> SETTLE_SETTING = Setting.integer(SETTLE_SECS, HengeConfiguration.DEFAULT.settleMs() / MS_PER_SEC, 3,
        86_400, "seconds", "How long the cluster is left alone after a step before the step is judged. After five times this, a step"
            + " that is not applied or has no figures is undone, and one that has not settled is judged by its current figures.");

    private static final List<String> REMEDY_NAMES = Stream.of(RemedyKind.values()).map(HengeSettings::name).toList();

    private static final Setting<Set<RemedyKind>> REMEDIES_SETTING = new Setting<>(REMEDIES, REMEDY_NAMES, "a list of one or more of "
        + String.join(", ", REMEDY_NAMES), "What may be done for a topology that misses its SLO: more `executors` for its congested"
        + " operators; another `place` for executors that are on busy machines or slower than their siblings; and, in topologies with"
        + " `topology.tail.latency: slo`, `balancing` by latency for executors that are slower than their siblings, the adaptive"
        + " `timeout` for few late messages, and the targets of `deadlines` that spouts state where messages compete for busy machines.",
        value -> {
            if (value instanceof List<?> names && !names.isEmpty() && REMEDY_NAMES.containsAll(names)) {
                return names.stream().map(name -> RemedyKind.valueOf(name.toString().toUpperCase(Locale.ROOT)))
                    .collect(Collectors.toUnmodifiableSet());
            }
            throw new IllegalArgumentException("no remedies");
        });

    private static final Setting<String> ADMISSION_SETTING = Setting.choice(ADMISSION, WARN, List.of(WARN, REFUSE), "What Eyewall's client"
        + " does when a topology with an SLO needs more cores or memory than are free, or when the CPU load is high on all machines, other"
        + " topologies miss their SLO and no step is left to try: it warns, or refuses the topology.");

    private static final List<Setting<?>> SETTINGS = List.of(GOAL_SETTING, SHARE_SETTING, OTHERS_SETTING, SETTLE_SETTING,
        REMEDIES_SETTING, ADMISSION_SETTING);

    private final HengeConfiguration configuration;
    private final boolean refuses;

    /** The defaults. */
    public HengeSettings() {
        this(Map.of());
    }

    /**
     * The settings of a cluster.
     *
     * @throws IllegalArgumentException names the key, the value and the range
     */
    public HengeSettings(Map<String, Object> conf) {
        HengeConfiguration base = HengeConfiguration.DEFAULT;
        long settleMs = SETTLE_SETTING.of(conf) * MS_PER_SEC;
        configuration = new HengeConfiguration(Goal.valueOf(GOAL_SETTING.of(conf).toUpperCase(Locale.ROOT)), base.congestion(),
            base.improvement(), base.fall(), base.highCpu(), base.reductionShare(), SHARE_SETTING.of(conf), OTHERS_SETTING.of(conf),
            base.loadChange(), settleMs, TIMEOUT_FACTOR * settleMs, REMEDIES_SETTING.of(conf));
        refuses = ADMISSION_SETTING.of(conf).equals(REFUSE);
    }

    @Override
    public String title() {
        return "Service level objectives, for the cluster";
    }

    @Override
    public List<Setting<?>> settings() {
        return SETTINGS;
    }

    /** The settings of the state machine. */
    public HengeConfiguration configuration() {
        return configuration;
    }

    /** Whether a topology for whose SLO there is no room is refused. */
    public boolean refuses() {
        return refuses;
    }

    private static Setting<Double> share(String key, double defaultValue, String doc) {
        return new Setting<>(key, defaultValue, "a number from 0 to 1", doc, value -> {
            if (value instanceof Number number && number.doubleValue() >= 0 && number.doubleValue() <= 1) {
                return number.doubleValue();
            }
            throw new IllegalArgumentException("not in range");
        });
    }

    private static String name(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /** How Storm's validation checks these keys. */
    public static final class Check extends SettingsValidator {
        /** For Storm's validation. */
        public Check() {
            super(SETTINGS);
        }
    }
}
