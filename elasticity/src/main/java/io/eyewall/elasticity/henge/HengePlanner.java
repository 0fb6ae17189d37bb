package io.eyewall.elasticity.henge;

import io.eyewall.elasticity.henge.HengeState.Attempt;
import io.eyewall.elasticity.henge.HengeState.Best;
import io.eyewall.elasticity.henge.HengeState.Epoch;
import io.eyewall.elasticity.henge.HengeState.Leftover;
import io.eyewall.elasticity.henge.HengeState.Pending;
import io.eyewall.elasticity.model.ExecutorId;
import io.eyewall.elasticity.model.Machine;
import io.eyewall.elasticity.model.PlacedTopology;
import io.eyewall.elasticity.model.Slot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The adaptation state machine of Henge. Each call of {@link #step} is one look at the cluster. Pure: the same state and observation give
 * the same step.
 *
 * <p>A search goes through these states. <em>Reconfiguration</em>: the topologies that miss their SLO and whose machines have room get
 * executors for their congested operators, all in one step. If there is hardly any utility to lose and executors wait for most of the time
 * that they are busy, topologies need no room for their first step. Where there is no room, or after such a step had to be undone, they are
 * helped one by one, the one that needs it most (see {@link Goal}) first. Topologies that the last reconfiguration did not help come after
 * the others. <em>Switch</em>: a technique is switched on in the running workers of a topology that misses its SLO, and off again if it
 * does not help: load balancing before anything else is tried, if executors are slower than their siblings; the adaptive timeout if no
 * reconfiguration is left, for a high percentile of the latency on machines that are not busy. <em>Relocation</em>: executors of such a
 * topology leave a machine on which they are slower than their siblings, before reconfigurations are tried, or busy machines, if none is
 * left; once for each diagnosis.
 * The adaptive timeout is switched off again where machines get busy later, and is then not tried again in the same search.
 * <em>Reduction</em>: if no reconfiguration is left and the CPU load is high on most machines, topologies that meet their SLO give up
 * executors that they do not need. <em>Reversion</em>: if the utility of the cluster has fallen by {@link HengeConfiguration#fall} below
 * the best seen, all topologies go back to the configuration that had it; the steps since are not repeated. The search ends when nothing is
 * left to try. If it then has seen a better configuration than the present one, it goes back to that first. <em>Reconvergence</em>: a new
 * search begins when topologies, SLOs or machines come or go, when the load changes and, after the end, when the utility falls or when
 * figures become known that were missing. It also begins when somebody else gives a topology other executors, even in the middle of a step.
 * When it begins after the end of another, the topologies that miss their SLO are measured anew first.
 *
 * <p>After each step the cluster is left alone for {@link HengeConfiguration#settleMs}, and then until two successive looks show about the
 * same utility, for {@link HengeConfiguration#timeoutMs} at most: where the load never rests, a step is judged by what is seen then. A
 * step that is not applied by then, or whose figures are missing, is undone. An action that did not help against a diagnosis is not
 * repeated for it in the same search (Floratou et al., Dhalion: self-regulating stream processing in Heron, VLDB 2017).
 *
 * <p>A topology with a saturated operator has the latency of its queues, which grow or shrink by themselves. While it stays so, a step is
 * judged without its latency, and a step for it by the gain in throughput. A topology that works off its queues is left alone, and no step
 * waits for it. The same holds for a topology in which tuples waited before the step (see {@link Backlog}). They have left when as many
 * have been processed and no operator processes clearly more than it gets any longer. The verdict on a step for it waits until they have
 * left; then it is measured anew. If they take so long that there is no time left to do so before {@link HengeConfiguration#timeoutMs},
 * nothing waits for them. While a topology empties its queues, it also takes more of the machines than it needs. So a step that looks
 * harmful is not judged before they are empty, or that time is over. While other topologies wait for help, a step for topologies that now
 * clearly process more is kept as soon as that is measured; they are left alone until what waited in them has left.
 *
 * <p>A topology whose figures are missing has no utility. It is neither helped nor reduced, and the others are judged without it.
 *
 * <p>A step is also undone if a topology without an SLO has then lost {@link HengeConfiguration#othersBound} of what it processed when the
 * search began, or of its best juice in the search, and if part of that loss came with this step.
 */
public final class HengePlanner {

    /** A configuration is better than another if its score exceeds the other's by this share. */
    private static final double BETTER = 0.002;
    /** What waits before a step counts if it takes this share of the time to settle: the 99th percentile hardly shows a shorter time. */
    private static final double MIN_BACKLOG = 0.01;
    /** A search begins after so many times the time to settle, also if figures are missing. */
    private static final int PATIENCE = 2;

    private final HengeConfiguration configuration;

    /** A planner with these settings. */
    public HengePlanner(HengeConfiguration configuration) {
        this.configuration = configuration;
    }

    /**
     * Looks at the cluster once.
     *
     * @param state the state that the last step returned, {@link HengeState#START} at first
     * @param now the cluster; later than the last observation
     */
    public HengeStep step(HengeState state, Observation now) {
        return new Look(state, now).step();
    }

    /** One look at the cluster: the state as it changes, and what goes to the log. */
    private final class Look {

        private final Observation now;
        private final SortedMap<String, PlacedTopology> topologies;
        private final SortedMap<String, Double> utilities;
        private final Remedies remedies;
        private final Drift drift;
        private final Assessment assessment;
        private final List<HengeEvent> events = new ArrayList<>();
        private final Set<String> measuredAnew = new HashSet<>();
        private HengeState state;

        Look(HengeState before, Observation now) {
            this.now = now;
            this.topologies = now.topologies();
            this.utilities = now.utilities();
            this.remedies = new Remedies(configuration, now, topologies, utilities, before.techniques(), before.firstSeen());
            this.state = before.withTechniques(remedies.techniques());
            this.drift = new Drift(configuration, now, utilities);
            this.assessment = new Assessment(configuration, now, utilities, remedies.slos(), drift);
        }

        HengeStep step() {
            String change = Changes.ofCluster(state.epoch(), now);
            Set<String> rebalanced = Changes.ofExecutors(state, topologies);
            if (change != null || !rebalanced.isEmpty()) {
                reconverge(change != null ? change : "somebody else changed the executors of " + String.join(", ", rebalanced), rebalanced);
            } else if (state.pending().isPresent()) {
                follow(state.pending().get());
            } else if (now.timeMs() - epoch().startedMs() >= (isComplete() ? 1 : PATIENCE) * configuration.settleMs()) {
                choose();
            }
            if (state.pending().filter(pending -> pending.plannedMs() < now.timeMs()).isEmpty()) {
                SortedMap<String, SortedMap<String, Integer>> executors = new TreeMap<>();
                topologies.forEach((id, topology) -> executors.put(id, TopologyChange.counts(topology.graph(), topology.placement())));
                state = state.with(epoch().withExecutors(executors));
            }
            Optional<HengePlan> plan = state.pending().filter(pending -> pending.appliedMs().isEmpty()).map(Pending::plan);
            return new HengeStep(state, plan, measuredAnew, events, remedies.work());
        }

        /** Whether all figures that a search needs at its start are known. Topologies that are measured together can be helped together. */
        private boolean isComplete() {
            return state.best().isPresent() || utilities.keySet().containsAll(now.statuses().keySet());
        }

        private Epoch epoch() {
            return state.epoch().orElseThrow();
        }

        private void reconverge(String why) {
            reconverge(why, Set.of());
        }

        /** Begins a new search; of these topologies, the executors that they have now are the first. */
        private void reconverge(String why, Set<String> rebalanced) {
            SortedMap<String, Set<Technique>> kept = state.techniques();
            if (state.pending().isPresent()) {
                Pending pending = state.pending().get();
                boolean isKnown = pending.utilitiesBefore().keySet().stream().anyMatch(id -> utilities.containsKey(id));
                log(pending.plan().step(), HengeEvent.Kind.NOT_JUDGED, isKnown ? why + "; " + assessment.outcome(pending) : why);
                if (pending.plan().action() == Action.SWITCH) { // It is off until the new search tries it again.
                    kept = pending.techniquesBefore();
                    measuredAnew.addAll(pending.plan().changes().keySet());
                }
            }
            log(0, HengeEvent.Kind.RECONVERGENCE, why);
            Set<String> machines = now.cluster().state().machines().stream().map(Machine::id).collect(Collectors.toSet());
            Map<String, SortedMap<String, Integer>> firstSeen = new HashMap<>(state.firstSeen());
            firstSeen.keySet().removeAll(rebalanced);
            topologies.forEach((id, topology) ->
                firstSeen.computeIfAbsent(id, unseen -> TopologyChange.counts(topology.graph(), topology.placement())));
            state = new HengeState(state.steps(), Optional.of(new Epoch(now.timeMs(), Changes.slos(now), machines, now.inputs(), Set.of(),
                Set.of(), Set.of(), false, new TreeMap<>(), state.epoch().map(Epoch::others).orElse(new TreeMap<>()), new TreeMap<>(),
                new TreeMap<>())), Optional.empty(), Optional.empty(), firstSeen, false, kept);
        }

        /** Notes how the topologies without an SLO do between steps. */
        private void noteOthers() {
            SortedMap<String, OtherTopology> others = new TreeMap<>(epoch().others());
            others.keySet().retainAll(epoch().slos().keySet());
            others.keySet().removeAll(now.statuses().keySet());
            now.others().forEach((id, present) ->
                others.merge(id, OtherTopology.of(present), (known, unknown) -> known.withLoadOf(present)));
            state = state.with(epoch().withOthers(others));
        }

        /** Notes what a step that is kept has cost the topologies without an SLO. */
        private void noteCosts() {
            SortedMap<String, OtherTopology> others = new TreeMap<>(epoch().others());
            now.others().forEach((id, present) -> others.computeIfPresent(id, (same, known) -> known.withCostOf(present)));
            state = state.with(epoch().withOthers(others));
        }

        /** Follows a step until it can be judged. */
        private void follow(Pending pending) {
            if (pending.appliedMs().isEmpty()) {
                Set<String> changed = pending.plan().changes().keySet();
                if (changed.stream().allMatch(id -> isApplied(pending, id))) {
                    state = state.with(Optional.of(pending.applied(now.timeMs())));
                    boolean isSwitch = changed.stream().anyMatch(pending::switches);
                    log(pending.plan().step(), HengeEvent.Kind.APPLIED,
                        changed.stream().anyMatch(pending::moves) ? "the cluster has the new executors" : "the workers have switched");
                    if (isSwitch) {
                        // There may have been no rebalance after which everything is measured anew anyway.
                        now.cluster().state().topologies().forEach(topology -> measuredAnew.add(topology.graph().id()));
                    }
                } else if (now.timeMs() - pending.plannedMs() > configuration.timeoutMs()) {
                    log(pending.plan().step(), HengeEvent.Kind.ABORTED, "not applied within " + configuration.timeoutMs() + " ms");
                    undo(pending);
                }
                return;
            }
            long waitedMs = now.timeMs() - pending.appliedMs().getAsLong();
            if (assessment.hasHelpedSoon(pending, epoch(), state.best().orElseThrow()) && remedies.isAnotherWaiting(pending, epoch())) {
                judge(pending, false);
                return;
            }
            if (drift.canMeasureAnew(pending) && workOff(pending, waitedMs)) {
                return;
            }
            if (waitedMs < configuration.settleMs()) {
                return;
            }
            boolean late = waitedMs > configuration.timeoutMs();
            boolean complete = utilities.keySet().containsAll(pending.utilitiesBefore().keySet());
            if (complete && (late || assessment.isReady(pending, epoch(), state.best().orElseThrow()))) {
                judge(pending, true);
            } else if (late) {
                log(pending.plan().step(), HengeEvent.Kind.REJECTED,
                    "not settled within " + configuration.timeoutMs() + " ms: figures are missing");
                undo(pending);
            } else {
                state = state.with(Optional.of(pending.seen(complete ? utilities : new TreeMap<>())));
            }
        }

        /** Whether a topology has what a step gives it. */
        private boolean isApplied(Pending pending, String id) {
            TopologyChange change = pending.plan().changes().get(id);
            Set<Technique> then = remedies.allowed(id, change.techniques());
            return (!pending.moves(id) || change.isAppliedTo(topologies.get(id)))
                && (!pending.switches(id) || now.techniques(id).inEffect().filter(then::equals).isPresent());
        }

        /**
         * Measures those topologies of a step anew that have processed as many tuples as waited before it; returns whether there are any.
         * One that got executors and still drains is measured anew at the next look, too: more tuples came while its workers started.
         */
        private boolean workOff(Pending pending, long waitedMs) {
            SortedMap<String, Backlog> left = new TreeMap<>(pending.backlogs());
            pending.backlogs().forEach((id, backlog) -> {
                if (pending.plan().changes().containsKey(id) && drift.isWorkedOff(id, backlog, waitedMs)) {
                    measuredAnew.add(id);
                    if (pending.plan().action() != Action.RECONFIGURATION || !now.isDraining(id)) {
                        left.remove(id);
                    }
                }
            });
            state = state.with(Optional.of(pending.withBacklogs(left)));
            return !measuredAnew.isEmpty();
        }

        /** Brings the topologies of a step back to where they were before it, and blacklists the step. */
        private void undo(Pending pending) {
            blacklist(List.of(new Attempt(pending.plan().action(), pending.plan().diagnosis())));
            setAsideTogether(pending.plan());
            state = state.with(Optional.empty());
            if (pending.plan().action() != Action.REVERSION) {
                SortedMap<String, SortedMap<ExecutorId, Slot>> before = new TreeMap<>(pending.before());
                // What Storm has moved meanwhile, for example away from a dead machine, stays where it is.
                before.replaceAll((id, placement) -> pending.moves(id) ? placement : topologies.get(id).placement());
                plan(remedies.revert(before, pending.techniquesBefore(), "step " + pending.plan().step() + " is undone",
                    assessment.asBefore(pending.utilitiesBefore())));
            }
        }

        private void judge(Pending pending, boolean isSettled) {
            HengePlan plan = pending.plan();
            state = state.with(Optional.empty());
            SortedMap<String, Double> inputs = epoch().inputs();
            state = state.with(epoch().withInputs(now.inputs()));
            String outcome = assessment.outcome(pending);
            if (plan.action() == Action.REVERSION) {
                log(plan.step(), HengeEvent.Kind.KEPT, outcome);
                state = state.withBest(present());
                return;
            }
            String cost = assessment.cost(pending, epoch());
            if (cost != null) {
                log(plan.step(), HengeEvent.Kind.REJECTED, outcome + "; " + cost);
                undo(pending);
                return;
            }
            judge(pending, isSettled, outcome, inputs);
        }

        /** Judges a step of which topologies without an SLO do not suffer, by the utilities and the inputs before it. */
        private void judge(Pending pending, boolean isSettled, String outcome, SortedMap<String, Double> inputs) {
            HengePlan plan = pending.plan();
            Attempt attempt = new Attempt(plan.action(), plan.diagnosis());
            Best best = state.best().orElseThrow();
            List<Attempt> since = new ArrayList<>(best.since());
            since.add(attempt);
            Set<String> drifting = drift.drifting(pending);
            SortedMap<String, Double> then = drift.drifted(best, drifting);
            Set<String> judged = assessment.judged(best, drifting);
            double scoreNow = assessment.score(utilities, judged);
            double scoreThen = assessment.score(then, judged);
            boolean fell = assessment.hasFallen(best, drifting);
            Set<String> notHelped = plan.action() == Action.REDUCTION ? Set.of() : assessment.notHelped(plan, pending, drifting);
            boolean helped = notHelped.isEmpty();
            boolean isGood = helped && !fell;
            String load = Changes.ofLoad(inputs, now.inputs(), configuration.loadChange(), plan.changes().keySet());
            // A step can lower the input of others, by taking machines from them, but it cannot raise it.
            String risen = Changes.ofRisenLoad(inputs, now.inputs(), configuration.loadChange(), plan.changes().keySet());
            // With the adaptive timeout a spout emits no less. With other steps back-pressure may hold it back less, or more.
            String ownLoad = !pending.onlySwitchesOn(Technique.TIMEOUT) ? null
                : Changes.ofOwnLoad(inputs, now.inputs(), configuration.loadChange(), plan.changes().keySet(), isGood);
            if (fell && risen == null && ownLoad == null) {
                log(plan.step(), HengeEvent.Kind.REJECTED, outcome + "; the best seen is " + Assessment.number(scoreThen));
                if (plan.action() == Action.SWITCH && best.since().isEmpty()) {
                    undo(pending);
                    return;
                }
                blacklist(since);
                setAsideTogether(plan);
                revertTo(best, "the utility fell below the best seen");
                return;
            }
            if (load != null || ownLoad != null) {
                state = state.with(Optional.of(pending));
                reconverge(ownLoad != null ? ownLoad : fell ? risen : load);
                if (ownLoad != null && !isGood) {
                    // That more comes can be due to what is sent again. Then another trial would end the same way.
                    blacklist(List.of(attempt));
                }
                return;
            }
            if (plan.action() == Action.SWITCH && !helped) {
                log(plan.step(), HengeEvent.Kind.REJECTED, outcome + assessment.didNotHelp(plan, notHelped));
                undo(pending);
                return;
            }
            log(plan.step(), HengeEvent.Kind.KEPT, outcome + (helped ? "" : assessment.didNotHelp(plan, notHelped)));
            leaveAlone(pending, isSettled, notHelped);
            noteCosts();
            learn(plan, attempt, notHelped);
            boolean better = scoreNow > (1 + BETTER) * scoreThen || (isSettled && helped && drifting.containsAll(plan.changes().keySet()));
            state = state.withBest(better ? present() : new Best(then, best.steady(), best.placements(), best.techniques(), since));
        }

        /** Leaves the topologies alone that a step has helped before what waited in them has left, until it has. */
        private void leaveAlone(Pending pending, boolean isSettled, Set<String> notHelped) {
            SortedMap<String, Leftover> helped = new TreeMap<>(epoch().helped());
            long sinceMs = pending.appliedMs().getAsLong();
            for (String id : pending.plan().changes().keySet()) {
                if (isSettled && drift.isEmptying(id)) {
                    helped.put(id, new Leftover(Optional.empty(), sinceMs));
                    measuredAnew.add(id); // Whether it still catches up is seen best in what comes from now on.
                } else if (!isSettled && pending.backlogs().containsKey(id) && !notHelped.contains(id)) {
                    helped.put(id, new Leftover(Optional.of(pending.backlogs().get(id)), sinceMs));
                }
            }
            state = state.with(epoch().withHelped(helped));
        }

        private void learn(HengePlan plan, Attempt attempt, Set<String> notHelped) {
            Set<String> setAside = new TreeSet<>(epoch().setAside());
            Set<String> receivers = new TreeSet<>(epoch().receivers());
            if (plan.action() == Action.REDUCTION) {
                // Machines have room again: what did not help may help now.
                state = state.with(epoch().withBlacklist(Set.of()).withTopologies(Set.of(), receivers, true));
                return;
            }
            if (plan.action() == Action.RELOCATION || plan.action() == Action.SWITCH) {
                // One place is as good as another for the same diagnosis: no topology is to move to and fro, nor to be switched so.
                blacklist(List.of(attempt));
                state = state.with(epoch().withTopologies(setAside, receivers, epoch().reduced() && !notHelped.isEmpty()));
                return;
            }
            receivers.addAll(plan.changes().keySet());
            setAside.removeAll(plan.changes().keySet());
            setAside.addAll(notHelped);
            if (notHelped.containsAll(plan.changes().keySet())) {
                blacklist(List.of(attempt));
            }
            state = state.with(epoch().withTopologies(setAside, receivers, epoch().reduced() && !notHelped.isEmpty()));
        }

        /** From now on the topologies of a step that did harm are helped one by one, if it was for several. */
        private void setAsideTogether(HengePlan plan) {
            if (plan.action() == Action.RECONFIGURATION && plan.changes().size() > 1) {
                Set<String> setAside = new TreeSet<>(epoch().setAside());
                setAside.addAll(plan.changes().keySet());
                state = state.with(epoch().withTopologies(setAside, epoch().receivers(), epoch().reduced()));
            }
        }

        /** Forgets the topologies that have worked off what waited before a step, to measure them anew, or that have had their time. */
        private void workOffHelped() {
            SortedMap<String, Leftover> left = new TreeMap<>(epoch().helped());
            left.entrySet().removeIf(entry -> {
                long sinceMs = now.timeMs() - entry.getValue().sinceMs();
                boolean isEmpty = utilities.containsKey(entry.getKey()) && !now.isDraining(entry.getKey())
                    && entry.getValue().backlog().map(backlog -> drift.isWorkedOff(entry.getKey(), backlog, sinceMs)).orElse(true);
                if (isEmpty) {
                    measuredAnew.add(entry.getKey());
                }
                return isEmpty || sinceMs > configuration.timeoutMs();
            });
            state = state.with(epoch().withHelped(left));
        }

        /** Chooses the next step. */
        private void choose() {
            workOffHelped();
            if (!measuredAnew.isEmpty()) {
                return;
            }
            if (utilities.isEmpty() && state.best().isPresent()) {
                return; // No figures any more, as for a while after another process took over: the search is not over.
            }
            if (state.best().isEmpty()) {
                state = state.with(epoch().withInputs(now.inputs())).withBest(present());
            } else if (state.converged()) {
                String change = Changes.ofLoad(epoch().inputs(), now.inputs(), configuration.loadChange(), Set.of());
                change = change != null ? change
                    : Changes.ofLoad(epoch().otherInputs(), now.otherInputs(), configuration.loadChange(), Set.of());
                Best best = state.best().get();
                if (change == null && !assessment.added(best).isEmpty()) {
                    change = "figures that were missing are known: " + String.join(", ", assessment.added(best));
                }
                if (change == null && assessment.hasFallen(best, Set.of())) {
                    change = "the utility fell from " + Assessment.number(assessment.scoreThen(best)) + " to "
                        + Assessment.number(assessment.scoreNow(best));
                }
                if (change != null) {
                    reconverge(change);
                    measuredAnew.addAll(remedies.unmet()); // Most of their window is older than the change.
                    return;
                }
            }
            Optional<Remedies.Remedy> relief = remedies.relief();
            if (relief.isPresent()) {
                // If it were tried again when they are less busy, it could go on and off for ever.
                blacklist(relief.get().changes().keySet().stream().map(remedies::timeout).toList());
                plan(relief);
                return;
            }
            if (state.converged()) {
                return;
            }
            noteOthers();
            Best best = state.best().orElseThrow();
            Optional<Remedies.Remedy> remedy = remedies.cheapest(epoch())
                .or(() -> remedies.reduction(epoch()));
            if (remedy.isPresent()) {
                plan(remedy);
            } else if (remedies.isAnyWorkingOff() || !epoch().helped().isEmpty()) {
                return; // Its figures are those of its queues. It is looked at again when they are empty.
            } else if (assessment.isWorthGoingBackTo(best, BETTER)) {
                blacklist(best.since());
                revertTo(best, "nothing is left to try, and an earlier configuration was better");
            } else {
                log(0, HengeEvent.Kind.CONVERGED, remedies.summary(epoch()));
                SortedMap<String, Double> otherInputs = remedies.unmet().isEmpty() ? new TreeMap<>() : now.otherInputs();
                state = state.with(epoch().withOtherInputs(otherInputs)).withBest(present()).withConverged(true);
            }
        }

        private void revertTo(Best best, String why) {
            plan(remedies.revert(best.placements(), best.techniques(), why, assessment.asBefore(best.utilities())));
            if (state.pending().isEmpty()) {
                // The executors and techniques are the same, so something else has changed: the best is out of date.
                state = state.withBest(present());
            }
        }

        private void plan(Optional<Remedies.Remedy> remedy) {
            remedy.ifPresent(found -> {
                HengePlan plan = new HengePlan(state.steps() + 1, found.action(), found.diagnosis(), found.prediction(), found.changes());
                SortedMap<String, SortedMap<ExecutorId, Slot>> before = new TreeMap<>();
                plan.changes().keySet().forEach(id -> before.put(id, topologies.get(id).placement()));
                state = state.planned(new Pending(plan, now.timeMs(), OptionalLong.empty(), utilities, before, state.techniques(),
                    now.others(), now.saturated(), now.backlogs(MIN_BACKLOG * configuration.settleMs()), new TreeMap<>()));
                log(plan.step(), HengeEvent.Kind.PLANNED,
                    plan.action() + ": " + plan.diagnosis() + "; " + assessment.beginning(plan) + "; " + plan.prediction());
            });
        }

        private void blacklist(List<Attempt> attempts) {
            Set<Attempt> all = new HashSet<>(epoch().blacklist());
            all.addAll(attempts);
            state = state.with(epoch().withBlacklist(all));
        }

        private Best present() {
            SortedMap<String, SortedMap<ExecutorId, Slot>> placements = new TreeMap<>();
            topologies.forEach((id, topology) -> placements.put(id, topology.placement()));
            return new Best(utilities, now.steady(utilities.keySet()), placements, state.techniques(), List.of());
        }

        private void log(long step, HengeEvent.Kind kind, String text) {
            events.add(new HengeEvent(now.timeMs(), step, kind, text));
        }
    }
}
