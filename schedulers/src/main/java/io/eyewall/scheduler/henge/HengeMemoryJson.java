package io.eyewall.scheduler.henge;

import io.eyewall.elasticity.henge.Action;
import io.eyewall.elasticity.henge.Backlog;
import io.eyewall.elasticity.henge.HengePlan;
import io.eyewall.elasticity.henge.HengeState;
import io.eyewall.elasticity.henge.HengeState.Attempt;
import io.eyewall.elasticity.henge.HengeState.Best;
import io.eyewall.elasticity.henge.HengeState.Epoch;
import io.eyewall.elasticity.henge.HengeState.Leftover;
import io.eyewall.elasticity.henge.HengeState.Pending;
import io.eyewall.elasticity.henge.OtherTopology;
import io.eyewall.elasticity.henge.Standing;
import io.eyewall.elasticity.henge.Technique;
import io.eyewall.elasticity.henge.TopologyChange;
import io.eyewall.elasticity.model.ExecutorId;
import io.eyewall.elasticity.model.Slot;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@link HengeMemory} as JSON. A Nimbus of another version may read it, so the names in it must not change. What a later version has added
 * is left out: fields and techniques by themselves, and with a kind of step that is not known, the whole search, which then begins anew.
 */
final class HengeMemoryJson {

    private static final Logger LOG = LoggerFactory.getLogger(HengeMemoryJson.class);

    private HengeMemoryJson() {
    }

    static byte[] toBytes(HengeMemory memory) {
        HengeState state = memory.state();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("steps", state.steps());
        json.put("converged", state.converged());
        state.epoch().ifPresent(epoch -> json.put("epoch", epoch(epoch)));
        state.pending().ifPresent(pending -> json.put("pending", pending(pending)));
        state.best().ifPresent(best -> json.put("best", best(best)));
        json.put("first-seen", state.firstSeen());
        json.put("techniques", techniques(state.techniques()));
        json.put("events", memory.events().stream().map(SloHistory::json).toList());
        json.put("changed-slos", memory.changedSlos());
        return JSONValue.toJSONString(json).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Reads what {@link #toBytes} has written.
     *
     * @throws IllegalArgumentException if it is something else
     */
    static HengeMemory of(byte[] contents) {
        try {
            Map<String, Object> json = map(JSONValue.parse(contents));
            HengeState withoutSearch = new HengeState(number(json, "steps").longValue(), Optional.empty(), Optional.empty(),
                Optional.empty(), mapped(map(json.get("first-seen")), HengeMemoryJson::counts), false,
                techniquesOf(json.get("techniques")));
            return new HengeMemory(withSearch(withoutSearch, json), mapped(map(json.get("changed-slos")), HengeMemoryJson::map),
                SloHistory.events(json.getOrDefault("events", List.of())));
        } catch (ClassCastException | NullPointerException | IllegalArgumentException e) {
            throw new IllegalArgumentException("it is no state that this version understands: " + e.getMessage(), e);
        }
    }

    /** The state with the search in the JSON; without one if this version does not understand it. */
    private static HengeState withSearch(HengeState state, Map<String, Object> json) {
        try {
            return new HengeState(state.steps(), Optional.ofNullable(json.get("epoch")).map(HengeMemoryJson::epochOf),
                Optional.ofNullable(json.get("pending")).map(HengeMemoryJson::pendingOf),
                Optional.ofNullable(json.get("best")).map(HengeMemoryJson::bestOf), state.firstSeen(), (Boolean) json.get("converged"),
                state.techniques());
        } catch (ClassCastException | NullPointerException | IllegalArgumentException e) {
            LOG.warn("The search for a better configuration begins anew, since this version does not understand its state: {}",
                e.toString());
            return state;
        }
    }

    private static Map<String, Object> epoch(Epoch epoch) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("started-ms", epoch.startedMs());
        json.put("slos", epoch.slos());
        json.put("machines", new ArrayList<>(epoch.machines()));
        json.put("inputs", epoch.inputs());
        json.put("blacklist", attempts(epoch.blacklist()));
        json.put("set-aside", new ArrayList<>(epoch.setAside()));
        json.put("receivers", new ArrayList<>(epoch.receivers()));
        json.put("reduced", epoch.reduced());
        json.put("executors", epoch.executors());
        json.put("others", mapped(epoch.others(), other -> List.of(other.baseline().throughputPerSec(), other.baseline().juice(),
            other.lastPerSec())));
        json.put("helped", mapped(epoch.helped(), one -> one.backlog()
            .map(backlog -> List.<Number>of(backlog.tuples(), backlog.throughputPerSec(), one.sinceMs())).orElse(List.of(one.sinceMs()))));
        json.put("other-inputs", epoch.otherInputs());
        return json;
    }

    private static Epoch epochOf(Object value) {
        Map<String, Object> json = map(value);
        return new Epoch(number(json, "started-ms").longValue(), mapped(map(json.get("slos")), String.class::cast),
            new TreeSet<>(texts(json.get("machines"))), numbers(json.get("inputs")), new HashSet<>(attemptsOf(json.get("blacklist"))),
            new TreeSet<>(texts(json.get("set-aside"))), new TreeSet<>(texts(json.get("receivers"))), (Boolean) json.get("reduced"),
            mapped(map(json.getOrDefault("executors", Map.of())), HengeMemoryJson::counts), othersOf(json.get("others")),
            leftoversOf(json.get("helped")), json.containsKey("other-inputs") ? numbers(json.get("other-inputs")) : new TreeMap<>());
    }

    private static Map<String, Object> pending(Pending pending) {
        Map<String, Object> json = new LinkedHashMap<>();
        HengePlan plan = pending.plan();
        json.put("step", plan.step());
        json.put("action", plan.action().name());
        json.put("diagnosis", plan.diagnosis());
        json.put("prediction", plan.prediction());
        json.put("changes", mapped(plan.changes(), change -> Map.of("executors", change.executors(), "placement",
            placement(change.placement()), "techniques", names(change.techniques()))));
        json.put("planned-ms", pending.plannedMs());
        pending.appliedMs().ifPresent(appliedMs -> json.put("applied-ms", appliedMs));
        json.put("utilities-before", pending.utilitiesBefore());
        json.put("before", mapped(pending.before(), HengeMemoryJson::placement));
        json.put("techniques-before", techniques(pending.techniquesBefore()));
        json.put("others-before", standings(pending.othersBefore()));
        json.put("saturated-before", pending.saturatedBefore());
        json.put("backlogs", mapped(pending.backlogs(), backlog -> List.of(backlog.tuples(), backlog.throughputPerSec())));
        json.put("last", pending.last());
        return json;
    }

    private static Pending pendingOf(Object value) {
        Map<String, Object> json = map(value);
        SortedMap<String, TopologyChange> changes = new TreeMap<>();
        map(json.get("changes")).forEach((id, change) -> changes.put(id,
            new TopologyChange(counts(map(change).get("executors")), placementOf(id, map(change).get("placement")),
                namesOf(map(change).get("techniques")))));
        HengePlan plan = new HengePlan(number(json, "step").longValue(), Action.valueOf((String) json.get("action")),
            (String) json.get("diagnosis"), (String) json.get("prediction"), changes);
        return new Pending(plan, number(json, "planned-ms").longValue(),
            json.containsKey("applied-ms") ? OptionalLong.of(number(json, "applied-ms").longValue()) : OptionalLong.empty(),
            numbers(json.get("utilities-before")), placementsOf(json.get("before")), techniquesOf(json.get("techniques-before")),
            standingsOf(json.get("others-before")), numbersOrNone(json.get("saturated-before")), backlogsOf(json.get("backlogs")),
            numbers(json.get("last")));
    }

    private static Map<String, Object> best(Best best) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("utilities", best.utilities());
        json.put("steady", best.steady());
        json.put("placements", mapped(best.placements(), HengeMemoryJson::placement));
        json.put("techniques", techniques(best.techniques()));
        json.put("since", attempts(best.since()));
        return json;
    }

    private static Best bestOf(Object value) {
        Map<String, Object> json = map(value);
        return new Best(numbers(json.get("utilities")), numbersOrNone(json.get("steady")), placementsOf(json.get("placements")),
            techniquesOf(json.get("techniques")), attemptsOf(json.get("since")));
    }

    /** The techniques of each topology. */
    private static Map<String, List<String>> techniques(SortedMap<String, Set<Technique>> techniques) {
        return mapped(techniques, HengeMemoryJson::names);
    }

    /** The same back; none if an earlier version wrote the state. */
    private static SortedMap<String, Set<Technique>> techniquesOf(Object json) {
        return json == null ? new TreeMap<>() : mapped(map(json), HengeMemoryJson::namesOf);
    }

    private static List<String> names(Set<Technique> techniques) {
        return techniques.stream().map(Technique::name).sorted().toList();
    }

    /** The techniques with these names that this version knows. */
    private static Set<Technique> namesOf(Object json) {
        List<String> names = json == null ? List.of() : texts(json);
        return Stream.of(Technique.values()).filter(technique -> names.contains(technique.name())).collect(Collectors.toSet());
    }

    private static List<Object> attempts(Collection<Attempt> attempts) {
        List<Object> json = new ArrayList<>();
        attempts.forEach(attempt -> json.add(List.of(attempt.action().name(), attempt.diagnosis())));
        return json;
    }

    private static List<Attempt> attemptsOf(Object json) {
        List<Attempt> attempts = new ArrayList<>();
        for (Object each : (List<?>) json) {
            List<String> parts = texts(each);
            attempts.add(new Attempt(Action.valueOf(parts.get(0)), parts.get(1)));
        }
        return attempts;
    }

    /** Each executor of a topology: its first and last task, the machine and the port. */
    private static List<Object> placement(SortedMap<ExecutorId, Slot> placement) {
        List<Object> json = new ArrayList<>();
        placement.forEach((executor, slot) ->
            json.add(List.of(executor.firstTask(), executor.lastTask(), slot.machine(), slot.port())));
        return json;
    }

    private static SortedMap<ExecutorId, Slot> placementOf(String topologyId, Object json) {
        SortedMap<ExecutorId, Slot> placement = new TreeMap<>();
        for (Object each : (List<?>) json) {
            List<?> parts = (List<?>) each;
            placement.put(new ExecutorId(topologyId, ((Number) parts.get(0)).intValue(), ((Number) parts.get(1)).intValue()),
                new Slot((String) parts.get(2), ((Number) parts.get(3)).intValue()));
        }
        return placement;
    }

    private static SortedMap<String, SortedMap<ExecutorId, Slot>> placementsOf(Object json) {
        SortedMap<String, SortedMap<ExecutorId, Slot>> placements = new TreeMap<>();
        map(json).forEach((id, placement) -> placements.put(id, placementOf(id, placement)));
        return placements;
    }

    /** Each topology's throughput and juice. */
    private static Map<String, List<Double>> standings(SortedMap<String, Standing> standings) {
        return mapped(standings, standing -> List.of(standing.throughputPerSec(), standing.juice()));
    }

    /** The same back; none if an earlier version wrote the state. */
    private static SortedMap<String, Standing> standingsOf(Object json) {
        return json == null ? new TreeMap<>() : mapped(map(json), value -> {
            List<?> parts = (List<?>) value;
            return new Standing(((Number) parts.get(0)).doubleValue(), ((Number) parts.get(1)).doubleValue());
        });
    }

    /** What steps have cost each topology; an earlier version did not write the last throughput. */
    private static SortedMap<String, OtherTopology> othersOf(Object json) {
        return json == null ? new TreeMap<>() : mapped(map(json), value -> {
            List<?> parts = (List<?>) value;
            double throughputPerSec = ((Number) parts.get(0)).doubleValue();
            return new OtherTopology(new Standing(throughputPerSec, ((Number) parts.get(1)).doubleValue()),
                parts.size() > 2 ? ((Number) parts.get(2)).doubleValue() : throughputPerSec);
        });
    }

    /** Each topology's waiting tuples and throughput; none if an earlier version wrote the state. */
    private static SortedMap<String, Backlog> backlogsOf(Object json) {
        return json == null ? new TreeMap<>() : mapped(map(json), HengeMemoryJson::backlogOf);
    }

    private static Backlog backlogOf(Object json) {
        List<?> parts = (List<?>) json;
        return new Backlog(((Number) parts.get(0)).doubleValue(), ((Number) parts.get(1)).doubleValue());
    }

    /** Each topology's waiting tuples and throughput, if they are known, and since when; none if an earlier version wrote the state. */
    private static SortedMap<String, Leftover> leftoversOf(Object json) {
        return json == null ? new TreeMap<>() : mapped(map(json), value -> {
            List<?> parts = (List<?>) value;
            long sinceMs = ((Number) parts.get(parts.size() - 1)).longValue();
            return new Leftover(parts.size() == 1 ? Optional.empty() : Optional.of(backlogOf(parts)), sinceMs);
        });
    }

    private static SortedMap<String, Integer> counts(Object json) {
        return mapped(map(json), count -> ((Number) count).intValue());
    }

    /** None if an earlier version wrote the state. */
    private static SortedMap<String, Double> numbersOrNone(Object json) {
        return json == null ? new TreeMap<>() : numbers(json);
    }

    private static SortedMap<String, Double> numbers(Object json) {
        return mapped(map(json), number -> ((Number) number).doubleValue());
    }

    private static List<String> texts(Object json) {
        return ((List<?>) json).stream().map(String.class::cast).toList();
    }

    private static Number number(Map<String, Object> json, String name) {
        return (Number) json.get(name);
    }

    private static <T, R> SortedMap<String, R> mapped(Map<String, T> from, Function<T, R> to) {
        SortedMap<String, R> mapped = new TreeMap<>();
        from.forEach((key, value) -> mapped.put(key, to.apply(value)));
        return mapped;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object json) {
        return (Map<String, Object>) json;
    }
}
