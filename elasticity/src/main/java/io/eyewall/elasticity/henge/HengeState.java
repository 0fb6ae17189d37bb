package io.eyewall.elasticity.henge;

import io.eyewall.elasticity.model.ExecutorId;
import io.eyewall.elasticity.model.Slot;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the state machine remembers from one look at the cluster to the next. Immutable.
 *
 * @param steps how many steps have been planned
 * @param epoch what the present search is about; empty before the first look
 * @param pending the step that is being applied or settles, if any
 * @param best the best configuration seen in this search, if any
 * @param firstSeen the number of executors of each component when the topology was first seen, by topology id
 * @param converged whether the search has ended
 * @param techniques the techniques that are ordered on, by topology id; without topologies in which none is
 */
public record HengeState(long steps, Optional<Epoch> epoch, Optional<Pending> pending, Optional<Best> best,
        Map<String, SortedMap<String, Integer>> firstSeen, boolean converged, SortedMap<String, Set<Technique>> techniques) {

    /** The state before the first look. */
    public static final HengeState START =
        new HengeState(0, Optional.empty(), Optional.empty(), Optional.empty(), Map.of(), false, new TreeMap<>());

    /** Copies the maps. */
    public HengeState {
        firstSeen = Map.copyOf(firstSeen);
        techniques = techniquesOn(techniques);
    }

    HengeState with(Optional<Pending> nextPending) {
        return new HengeState(steps, epoch, nextPending, best, firstSeen, converged, techniques);
    }

    HengeState with(Epoch nextEpoch) {
        return new HengeState(steps, Optional.of(nextEpoch), pending, best, firstSeen, converged, techniques);
    }

    HengeState withBest(Best nextBest) {
        return new HengeState(steps, epoch, pending, Optional.of(nextBest), firstSeen, converged, techniques);
    }

    HengeState withTechniques(SortedMap<String, Set<Technique>> nextTechniques) {
        return new HengeState(steps, epoch, pending, best, firstSeen, converged, nextTechniques);
    }

    HengeState withConverged(boolean isConverged) {
        return new HengeState(steps, epoch, pending, best, firstSeen, isConverged, techniques);
    }

    /** The state without what it knows of topologies that are gone for good; others that have no slots are remembered. */
    public HengeState retain(Set<String> topologyIds) {
        Map<String, SortedMap<String, Integer>> kept = new HashMap<>(firstSeen);
        kept.keySet().retainAll(topologyIds);
        SortedMap<String, Set<Technique>> on = new TreeMap<>(techniques);
        on.keySet().retainAll(topologyIds);
        return new HengeState(steps, epoch, pending, best, kept, converged, on);
    }

    /** The state with a step that has just been planned. */
    HengeState planned(Pending step) {
        SortedMap<String, Set<Technique>> on = new TreeMap<>(techniques);
        step.plan.changes().forEach((id, change) -> on.put(id, change.techniques()));
        return new HengeState(step.plan.step(), epoch, Optional.of(step), best, firstSeen, false, on);
    }

    /** A copy without topologies that have none. */
    private static SortedMap<String, Set<Technique>> techniquesOn(SortedMap<String, Set<Technique>> techniques) {
        SortedMap<String, Set<Technique>> on = new TreeMap<>();
        techniques.forEach((id, some) -> {
            if (!some.isEmpty()) {
                on.put(id, Set.copyOf(some));
            }
        });
        return Collections.unmodifiableSortedMap(on);
    }

    /**
     * A search for a better configuration. Its results hold as long as the topologies, the machines and the load are the same.
     *
     * @param startedMs when it began
     * @param slos the SLOs of all topologies as text, by topology id; an empty text for a topology without an SLO
     * @param machines the ids of the machines
     * @param inputs the inputs ({@link Observation#inputs}) when the search began or a step was last judged
     * @param blacklist the actions that did not help, with what they were to help against
     * @param setAside the topologies whose utility did not rise after their last reconfiguration
     * @param receivers the topologies that got executors: they are not reduced
     * @param reduced whether nothing has helped since the last reduction
     * @param executors the number of executors of each component at the last look without a step under way, by topology id
     * @param others what steps have cost the topologies without an SLO, by topology id
     * @param helped the topologies that a step has helped before all that waited in them had left, by topology id
     * @param otherInputs the inputs of all other topologies ({@link Observation#otherInputs}) when the search ended, if an SLO was missed
     *     then; else empty
     */
    public record Epoch(long startedMs, SortedMap<String, String> slos, Set<String> machines, SortedMap<String, Double> inputs,
            Set<Attempt> blacklist, Set<String> setAside, Set<String> receivers, boolean reduced,
            SortedMap<String, SortedMap<String, Integer>> executors, SortedMap<String, OtherTopology> others,
            SortedMap<String, Leftover> helped, SortedMap<String, Double> otherInputs) {

        /** Copies the sets. */
        public Epoch {
            machines = Set.copyOf(machines);
            blacklist = Set.copyOf(blacklist);
            setAside = Set.copyOf(setAside);
            receivers = Set.copyOf(receivers);
        }

        Epoch withInputs(SortedMap<String, Double> nextInputs) {
            return new Epoch(startedMs, slos, machines, nextInputs, blacklist, setAside, receivers, reduced, executors, others, helped,
                otherInputs);
        }

        Epoch withBlacklist(Set<Attempt> nextBlacklist) {
            return new Epoch(startedMs, slos, machines, inputs, nextBlacklist, setAside, receivers, reduced, executors, others, helped,
                otherInputs);
        }

        Epoch withTopologies(Set<String> nextSetAside, Set<String> nextReceivers, boolean isReduced) {
            return new Epoch(startedMs, slos, machines, inputs, blacklist, nextSetAside, nextReceivers, isReduced,
                executors, others, helped, otherInputs);
        }

        Epoch withExecutors(SortedMap<String, SortedMap<String, Integer>> nextExecutors) {
            return new Epoch(startedMs, slos, machines, inputs, blacklist, setAside, receivers, reduced, nextExecutors, others, helped,
                otherInputs);
        }

        Epoch withOthers(SortedMap<String, OtherTopology> nextOthers) {
            return new Epoch(startedMs, slos, machines, inputs, blacklist, setAside, receivers, reduced, executors, nextOthers, helped,
                otherInputs);
        }

        Epoch withHelped(SortedMap<String, Leftover> nextHelped) {
            return new Epoch(startedMs, slos, machines, inputs, blacklist, setAside, receivers, reduced, executors, others, nextHelped,
                otherInputs);
        }

        Epoch withOtherInputs(SortedMap<String, Double> nextOtherInputs) {
            return new Epoch(startedMs, slos, machines, inputs, blacklist, setAside, receivers, reduced, executors, others, helped,
                nextOtherInputs);
        }
    }

    /**
     * What has not left a topology when a step for it was judged.
     *
     * @param backlog what waited before the step; empty if more waits than was estimated then
     * @param sinceMs when the step was applied
     */
    public record Leftover(Optional<Backlog> backlog, long sinceMs) {
    }

    /**
     * An action and what it is to help against.
     *
     * @param action the action
     * @param diagnosis what was wrong; it names the topology if the action is for one
     */
    public record Attempt(Action action, String diagnosis) {
    }

    /**
     * A step that is under way.
     *
     * @param plan the plan
     * @param plannedMs when it was made
     * @param appliedMs when the cluster was first seen with the plan's executors; empty before
     * @param utilitiesBefore the utilities before the step, by topology id
     * @param before the placements before the step of the topologies that it changes
     * @param techniquesBefore the techniques that were ordered on before the step, by topology id
     * @param othersBefore how the topologies without an SLO did before the step, by topology id
     * @param saturatedBefore the throughput of the topologies that had a saturated operator before the step, in tuples per second, by
     *     topology id
     * @param backlogs what waited before the step, by the id of each topology in which not all of it has left since, or that still drains
     * @param last the utilities at the last look since {@code appliedMs}; empty before
     */
    public record Pending(HengePlan plan, long plannedMs, OptionalLong appliedMs, SortedMap<String, Double> utilitiesBefore,
            SortedMap<String, SortedMap<ExecutorId, Slot>> before, SortedMap<String, Set<Technique>> techniquesBefore,
            SortedMap<String, Standing> othersBefore, SortedMap<String, Double> saturatedBefore, SortedMap<String, Backlog> backlogs,
            SortedMap<String, Double> last) {

        Pending applied(long timeMs) {
            return new Pending(plan, plannedMs, OptionalLong.of(timeMs), utilitiesBefore, before, techniquesBefore, othersBefore,
                saturatedBefore, backlogs, last);
        }

        Pending seen(SortedMap<String, Double> utilities) {
            return new Pending(plan, plannedMs, appliedMs, utilitiesBefore, before, techniquesBefore, othersBefore, saturatedBefore,
                backlogs, utilities);
        }

        /** What the sinks of a topology that was saturated or had a backlog processed before the step, in tuples per second. */
        double throughputBefore(String topologyId) {
            Backlog backlog = backlogs.get(topologyId);
            return backlog != null ? backlog.throughputPerSec() : saturatedBefore.get(topologyId);
        }

        Pending withBacklogs(SortedMap<String, Backlog> left) {
            return new Pending(plan, plannedMs, appliedMs, utilitiesBefore, before, techniquesBefore, othersBefore, saturatedBefore,
                left, last);
        }

        /** Whether the step gives a topology other executors or another place. If not, it applies wherever the executors are. */
        public boolean moves(String topologyId) {
            return !plan.changes().get(topologyId).placement().equals(before.get(topologyId));
        }

        /** Whether all that the step does is to switch a technique on. */
        boolean onlySwitchesOn(Technique technique) {
            return plan.action() == Action.SWITCH && plan.changes().entrySet().stream().allMatch(change -> {
                Set<Technique> then = new HashSet<>(techniquesBefore.getOrDefault(change.getKey(), Set.of()));
                then.add(technique);
                return then.equals(change.getValue().techniques());
            });
        }

        /** Whether the step switches a technique of a topology. */
        public boolean switches(String topologyId) {
            return !techniquesBefore.getOrDefault(topologyId, Set.of()).equals(plan.changes().get(topologyId).techniques());
        }
    }

    /**
     * A configuration and what it was worth.
     *
     * @param utilities the utilities, by topology id
     * @param steady the part of the utilities that does not come from a latency, by topology id; without topologies that have no such part
     * @param placements the placements of the topologies that have an SLO
     * @param techniques the techniques that were ordered on, by topology id
     * @param since the steps that have been kept since
     */
    public record Best(SortedMap<String, Double> utilities, SortedMap<String, Double> steady,
            SortedMap<String, SortedMap<ExecutorId, Slot>> placements, SortedMap<String, Set<Technique>> techniques, List<Attempt> since) {

        /** Copies the list. */
        public Best {
            since = List.copyOf(since);
        }
    }
}
