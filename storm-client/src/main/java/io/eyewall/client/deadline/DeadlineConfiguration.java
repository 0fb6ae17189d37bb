package io.eyewall.client.deadline;

import io.eyewall.client.engine.EngineConfiguration;
import io.eyewall.client.settings.Components;
import io.eyewall.client.settings.OwnConfiguration;
import io.eyewall.client.settings.Setting;
import io.eyewall.client.settings.SettingsGroup;
import io.eyewall.client.settings.SettingsValidator;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.validation.ConfigValidationAnnotations.CustomValidator;

/** The settings of deadlines, as one topology or one of its spouts has them. */
public final class DeadlineConfiguration implements SettingsGroup {

    /** Key of the target of a spout or a topology; see {@link #targetMs()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String TARGET = "topology.deadline.target.ms";
    /** Key of {@link #othersMs()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String OTHERS = "topology.deadline.others.ms";

    /** Key of {@link #policy()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String POLICY = "topology.deadline.policy";

    /** Key of {@link #tokensPerSec()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String TOKENS = "topology.deadline.tokens.per.sec";

    private static final int HOUR_MS = 3_600_000;
    private static final int MAX_TOKENS = 100_000_000;

    private static final Setting<Long> TARGET_SETTING = Setting.integer(TARGET, 0, 0, HOUR_MS, "milliseconds",
        "How soon a message is to be processed after a spout has emitted it, or 0 for no target. Executors that share threads run in the"
            + " order of the deadlines of their tuples. For a topology, or in the configuration of a spout. Needs"
            + " `topology.executor.threads` to be `pool` or `auto`; `auto` is then `pool`.");
    private static final Setting<Long> OTHERS_SETTING = Setting.integer(OTHERS, 1_000, 1, HOUR_MS, "milliseconds",
        "The target of spouts without one, in a topology where another spout has one. An executor with their tuples waits at most about"
            + " this long for executors with earlier deadlines.");

    private static final Setting<DeadlinePolicy> POLICY_SETTING = new Setting<>(POLICY, DeadlinePolicy.LLF.word(),
        "llf, edf or sjf; for fair shares, set " + TOKENS + ", and for no deadlines, set " + TARGET + " to 0",
        "The order in which executors begin where a spout has a target. `llf`, least laxity first: by the deadline minus what the tuple"
            + " still costs. `edf`, earliest deadline first: the same without the cost of the executor's own operator. `sjf`, shortest job"
            + " first: by the cost of the operator, and not by targets. Nothing starves with `sjf` either: an executor waits for shorter"
            + " jobs at most about as long as the longest target. For the topology.", DeadlinePolicy::named);

    private static final Setting<Long> TOKENS_SETTING = Setting.integer(TOKENS, 0, 0, MAX_TOKENS, "messages per second",
        "How many messages per second of each executor of a spout have the spout's target; 0 for all. Further messages have the target of"
            + " spouts without one, so a spout that emits more than it should delays itself first.");

    private static final List<Setting<?>> SETTINGS = List.of(TARGET_SETTING, OTHERS_SETTING, POLICY_SETTING, TOKENS_SETTING);

    private final long targetMs;
    private final long othersMs;
    private final DeadlinePolicy policy;
    private final long tokensPerSec;

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
        policy = POLICY_SETTING.of(conf);
        tokensPerSec = TOKENS_SETTING.of(conf);
    }

    /** Those of a spout whose own target does not matter. */
    private DeadlineConfiguration(DeadlinePolicy policy, long longestTargetMs) {
        this.policy = policy;
        targetMs = longestTargetMs;
        othersMs = longestTargetMs;
        tokensPerSec = 0;
    }

    /**
     * The settings of the spouts of a topology, by component: their own on top of the topology's. Empty if no spout has a target. All have
     * the longest target if the topology's policy does not regard targets.
     *
     * @throws IllegalArgumentException names the key, the value and the range
     */
    public static Map<String, DeadlineConfiguration> ofSpouts(StormTopology topology, Map<String, Object> topologyConf) {
        Map<String, DeadlineConfiguration> spouts = allSpouts(topology, topologyConf);
        if (!hasTarget(spouts)) {
            return Map.of();
        }
        DeadlinePolicy policy = new DeadlineConfiguration(topologyConf).policy;
        if (!policy.regardsTargets()) {
            long longestMs = spouts.values().stream().mapToLong(DeadlineConfiguration::targetMs).max().orElseThrow();
            spouts.replaceAll((name, spout) -> new DeadlineConfiguration(policy, longestMs));
        }
        return spouts;
    }

    /**
     * What is wrong if targets or tokens of a topology would have no effect, and the remedy.
     *
     * @throws IllegalArgumentException names the key, the value and the range
     */
    static Optional<String> withoutEffect(StormTopology topology, Map<String, Object> topologyConf) {
        Map<String, DeadlineConfiguration> spouts = allSpouts(topology, topologyConf);
        if (!hasTarget(spouts)) {
            return spouts.values().stream().noneMatch(spout -> spout.tokensPerSec > 0) ? Optional.empty()
                : Optional.of(TOKENS + " has no effect, since no spout has a target: set " + TARGET + " as well.");
        }
        DeadlinePolicy policy = new DeadlineConfiguration(topologyConf).policy;
        if (!policy.regardsTargets() && spouts.values().stream().anyMatch(spout -> spout.tokensPerSec > 0)) {
            return Optional.of(TOKENS + " has no effect, since " + POLICY + " is " + policy.word() + ", which does not regard targets: set "
                + POLICY + " to " + DeadlinePolicy.LLF.word() + ", or remove " + TOKENS + ".");
        }
        Collection<EngineConfiguration> components = EngineConfiguration.ofComponents(topology, topologyConf).values();
        if (components.stream().anyMatch(component -> component.sharesThreads(true))) {
            return Optional.empty();
        }
        long shortestMs = spouts.values().stream().mapToLong(spout -> spout.targetMs).filter(target -> target > 0).min().orElseThrow();
        return Optional.of(TARGET + " is " + shortestMs + " and needs executors that share threads: " + components.stream()
            .flatMap(component -> component.remediesForOwnThreads().stream()).distinct().sorted().collect(Collectors.joining(", ")) + ".");
    }

    /**
     * Whether spouts of a topology have different targets. If not, it does not matter whether they apply.
     *
     * @throws IllegalArgumentException as {@link #ofSpouts}
     */
    public static boolean differ(StormTopology topology, Map<String, Object> topologyConf) {
        return ofSpouts(topology, topologyConf).values().stream().map(DeadlineConfiguration::targetMs).distinct().count() > 1;
    }

    @Override
    public String title() {
        return "Deadlines";
    }

    @Override
    public List<Setting<?>> settings() {
        return SETTINGS;
    }

    /** How soon a message is to be processed, in milliseconds: the spout's target, or that of spouts without one. */
    public long targetMs() {
        return targetMs > 0 ? targetMs : othersMs;
    }

    /** The target of spouts without one, in milliseconds. */
    public long othersMs() {
        return othersMs;
    }

    /** In which order executors begin. The same in the whole topology. */
    DeadlinePolicy policy() {
        return policy;
    }

    /** How many messages of an executor have the spout's target, per second; 0 for all. */
    public long tokensPerSec() {
        return targetMs > 0 ? tokensPerSec : 0;
    }

    private static Map<String, DeadlineConfiguration> allSpouts(StormTopology topology, Map<String, Object> topologyConf) {
        Map<String, DeadlineConfiguration> spouts = new HashMap<>();
        Components.spouts(topology).forEach((spout, common) ->
            spouts.put(spout, new DeadlineConfiguration(OwnConfiguration.over(topologyConf, common))));
        return spouts;
    }

    private static boolean hasTarget(Map<String, DeadlineConfiguration> spouts) {
        return spouts.values().stream().anyMatch(spout -> spout.targetMs > 0);
    }

    /** How Storm's validation checks these keys. */
    public static final class Check extends SettingsValidator {
        /** For Storm's validation. */
        public Check() {
            super(SETTINGS);
        }
    }
}
