package io.eyewall.elasticity.henge;

import io.eyewall.elasticity.henge.HengeState.Best;
import io.eyewall.elasticity.henge.HengeState.Pending;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Finds the topologies whose queues fill or empty while a step settles, so that their latency says nothing of the step. */
final class Drift {

    private final HengeConfiguration configuration;
    private final Observation now;
    private final SortedMap<String, Double> utilities;

    Drift(HengeConfiguration configuration, Observation now, SortedMap<String, Double> utilities) {
        this.configuration = configuration;
        this.now = now;
        this.utilities = utilities;
    }

    /**
     * The topologies whose latency says nothing of a step: they had a saturated operator before it and have one now, or what waited before
     * it has not left. So their queues, and with them their latency, grow or shrink whatever the step does. A topology that processes less
     * than before is not among them. One that the step is for and that still catches up is.
     */
    Set<String> drifting(Pending pending) {
        Set<String> drifting = new HashSet<>(now.saturated().keySet());
        drifting.retainAll(pending.saturatedBefore().keySet());
        drifting.addAll(pending.backlogs().keySet());
        drifting.removeIf(id -> !now.statuses().containsKey(id)
            || now.cluster().throughputPerSec(id) < (1 - configuration.fall()) * pending.throughputBefore(id));
        if (pending.plan().action() == Action.RECONFIGURATION) {
            pending.plan().changes().keySet().stream().filter(this::isEmptying).forEach(drifting::add);
        }
        return drifting;
    }

    /** The utilities of the best configuration, except that the latency part of drifting topologies is their present one. */
    SortedMap<String, Double> drifted(Best best, Set<String> drifting) {
        SortedMap<String, Double> drifted = new TreeMap<>(best.utilities());
        SortedMap<String, Double> steady = now.steady(utilities.keySet());
        for (String id : drifting) {
            if (drifted.containsKey(id) && utilities.containsKey(id)) {
                double gained = best.steady().containsKey(id) ? steady.getOrDefault(id, 0.0) - best.steady().get(id) : 0;
                drifted.put(id, utilities.get(id) - gained);
            }
        }
        return drifted;
    }

    /** Whether a topology that drifts processes so much more than before a step that the step has helped it. */
    boolean processesMore(String id, Pending pending) {
        return now.cluster().throughputPerSec(id) >= (1 + configuration.improvement()) * pending.throughputBefore(id);
    }

    /** Whether a topology misses its SLO, and an operator of it still processes more than it gets. */
    boolean isEmptying(String id) {
        SloStatus status = now.statuses().get(id);
        return status != null && now.isDraining(id) && !status.slo().isMet(status.values());
    }

    /** Whether a topology has the rates of all executors since a step, and has processed at least as much as waited before it. */
    boolean isWorkedOff(String id, Backlog backlog, long sinceMs) {
        return now.rates(id).unmeasuredExecutors() == 0 && backlog.isWorkedOff(now.cluster().throughputPerSec(id), sinceMs);
    }

    /** Whether there is time to measure topologies anew before a step must be judged, which takes two reports of their workers. */
    boolean canMeasureAnew(Pending pending) {
        return now.timeMs() - pending.appliedMs().getAsLong() <= configuration.timeoutMs() - 3 * configuration.settleMs();
    }

    /** Whether a topology that a reconfiguration is for empties its queues, and so takes more of the machines than it will take then. */
    boolean isEmptying(Pending pending) {
        return pending.plan().action() == Action.RECONFIGURATION && pending.plan().changes().keySet().stream()
            .anyMatch(id -> (pending.backlogs().containsKey(id) && canMeasureAnew(pending)) || now.isWorkingOff(id));
    }
}
