package io.eyewall.client.deadline;

import io.eyewall.client.engine.EngineConfiguration;
import io.eyewall.client.settings.Components;
import io.eyewall.client.settings.OwnConfiguration;
import io.eyewall.client.settings.Setting;
import io.eyewall.client.settings.SettingsGroup;
import io.eyewall.client.settings.SettingsValidator;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.validation.ConfigValidationAnnotations.CustomValidator;

/** The settings of deadlines, as one topology or one of its spouts has them. */
public final class DeadlineConfiguration implements SettingsGroup {

    /** Key of the targets of a spout or a topology; see {@link SpoutTargets}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String TARGET = "topology.deadline.target.ms";
    /** Key of {@link #othersMs()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String OTHERS = "topology.deadline.others.ms";

    /** Key of {@link #policy()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String POLICY = "topology.deadline.policy";

    /** Key of the tokens of a spout or a topology; see {@link SpoutTargets}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String TOKENS = "topology.deadline.tokens.per.sec";

    private static final int HOUR_MS = 3_600_000;
    private static final int MAX_TOKENS = 100_000_000;

    private static final Setting<Long> NUMBER = Setting.integer(TARGET, 0, 0, HOUR_MS, "milliseconds", "The target of a stream.");
    private static final Setting<Targets> TARGET_SETTING = new Setting<>(TARGET, 0,
        NUMBER.range() + ", or a map from streams of the spout to such numbers",
        "How soon a message is to be processed after a spout has emitted it, or 0 for no target. Executors that share threads run in the"
            + " order of the deadlines of their tuples. For a topology, or in the configuration of a spout, which may have a target for"
            + " each stream: `{orders: 20, audit: 500}`. Needs `topology.executor.threads` to be `pool` or `auto`; `auto` is then `pool`.",
        Targets::parse);
    private static final Setting<Long> OTHERS_SETTING = Setting.integer(OTHERS, 30_000, 1, HOUR_MS, "milliseconds",
        "The target of spouts and streams without one, in a topology where another one has a target. An executor with their tuples waits"
            + " at most about this long for executors with earlier deadlines. Tuples that have waited for longer go before urgent ones.");

    private static final Setting<DeadlinePolicy> POLICY_SETTING = new Setting<>(POLICY, DeadlinePolicy.LLF.word(),
        "llf, edf, sjf or fair; for no deadlines, remove it and set " + TARGET + " to 0",
        "The order in which executors begin where a spout has a target. `llf`, least laxity first: by the deadline minus what the tuple"
            + " still costs. `edf`, earliest deadline first: the same without the cost of the executor's own operator. `sjf`, shortest job"
            + " first: by the cost of the operator, and not by targets. Nothing starves with `sjf` either: an executor waits for shorter"
            + " jobs at most about as long as the longest target. `fair`, fair shares: by `" + TOKENS + "`; it needs no target, and"
            + " allows none. For the topology.", DeadlinePolicy::named);

    private static final Setting<Long> TOKENS_SETTING = Setting.integer(TOKENS, 0, 0, MAX_TOKENS, "messages per second",
        "How many messages per second of each executor of a spout have the spout's target; 0 for all. Further messages have the target of"
            + " spouts without one, so a spout that emits more than it should delays itself first. With the policy `fair`, spouts that are"
            + " busy emit in the ratio of these numbers, and with 0 tokens a spout has the smallest share.");

    private static final List<Setting<?>> SETTINGS = List.of(TARGET_SETTING, OTHERS_SETTING, POLICY_SETTING, TOKENS_SETTING);

    private final Targets targets;
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
        targets = TARGET_SETTING.of(conf);
        othersMs = OTHERS_SETTING.of(conf);
        policy = POLICY_SETTING.of(conf);
        tokensPerSec = TOKENS_SETTING.of(conf);
    }

    /**
     * What the messages of each spout get, by component: the spout's own settings on top of the topology's. Empty if there are no
     * deadlines, since no spout has a target and the policy needs one. All messages have the same target if the policy does not regard
     * targets.
     *
     * @throws IllegalArgumentException names the key, the value and the range
     */
    public static Map<String, SpoutTargets> ofSpouts(StormTopology topology, Map<String, Object> topologyConf) {
        Map<String, DeadlineConfiguration> settings = allSpouts(topology, topologyConf);
        DeadlinePolicy policy = new DeadlineConfiguration(topologyConf).policy;
        if (!apply(settings, policy)) {
            return Map.of();
        }
        Map<String, SpoutTargets> spouts = new HashMap<>();
        Components.spouts(topology).forEach((spout, common) ->
            spouts.put(spout, settings.get(spout).of(Components.streams(common), policy)));
        if (policy == DeadlinePolicy.SJF) {
            long longestMs = spouts.values().stream().flatMap(SpoutTargets::all).max(Comparator.naturalOrder()).orElseThrow();
            spouts.replaceAll((name, spout) -> spout.withTarget(longestMs));
        }
        return spouts;
    }

    private static boolean apply(Map<String, DeadlineConfiguration> spouts, DeadlinePolicy policy) {
        return policy.sharesByTokens() || spouts.values().stream().anyMatch(spout -> spout.targets.areAny());
    }

    /**
     * What is wrong if settings of a topology or of a component would have no effect, and the remedy.
     *
     * @throws IllegalArgumentException names the key, the value and the range
     */
    static Optional<String> withoutEffect(StormTopology topology, Map<String, Object> topologyConf) {
        Map<String, DeadlineConfiguration> spouts = allSpouts(topology, topologyConf);
        DeadlinePolicy policy = new DeadlineConfiguration(topologyConf).policy;
        Optional<String> wrong = misplaced(topology).or(() -> unknownStream(topology, spouts))
            .or(() -> withoutEffect(spouts, policy));
        if (wrong.isPresent() || !apply(spouts, policy)) {
            return wrong;
        }
        Collection<EngineConfiguration> components = EngineConfiguration.ofComponents(topology, topologyConf).values();
        if (components.stream().anyMatch(component -> component.sharesThreads(true))) {
            return Optional.empty();
        }
        String cause = policy.sharesByTokens() ? POLICY + " is " + policy.word() : TARGET + " is " + spouts.values().stream()
            .flatMap(spout -> spout.targets.all()).filter(target -> target > 0).min(Comparator.naturalOrder()).orElseThrow();
        return Optional.of(cause + " and needs executors that share threads: " + components.stream()
            .flatMap(component -> component.remediesForOwnThreads().stream()).distinct().sorted().collect(Collectors.joining(", ")) + ".");
    }

    private static Optional<String> misplaced(StormTopology topology) {
        Set<String> spouts = Components.spouts(topology).keySet();
        return Components.of(topology).entrySet().stream().sorted(Map.Entry.comparingByKey()).flatMap(component -> {
            boolean isSpout = spouts.contains(component.getKey());
            Set<String> own = OwnConfiguration.of(component.getValue()).keySet();
            return Stream.of(POLICY, TARGET, TOKENS, OTHERS).filter(key -> own.contains(key) && (!isSpout || key.equals(POLICY)))
                .map(key -> key + " has no effect in the configuration of the " + (isSpout ? "spout" : "bolt") + " '" + component.getKey()
                    + "': set it for " + (key.equals(POLICY) ? "the topology." : "a spout, or for the topology."));
        }).findFirst();
    }

    private static Optional<String> unknownStream(StormTopology topology, Map<String, DeadlineConfiguration> spouts) {
        Map<String, Set<String>> declared = new TreeMap<>();
        Components.spouts(topology).forEach((spout, common) -> {
            for (String stream : spouts.get(spout).targets.ofStreamsMs.keySet()) {
                declared.computeIfAbsent(stream, unknown -> new TreeSet<>()).addAll(Components.streams(common));
            }
        });
        return declared.entrySet().stream().filter(stream -> !stream.getValue().contains(stream.getKey())).findFirst()
            .map(stream -> TARGET + " has a stream '" + stream.getKey() + "', which no spout with this setting declares: name one of"
                + " their streams, '" + String.join("' or '", stream.getValue()) + "'.");
    }

    private static Optional<String> withoutEffect(Map<String, DeadlineConfiguration> spouts, DeadlinePolicy policy) {
        Optional<String> withTarget =
            new TreeMap<>(spouts).entrySet().stream().filter(spout -> spout.getValue().targets.areAny()).map(Map.Entry::getKey).findFirst();
        boolean haveTokens = spouts.values().stream().anyMatch(spout -> spout.tokensPerSec > 0);
        if (policy.sharesByTokens() && withTarget.isPresent()) {
            return Optional.of(TARGET + " of the spout '" + withTarget.get() + "' has no effect, since " + POLICY + " is " + policy.word()
                + ", which does not regard targets: set " + POLICY + " to " + DeadlinePolicy.LLF.word() + ", or remove " + TARGET + ".");
        }
        if (!policy.sharesByTokens() && haveTokens && withTarget.isEmpty()) {
            return Optional.of(TOKENS + " has no effect, since no spout has a target: set " + TARGET + " as well, or " + POLICY + " to "
                + DeadlinePolicy.FAIR.word() + ".");
        }
        if (policy == DeadlinePolicy.SJF && haveTokens) {
            return Optional.of(TOKENS + " has no effect, since " + POLICY + " is " + policy.word() + ", which does not regard targets: set "
                + POLICY + " to " + DeadlinePolicy.LLF.word() + ", or remove " + TOKENS + ".");
        }
        return Optional.empty();
    }

    /**
     * Whether messages have different targets. If not, it does not matter whether they apply.
     *
     * @throws IllegalArgumentException as {@link #ofSpouts}
     */
    public static boolean differ(StormTopology topology, Map<String, Object> topologyConf) {
        return !new DeadlineConfiguration(topologyConf).policy.sharesByTokens()
            && ofSpouts(topology, topologyConf).values().stream().flatMap(SpoutTargets::all).distinct().count() > 1;
    }

    @Override
    public String title() {
        return "Deadlines";
    }

    @Override
    public List<Setting<?>> settings() {
        return SETTINGS;
    }

    /** The target of spouts and streams without one, in milliseconds. */
    public long othersMs() {
        return othersMs;
    }

    /** In which order executors begin. The same in the whole topology. */
    DeadlinePolicy policy() {
        return policy;
    }

    /** What the messages of a spout with these settings get. */
    private SpoutTargets of(Set<String> streams, DeadlinePolicy ofTopology) {
        if (ofTopology.sharesByTokens()) {
            return new SpoutTargets(targets(streams, stream -> 0), 0, tokensPerSec);
        }
        Map<String, Long> ofStreamsMs =
            targets(streams, stream -> targets.ofStreamMs(stream) > 0 ? targets.ofStreamMs(stream) : othersMs);
        return new SpoutTargets(ofStreamsMs, othersMs, targets.areAny() ? tokensPerSec : 0);
    }

    private static Map<String, Long> targets(Set<String> streams, ToLongFunction<String> ms) {
        return streams.stream().collect(Collectors.toUnmodifiableMap(Function.identity(), ms::applyAsLong));
    }

    private static Map<String, DeadlineConfiguration> allSpouts(StormTopology topology, Map<String, Object> topologyConf) {
        Map<String, DeadlineConfiguration> spouts = new HashMap<>();
        Components.spouts(topology).forEach((spout, common) ->
            spouts.put(spout, new DeadlineConfiguration(OwnConfiguration.over(topologyConf, common))));
        return spouts;
    }

    /**
     * Targets as a user writes them, 0 for none.
     *
     * @param ofAllMs that of streams without one of their own, in milliseconds
     * @param ofStreamsMs those of streams, by stream, in milliseconds
     */
    private record Targets(long ofAllMs, Map<String, Long> ofStreamsMs) {

        static Targets parse(Object value) {
            if (!(value instanceof Map<?, ?> byStream)) {
                return new Targets(NUMBER.parse(value), Map.of());
            }
            Map<String, Long> targets = new TreeMap<>();
            byStream.forEach((stream, target) -> targets.put(String.valueOf(stream), NUMBER.parse(target)));
            return new Targets(0, targets);
        }

        long ofStreamMs(String stream) {
            return ofStreamsMs.getOrDefault(stream, ofAllMs);
        }

        Stream<Long> all() {
            return Stream.concat(Stream.of(ofAllMs), ofStreamsMs.values().stream());
        }

        boolean areAny() {
            return all().anyMatch(target -> target > 0);
        }
    }

    /** How Storm's validation checks these keys. */
    public static final class Check extends SettingsValidator {
        /** For Storm's validation. */
        public Check() {
            super(SETTINGS);
        }
    }
}
