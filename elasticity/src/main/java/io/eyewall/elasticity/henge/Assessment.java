package io.eyewall.elasticity.henge;

import io.eyewall.elasticity.henge.HengeState.Best;
import io.eyewall.elasticity.henge.HengeState.Epoch;
import io.eyewall.elasticity.henge.HengeState.Pending;
import io.eyewall.elasticity.model.Slot;
import io.eyewall.elasticity.slo.Slo;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Compares what a look at the cluster shows with the time before a step and with the best seen. Pure. */
final class Assessment {

    /** Two looks show the same utility if it differs by at most this share. */
    private static final double SAME = 0.025;
    /**
     * A fall of the total does not count below this share of the highest total, or if it begins below {@link Observation#LITTLE}: near
     * zero, utilities go up and down by large shares.
     */
    private static final double NEGLIGIBLE = 0.005;
    /** The steps that are for topologies that miss their SLO. */
    private static final Set<Action> HELP = Set.of(Action.RECONFIGURATION, Action.RELOCATION, Action.SWITCH);

    private final HengeConfiguration configuration;
    private final Observation now;
    private final SortedMap<String, Double> utilities;
    private final Map<String, Slo> slos;
    private final Drift drift;

    Assessment(HengeConfiguration configuration, Observation now, SortedMap<String, Double> utilities, Map<String, Slo> slos, Drift drift) {
        this.configuration = configuration;
        this.now = now;
        this.utilities = utilities;
        this.slos = slos;
        this.drift = drift;
    }

    /** What a step has cost topologies without an SLO, in one line, if that is more than the bound; else null. */
    String cost(Pending pending, Epoch epoch) {
        List<String> losers = new ArrayList<>();
        now.others().forEach((id, present) -> {
            OtherTopology known = epoch.others().get(id);
            Standing before = pending.othersBefore().get(id);
            if (known != null && before != null && present.shareOf(known.baseline()) < 1 - configuration.othersBound()
                    && present.shareOf(before) < 1) {
                losers.add(String.format(Locale.ROOT, "%s, which has no SLO, processes %.1f/s instead of %.1f/s, %.2f of its input", id,
                    present.throughputPerSec(), known.baseline().throughputPerSec(), present.juice()));
            }
        });
        return losers.isEmpty() ? null : String.join("; ", losers);
    }

    /** Whether a step can be judged: the cluster has settled, and no queues that empty make the step look harmful. */
    boolean isReady(Pending pending, Epoch epoch, Best best) {
        return isSettled(pending) && !(drift.isEmptying(pending) && hasDoneHarm(pending, epoch, best));
    }

    /**
     * Whether it is clear, before the cluster has settled, that a reconfiguration has helped all of its topologies and done no harm: they
     * process more, and no operator falls behind its input any more.
     */
    boolean hasHelpedSoon(Pending pending, Epoch epoch, Best best) {
        return pending.plan().action() == Action.RECONFIGURATION && utilities.keySet().containsAll(pending.utilitiesBefore().keySet())
            && pending.plan().changes().keySet().stream().allMatch(id ->
                pending.saturatedBefore().containsKey(id) && drift.processesMore(id, pending) && now.keepsUp(id))
            && !hasDoneHarm(pending, epoch, best);
    }

    /** Whether a step looks as if it had to be undone. */
    private boolean hasDoneHarm(Pending pending, Epoch epoch, Best best) {
        return cost(pending, epoch) != null || hasFallen(best, drift.drifting(pending));
    }

    /** Whether the utility of the cluster is too far below the best seen, apart from topologies that drift. */
    boolean hasFallen(Best best, Set<String> drifting) {
        Set<String> judged = judged(best, drifting);
        double scoreThen = score(drift.drifted(best, drifting), judged);
        double scoreNow = score(utilities, judged);
        return scoreNow < (1 - configuration.fall()) * scoreThen && scoreThen - scoreNow > NEGLIGIBLE * most(judged)
            && scoreThen > Observation.LITTLE * most(judged);
    }

    /** Whether the best configuration was so much better than the present one, by a share, that it is worth going back to. */
    boolean isWorthGoingBackTo(Best best, double share) {
        return scoreThen(best) > (1 + share) * scoreNow(best) && scoreThen(best) > Observation.LITTLE * most(common(best));
    }

    /** The highest total that topologies could have; 0 if the goal is another. */
    private double most(Set<String> ids) {
        return configuration.goal() == Goal.TOTAL ? now.mostUtility(ids) : 0;
    }

    /** The topologies whose utilities judge a step. In the minimum, a drifting topology would hide the step's effect on the others. */
    Set<String> judged(Best best, Set<String> drifting) {
        Set<String> judged = common(best);
        if (configuration.goal() == Goal.MINIMUM) {
            judged.removeAll(drifting);
        }
        return judged;
    }

    /** Whether two successive looks show the same. */
    private boolean isSettled(Pending pending) {
        if (!pending.last().keySet().containsAll(pending.utilitiesBefore().keySet())
                || pending.utilitiesBefore().keySet().stream().anyMatch(id -> !now.statuses().get(id).isCurrent())) {
            return false;
        }
        Set<String> judged = new HashSet<>(pending.utilitiesBefore().keySet());
        Set<String> drifting = drift.drifting(pending);
        drifting.retainAll(judged);
        judged.removeAll(drifting);
        boolean isOpen = drift.canMeasureAnew(pending) && pending.plan().changes().keySet().stream()
            .anyMatch(id -> pending.backlogs().containsKey(id) && !drift.processesMore(id, pending));
        double last = score(pending.last(), judged);
        return !isOpen && Math.abs(score(utilities, judged) - last) <= SAME * last
            && drifting.stream().noneMatch(id -> !now.isWorkingOff(id) && utilities.get(id) > (1 + SAME) * pending.last().get(id));
    }

    /** That a step did not help these topologies, for the log. */
    String didNotHelp(HengePlan plan, Set<String> notHelped) {
        return "; did not help" + (plan.changes().size() > 1 ? " " + String.join(", ", notHelped)
            : ", and is not repeated against this diagnosis");
    }

    /**
     * The topologies whose utility a reconfiguration did not raise by enough, and whose SLO it did not meet. A topology that still
     * works on its queues is also helped if it processes more by as much, or than it gets.
     */
    Set<String> notHelped(HengePlan plan, Pending pending, Set<String> drifting) {
        return plan.changes().keySet().stream().filter(id -> {
            if (drift.isEmptying(id) || (drifting.contains(id) && drift.processesMore(id, pending))) {
                return false;
            }
            Double before = pending.utilitiesBefore().get(id);
            SloStatus status = now.statuses().get(id);
            return before != null && !status.slo().isMet(status.values())
                && (utilities.get(id) <= before || utilities.get(id) < (1 + configuration.improvement()) * before);
        }).collect(Collectors.toCollection(TreeSet::new));
    }

    /** The score now of the topologies that have a utility now and had one then. */
    double scoreNow(Best best) {
        return score(utilities, common(best));
    }

    /** The score of the same topologies then. */
    double scoreThen(Best best) {
        return score(best.utilities(), common(best));
    }

    private Set<String> common(Best best) {
        return utilities.keySet().stream().filter(id -> best.utilities().containsKey(id)).collect(Collectors.toSet());
    }

    /** The topologies that have a utility now and had none then. */
    Set<String> added(Best best) {
        Set<String> added = new TreeSet<>(utilities.keySet());
        added.removeAll(best.utilities().keySet());
        return added;
    }

    double score(Map<String, Double> of, Set<String> ids) {
        return configuration.goal().score(of, ids, slos);
    }

    /** The utilities and the CPU load that a step begins with, in one line. */
    String beginning(HengePlan plan) {
        StringBuilder text = new StringBuilder(64);
        for (String id : plan.changes().keySet()) {
            if (utilities.containsKey(id)) {
                text.append("utility of ").append(id).append(' ').append(number(utilities.get(id))).append(figures(id)).append(", ");
            }
        }
        return text + "all " + number(score(utilities, utilities.keySet())) + load(plan);
    }

    /** The highest CPU load of the machines on which the topologies of a step are, such as {@code , CPU load 0.85}; empty if unknown. */
    private String load(HengePlan plan) {
        return now.topologies().entrySet().stream().filter(topology -> plan.changes().containsKey(topology.getKey()))
            .flatMap(topology -> topology.getValue().placement().values().stream()).map(Slot::machine)
            .filter(now.cpuLoad()::containsKey).mapToDouble(now.cpuLoad()::get).max().stream()
            .mapToObj(load -> ", CPU load " + number(load)).findFirst().orElse("");
    }

    /** The figures that a topology's utility comes from, such as {@code (latency 1721.00 of 60.00 ms)}. */
    private String figures(String id) {
        SloStatus status = now.statuses().get(id);
        return status.slo().thresholds().entrySet().stream().filter(entry -> status.values().containsKey(entry.getKey()))
            .map(entry -> (entry.getKey().title() + ' ' + number(status.values().get(entry.getKey())) + " of " + number(entry.getValue())
                + ' ' + entry.getKey().unit()).strip())
            .collect(Collectors.joining("; ", " (", ")"));
    }

    /** The utilities before a step and now, and the CPU load now, in one line. */
    String outcome(Pending pending) {
        StringBuilder text = new StringBuilder(64);
        for (String id : pending.plan().changes().keySet()) {
            if (HELP.contains(pending.plan().action()) && pending.utilitiesBefore().containsKey(id) && utilities.containsKey(id)) {
                text.append("utility of ").append(id).append(' ').append(number(pending.utilitiesBefore().get(id))).append(" -> ")
                    .append(number(utilities.get(id))).append(", ");
            }
        }
        Set<String> judged = new HashSet<>(pending.utilitiesBefore().keySet());
        judged.retainAll(utilities.keySet());
        return text + "all " + number(score(pending.utilitiesBefore(), judged)) + " -> " + number(score(utilities, judged))
            + load(pending.plan());
    }

    /** What going back to a configuration is expected to bring, by the utilities that topologies had in it, in one line. */
    String asBefore(SortedMap<String, Double> earlier) {
        return "utility of all as before: " + number(score(earlier, earlier.keySet()));
    }

    /** A utility for the log. */
    static String number(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
