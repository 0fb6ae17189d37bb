package io.eyewall.elasticity.henge;

import io.eyewall.elasticity.henge.HengeState.Attempt;
import io.eyewall.elasticity.henge.HengeState.Epoch;
import io.eyewall.elasticity.henge.HengeState.Pending;
import io.eyewall.elasticity.model.ExecutorId;
import io.eyewall.elasticity.model.Machine;
import io.eyewall.elasticity.model.PlacedTopology;
import io.eyewall.elasticity.model.Slot;
import io.eyewall.elasticity.slo.Slo;
import io.eyewall.elasticity.slo.SloMetric;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Finds what can be done about the topologies that miss their SLO. Counts the work that it does. Not thread-safe. */
final class Remedies {

    /** A latency of this percentile and above is one of few messages. */
    private static final double HIGH_PERCENTILE = 95;

    private final HengeConfiguration configuration;
    private final Observation now;
    private final SortedMap<String, PlacedTopology> topologies;
    private final SortedMap<String, Double> utilities;
    private final Map<String, Slo> slos;
    private final SortedMap<String, Set<Technique>> techniques;
    private final Map<String, SortedMap<String, Integer>> firstSeen;
    private long work;

    /**
     * For one look.
     *
     * @param techniques the techniques that are ordered on, by topology id
     * @param firstSeen the number of executors of each component when the topology was first seen, by topology id
     */
    Remedies(HengeConfiguration configuration, Observation now, SortedMap<String, PlacedTopology> topologies,
            SortedMap<String, Double> utilities, SortedMap<String, Set<Technique>> techniques,
            Map<String, SortedMap<String, Integer>> firstSeen) {
        this.configuration = configuration;
        this.now = now;
        this.topologies = topologies;
        this.utilities = utilities;
        this.slos = now.slos();
        this.techniques = remaining(techniques);
        this.firstSeen = firstSeen;
    }

    /**
     * What can be done.
     *
     * @param action the action
     * @param diagnosis what is wrong
     * @param prediction what it is expected to bring
     * @param changes the change of each topology, by its id
     */
    record Remedy(Action action, String diagnosis, String prediction, SortedMap<String, TopologyChange> changes) {
    }

    Map<String, Slo> slos() {
        return slos;
    }

    /** The techniques that are ordered on and stay so, by topology id. */
    SortedMap<String, Set<Technique>> techniques() {
        return techniques;
    }

    /** What topologies that have an SLO may have on. What topologies without slots have, they keep until they come back. */
    private SortedMap<String, Set<Technique>> remaining(SortedMap<String, Set<Technique>> ordered) {
        SortedMap<String, Set<Technique>> remaining = new TreeMap<>();
        ordered.forEach((id, some) -> {
            if (now.statuses().containsKey(id)) {
                remaining.put(id, allowed(id, some));
            } else if (now.cluster().state().topology(id).isEmpty()) {
                remaining.put(id, some);
            }
        });
        return remaining;
    }

    /** How many operators, executors and machines have been looked at. */
    long work() {
        return work;
    }

    /**
     * The cheapest remedy that the diagnosis allows. Executors that are slower than their siblings get fewer tuples, or another place. The
     * congested operators of all topologies whose machines have room get more executors or, if these are fewer than two or such a step did
     * not help before, those of the topology that needs them most. Where no operator is congested, late messages are sent once more. Where
     * machines are busy, urgent messages come first, or executors get another place.
     */
    Optional<Remedy> cheapest(Epoch epoch) {
        List<String> unmet = unmet();
        unmet.sort(Comparator.<String, Boolean>comparing(epoch.setAside()::contains)
            .thenComparing(configuration.goal().neediestFirst(utilities, slos)));
        unmet.removeIf(id -> isLeftAlone(id, epoch));
        return switching(unmet, Technique.BALANCING, epoch)
            .or(() -> relocation(unmet, true, epoch))
            .or(() -> growth(unmet.stream().filter(id -> !epoch.setAside().contains(id)).toList(), true, epoch)
                .filter(remedy -> remedy.changes().size() > 1)
                .filter(remedy -> !epoch.blacklist().contains(new Attempt(Action.RECONFIGURATION, remedy.diagnosis()))))
            .or(() -> growth(unmet, false, epoch))
            .or(() -> switching(unmet, Technique.TIMEOUT, epoch))
            .or(() -> switching(unmet, Technique.DEADLINES, epoch))
            .or(() -> relocation(unmet, false, epoch));
    }

    /** A technique for the first topology that it may help. */
    private Optional<Remedy> switching(List<String> ids, Technique technique, Epoch epoch) {
        if (!configuration.remedies().contains(technique.kind())) {
            return Optional.empty();
        }
        for (String id : ids) {
            Set<Technique> on = on(id);
            if (!now.techniques(id).possible().contains(technique) || on.contains(technique)) {
                continue;
            }
            PlacedTopology topology = topologies.get(id);
            work += topology.placement().size();
            Congestion congestion = new Congestion(topology, now.rates(id));
            List<ExecutorId> slow = technique == Technique.BALANCING ? slowAndShuffled(topology) : List.of();
            String cause = switch (technique) {
                case BALANCING -> slowSiblings(topology, slow);
                case TIMEOUT -> lateMessages(topology, congestion);
                case DEADLINES -> competition(topology);
            };
            String diagnosis = diagnosis(id, congestion) + cause;
            if (!cause.isEmpty() && !epoch.blacklist().contains(new Attempt(Action.SWITCH, diagnosis))) {
                Set<Technique> next = new TreeSet<>(on);
                next.add(technique);
                String prediction = switch (technique) {
                    case BALANCING -> "senders give less to " + names(topology, slow);
                    case TIMEOUT -> "messages that take longer than nearly all others are sent once more";
                    case DEADLINES -> "messages with a short target come first";
                };
                return Optional.of(new Remedy(Action.SWITCH, diagnosis, prediction,
                    new TreeMap<>(Map.of(id, TopologyChange.between(topology, topology.placement(), next)))));
            }
        }
        return Optional.empty();
    }

    private List<ExecutorId> slowAndShuffled(PlacedTopology topology) {
        String id = topology.graph().id();
        return SlowExecutors.of(topology, now.rates(id)).stream()
            .filter(executor -> now.techniques(id).shuffled().contains(topology.graph().componentOf(executor).id())).toList();
    }

    /** Names components only: which of their executors is slow may be chance, and another one is no reason to try the same again. */
    private static String slowSiblings(PlacedTopology topology, List<ExecutorId> slow) {
        return slow.isEmpty() ? "" : ", executors slower than their siblings: "
            + slow.stream().map(executor -> topology.graph().componentOf(executor).id()).distinct().collect(Collectors.joining(", "));
    }

    /** The diagnosis that only few messages are late and the machines can send them again; empty if that is not so. */
    private String lateMessages(PlacedTopology topology, Congestion congestion) {
        String id = topology.graph().id();
        return isLate(id) && slos.get(id).statistic().percentile() >= HIGH_PERCENTILE && congested(congestion).isEmpty()
            && !isOnBusyMachine(topology) ? lateMessages(id) : "";
    }

    /** The diagnosis that messages compete for a busy machine and some may wait; empty if that is not so. */
    private String competition(PlacedTopology topology) {
        return isLate(topology.graph().id()) && isOnBusyMachine(topology)
            ? ", its machines are busy, and its spouts have different targets" : "";
    }

    /** Whether the latency of a topology is above its threshold. */
    private boolean isLate(String id) {
        SloStatus status = now.statuses().get(id);
        Double threshold = status.slo().thresholds().get(SloMetric.LATENCY_MS);
        Double latencyMs = status.values().get(SloMetric.LATENCY_MS);
        return threshold != null && latencyMs != null && latencyMs > threshold;
    }

    private String lateMessages(String id) {
        return ", its machines are not busy and its " + slos.get(id).statistic() + " latency is too long";
    }

    /** The trial of the adaptive timeout in a topology. */
    Attempt timeout(String id) {
        return new Attempt(Action.SWITCH, diagnosis(id, List.of()) + lateMessages(id));
    }

    /** Switches the adaptive timeout off in topologies on machines that are busy now: bolts execute some messages twice with it. */
    Optional<Remedy> relief() {
        SortedMap<String, TopologyChange> changes = new TreeMap<>();
        topologies.forEach((id, topology) -> {
            if (on(id).contains(Technique.TIMEOUT) && isOnBusyMachine(topology)) {
                changes.put(id, TopologyChange.between(topology, topology.placement(), without(Technique.TIMEOUT, on(id))));
            }
        });
        return changes.isEmpty() ? Optional.empty() : Optional.of(new Remedy(Action.REVERSION, "with the adaptive timeout bolts execute"
            + " some messages twice, and machines are busy now: those of " + String.join(", ", changes.keySet()), "they have less to do",
            changes));
    }

    private static Set<Technique> without(Technique technique, Set<Technique> some) {
        return some.stream().filter(each -> each != technique).collect(Collectors.toSet());
    }

    private boolean isOnBusyMachine(PlacedTopology topology) {
        return topology.placement().values().stream()
            .anyMatch(slot -> now.cpuLoad().getOrDefault(slot.machine(), 0.0) >= configuration.highCpu());
    }

    /** The techniques that are ordered on in a topology. */
    private Set<Technique> on(String id) {
        return techniques.getOrDefault(id, Set.of());
    }

    /**
     * Another place for executors of the first topology for which there is one.
     *
     * @param ids the topologies, those that need it most first
     * @param ofSlow for executors that are slower than their siblings, not for those on busy machines
     */
    private Optional<Remedy> relocation(List<String> ids, boolean ofSlow, Epoch epoch) {
        if (!configuration.remedies().contains(RemedyKind.PLACE)) {
            return Optional.empty();
        }
        // A topology for which there is no other place leaves the draft as it is.
        ClusterDraft draft = null;
        for (String id : ids) {
            PlacedTopology topology = topologies.get(id);
            work += topology.placement().size();
            List<ExecutorId> slow = ofSlow ? SlowExecutors.of(topology, now.rates(id)) : List.of();
            boolean isCause = ofSlow ? !slow.isEmpty() : isOnBusyMachine(topology);
            String diagnosis = diagnosis(id, new Congestion(topology, now.rates(id)))
                + (ofSlow ? slowSiblings(topology, slow) : ", its machines are busy");
            if (isCause && !epoch.blacklist().contains(new Attempt(Action.RELOCATION, diagnosis))) {
                draft = draft == null ? new ClusterDraft(now, configuration.highCpu()) : draft;
                TopologyChange change = TopologyChange.between(topology, draft.relocate(topology, now.rates(id), slow), on(id));
                if (!change.isAppliedTo(topology)) {
                    work += draft.work();
                    return Optional.of(new Remedy(Action.RELOCATION, diagnosis, moves(topology, change, draft),
                        new TreeMap<>(Map.of(id, change))));
                }
            }
        }
        work += draft == null ? 0 : draft.work();
        return Optional.empty();
    }

    /** Which executors move, and what load their machines are expected to have. */
    private String moves(PlacedTopology topology, TopologyChange change, ClusterDraft draft) {
        ClusterDraft before = new ClusterDraft(now, configuration.highCpu());
        SortedMap<String, Integer> moves = new TreeMap<>();
        SortedMap<String, String> loads = new TreeMap<>();
        change.placement().forEach((executor, slot) -> {
            Slot from = topology.placement().get(executor);
            if (!from.equals(slot)) {
                moves.merge(topology.graph().componentOf(executor).id() + " from " + from.machine() + " to " + slot.machine(), 1,
                    Integer::sum);
                for (String machine : List.of(from.machine(), slot.machine())) {
                    loads.put(machine, String.format(Locale.ROOT, "%.2f -> %.2f on %s", before.load(machine), draft.load(machine),
                        machine));
                }
            }
        });
        return "executors move: " + moves.entrySet().stream().map(move -> move.getValue() + " of " + move.getKey())
            .collect(Collectors.joining(", ")) + "; CPU load " + String.join(", ", loads.values());
    }

    private static String names(PlacedTopology topology, List<ExecutorId> executors) {
        return executors.stream()
            .map(executor -> topology.graph().componentOf(executor).id() + " " + executor.firstTask() + "-" + executor.lastTask())
            .collect(Collectors.joining(", "));
    }

    /**
     * More executors for topologies.
     *
     * @param ids the topologies, those that need it most first
     * @param all for all of them whose machines have room or, if executors mostly wait and topologies have hardly any utility to lose, that
     *     have the executors with which they were first seen; not only for the first one
     */
    private Optional<Remedy> growth(List<String> ids, boolean all, Epoch epoch) {
        if (!configuration.remedies().contains(RemedyKind.EXECUTORS)) {
            return Optional.empty();
        }
        ClusterDraft draft = new ClusterDraft(now, configuration.highCpu());
        boolean nothingToLose = draft.executorsMostlyWait() && Goal.TOTAL.score(utilities, utilities.keySet(), slos)
            <= Observation.LITTLE * now.mostUtility(now.statuses().keySet());
        SortedMap<String, TopologyChange> changes = new TreeMap<>();
        List<String> diagnoses = new ArrayList<>();
        List<String> predictions = new ArrayList<>();
        for (String id : ids) {
            PlacedTopology topology = topologies.get(id);
            boolean isFirst = nothingToLose && isAsFirstSeen(topology);
            Congestion congestion = new Congestion(topology, now.rates(id), isFirst);
            String diagnosis = diagnosis(id, congestion);
            boolean isHelped = !all || isFirst || draft.hasRoom(topology.placement().values());
            int[] more = new int[congestion.executors.length];
            int sum = 0;
            for (int i = 0; i < more.length; i++) {
                work++;
                more[i] = congestion.needed(i, configuration.congestion());
                sum += more[i];
            }
            if (sum > 0 && isHelped && !epoch.blacklist().contains(new Attempt(Action.RECONFIGURATION, diagnosis))) {
                TopologyChange change = TopologyChange.between(topology, draft.grow(topology, now.rates(id), congestion, more), on(id));
                if (!change.executors().isEmpty()) {
                    changes.put(id, change);
                    diagnoses.add(diagnosis);
                    predictions.add(prediction(congestion, change));
                    if (!all) {
                        break;
                    }
                }
            }
        }
        work += draft.work();
        return changes.isEmpty() ? Optional.empty()
            : Optional.of(new Remedy(Action.RECONFIGURATION, String.join("; ", diagnoses), String.join("; ", predictions), changes));
    }

    /** Whether nobody has given a topology more executors yet. */
    private boolean isAsFirstSeen(PlacedTopology topology) {
        return TopologyChange.counts(topology.graph(), topology.placement()).equals(firstSeen.get(topology.graph().id()));
    }

    /** Whether a topology misses its SLO that a step is not for, and more executors may help it. */
    boolean isAnotherWaiting(Pending pending, Epoch epoch) {
        List<String> others = unmet();
        others.removeIf(id -> pending.plan().changes().containsKey(id) || isLeftAlone(id, epoch));
        return growth(others, false, epoch).isPresent();
    }

    /** Whether a topology empties its queues. */
    private boolean isLeftAlone(String id, Epoch epoch) {
        return now.isWorkingOff(id) || epoch.helped().containsKey(id);
    }

    /** Whether a topology that misses its SLO works off its queues. */
    boolean isAnyWorkingOff() {
        return unmet().stream().anyMatch(now::isWorkingOff);
    }

    /**
     * Fewer executors for the operators that are not congested, of topologies that meet their SLO and have got no executors in this search.
     */
    Optional<Remedy> reduction(Epoch epoch) {
        List<String> unmet = unmet();
        Set<String> busy = busyMachines();
        String diagnosis = "missing their SLO: " + String.join(", ", unmet);
        if (unmet.isEmpty() || epoch.reduced() || 2 * busy.size() <= now.cluster().state().machines().size()
                || epoch.blacklist().contains(new Attempt(Action.REDUCTION, diagnosis))) {
            return Optional.empty();
        }
        ClusterDraft draft = new ClusterDraft(now, configuration.highCpu());
        SortedMap<String, TopologyChange> changes = new TreeMap<>();
        int taken = 0;
        for (String id : utilities.keySet()) {
            SloStatus status = now.statuses().get(id);
            if (status.slo().isMet(status.values()) && !epoch.receivers().contains(id)) {
                PlacedTopology topology = topologies.get(id);
                int[] kept = kept(topology, firstSeen.getOrDefault(id, new TreeMap<>()));
                TopologyChange change = TopologyChange.between(topology, draft.shrink(topology, kept), on(id));
                if (!change.executors().isEmpty()) {
                    changes.put(id, change);
                    taken += topology.placement().size() - change.placement().size();
                }
            }
        }
        work += draft.work();
        return changes.isEmpty() ? Optional.empty() : Optional.of(new Remedy(Action.REDUCTION, diagnosis, taken + " executors of "
            + String.join(", ", changes.keySet()) + " are not needed, and " + busy.size() + " machines have a high CPU load", changes));
    }

    /** The way back to earlier placements and techniques; empty if all topologies have them. */
    Optional<Remedy> revert(SortedMap<String, SortedMap<ExecutorId, Slot>> placements, SortedMap<String, Set<Technique>> earlierTechniques,
            String why, String prediction) {
        ClusterDraft draft = new ClusterDraft(now, configuration.highCpu());
        SortedMap<String, TopologyChange> changes = new TreeMap<>();
        placements.forEach((id, earlier) -> {
            PlacedTopology topology = topologies.get(id);
            if (topology == null) {
                return;
            }
            boolean isElsewhere = configuration.remedies().contains(RemedyKind.PLACE) && !topology.placement().equals(earlier);
            boolean isOther = isElsewhere || !topology.placement().keySet().equals(earlier.keySet());
            Set<Technique> earlierOn = allowed(id, earlierTechniques.getOrDefault(id, Set.of()));
            Set<Technique> then = isOnBusyMachine(topology) ? without(Technique.TIMEOUT, earlierOn) : earlierOn;
            TopologyChange change =
                TopologyChange.between(topology, isOther ? draft.restore(topology, earlier) : topology.placement(), then);
            if (!change.isAppliedTo(topology) || !then.equals(on(id))) {
                changes.put(id, change);
            }
        });
        work += draft.work();
        return changes.isEmpty() ? Optional.empty()
            : Optional.of(new Remedy(Action.REVERSION, why, prediction, changes));
    }

    /** Those of these techniques that are allowed as remedies, and that the topology lets the scheduler switch. */
    Set<Technique> allowed(String id, Set<Technique> some) {
        return some.stream().filter(technique -> configuration.remedies().contains(technique.kind())
            && now.techniques(id).possible().contains(technique)).collect(Collectors.toSet());
    }

    /** Which topologies meet their SLO, which do not, and what stands in the way, in one line. */
    String summary(Epoch epoch) {
        List<String> unmet = unmet();
        List<String> unknown = now.statuses().keySet().stream().filter(id -> !utilities.containsKey(id)).toList();
        int met = utilities.size() - unmet.size();
        return met + " of " + now.statuses().size() + " topologies meet their SLO"
            + (unknown.isEmpty() ? "" : "; left alone, since figures are missing or old: " + String.join(", ", unknown))
            + (unmet.isEmpty() ? "" : "; nothing is left to try for " + unmet.stream()
                .map(id -> id + " (" + obstacle(id, epoch) + ")").collect(Collectors.joining(", ")));
    }

    private String obstacle(String id, Epoch epoch) {
        Congestion congestion = new Congestion(topologies.get(id), now.rates(id));
        if (!configuration.remedies().contains(RemedyKind.EXECUTORS) && !congested(congestion).isEmpty()) {
            return "more executors are not allowed";
        }
        if (epoch.blacklist().contains(new Attempt(Action.RECONFIGURATION, diagnosis(id, congestion)))) {
            return "more executors did not help";
        }
        return (congested(congestion).isEmpty() ? "no operator is congested" : "no tasks for more executors of "
            + String.join(", ", congested(congestion))) + (isOnBusyMachine(topologies.get(id)) ? "; its machines are busy" : "");
    }

    /** The topologies that miss their SLO. */
    List<String> unmet() {
        List<String> unmet = new ArrayList<>();
        for (String id : utilities.keySet()) {
            work++;
            SloStatus status = now.statuses().get(id);
            if (!status.slo().isMet(status.values())) {
                unmet.add(id);
            }
        }
        return unmet;
    }

    private Set<String> busyMachines() {
        Set<String> busy = new TreeSet<>();
        for (Machine machine : now.cluster().state().machines()) {
            work++;
            if (now.cpuLoad().getOrDefault(machine.id(), 0.0) >= configuration.highCpu()) {
                busy.add(machine.id());
            }
        }
        return busy;
    }

    /** How many executors each operator keeps in a reduction. */
    private int[] kept(PlacedTopology topology, SortedMap<String, Integer> firstSeen) {
        Congestion congestion = new Congestion(topology, now.rates(topology.graph().id()));
        int[] kept = new int[congestion.executors.length];
        for (int i = 0; i < kept.length; i++) {
            work++;
            int present = congestion.executors[i];
            int first = firstSeen.getOrDefault(topology.graph().operators().get(i).id(), present);
            int least = (int) Math.ceil(Math.max((1 - configuration.reductionShare()) * present, configuration.minimumShare() * first));
            kept[i] = Math.min(present, Math.max(least, congestion.kept(i, configuration.congestion())));
        }
        return kept;
    }

    private List<String> congested(Congestion congestion) {
        List<String> congested = new ArrayList<>();
        for (int i = 0; i < congestion.executors.length; i++) {
            if (congestion.of(i) >= configuration.congestion()) {
                congested.add(congestion.graph.operators().get(i).id());
            }
        }
        return congested;
    }

    private String diagnosis(String id, Congestion congestion) {
        return diagnosis(id, congested(congestion));
    }

    private static String diagnosis(String id, List<String> congested) {
        return id + " misses its SLO, " + (congested.isEmpty() ? "no operator is congested" : "congested: " + String.join(", ", congested));
    }

    private static String prediction(Congestion congestion, TopologyChange change) {
        return change.executors().entrySet().stream().map(entry -> {
            int operator = congestion.graph.indexOf(entry.getKey());
            return String.format(Locale.ROOT, "%s %d -> %d executors, congestion %.2f -> %.2f", entry.getKey(),
                congestion.executors[operator], entry.getValue(), congestion.of(operator), congestion.with(operator, entry.getValue()));
        }).collect(Collectors.joining(", ", "", " at the present input"));
    }
}
