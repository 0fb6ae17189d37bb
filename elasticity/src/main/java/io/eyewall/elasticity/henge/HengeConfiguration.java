package io.eyewall.elasticity.henge;

import java.util.Set;

/**
 * The settings of the state machine.
 *
 * @param goal what the cluster is to maximise
 * @param congestion an operator is congested from this congestion on, see {@link Congestion}; above 0
 * @param improvement a reconfiguration has helped if it raised the topology's utility by this share; at least 0
 * @param fall if the cluster's utility falls by this share below the best seen, the cluster goes back to the best; from 0 to 1
 * @param highCpu the CPU load of a machine counts as high from here on; 1 if all cores are busy
 * @param reductionShare a reduction takes at most this share of an operator's executors; from 0 to 1
 * @param minimumShare every operator keeps this share of the executors that it had when it was first seen; from 0 to 1
 * @param othersBound a step is undone if a topology without an SLO then loses more than this share of throughput or juice; from 0 to 1
 * @param loadChange the load of a topology has changed if its input differs by this share; above 0
 * @param settleMs how long the cluster is left alone after a change, in milliseconds
 * @param timeoutMs a step that is not applied or has no figures after this time is undone, and one that has not settled is judged, in
 *     milliseconds
 * @param remedies what may be done for a topology that misses its SLO
 */
public record HengeConfiguration(Goal goal, double congestion, double improvement, double fall, double highCpu, double reductionShare,
        double minimumShare, double othersBound, double loadChange, long settleMs, long timeoutMs, Set<RemedyKind> remedies) {

    /** The values of the thesis and of its authors' public code, as far as they are known; see {@code design/007}. */
    public static final HengeConfiguration DEFAULT = new HengeConfiguration(Goal.TOTAL, 0.3, 0.05, 0.05, 0.9, 0.8, 0.2, 0.2, 0.25,
        60_000, 300_000, Set.of(RemedyKind.values()));

    /** Checks the ranges. */
    public HengeConfiguration {
        remedies = Set.copyOf(remedies);
        if (!(congestion > 0 && improvement >= 0 && highCpu > 0 && loadChange > 0)) {
            throw new IllegalArgumentException("congestion " + congestion + ", improvement " + improvement + ", high CPU " + highCpu
                + ", load change " + loadChange + ": must be above 0, the improvement at least 0");
        }
        for (double share : new double[] {fall, reductionShare, minimumShare, othersBound}) {
            if (!(share >= 0 && share <= 1)) {
                throw new IllegalArgumentException("fall " + fall + ", reduction share " + reductionShare + ", minimum share "
                    + minimumShare + ", bound for topologies without an SLO " + othersBound + ": must be from 0 to 1");
            }
        }
        if (settleMs < 0 || timeoutMs <= settleMs) {
            throw new IllegalArgumentException("The timeout of " + timeoutMs + " ms must be longer than the time to settle, " + settleMs
                + " ms, which must be at least 0");
        }
    }

    /** The same settings with another goal. */
    public HengeConfiguration withGoal(Goal other) {
        return new HengeConfiguration(other, congestion, improvement, fall, highCpu, reductionShare, minimumShare, othersBound, loadChange,
            settleMs, timeoutMs, remedies);
    }

    /** The same settings with other remedies. */
    public HengeConfiguration withRemedies(Set<RemedyKind> others) {
        return new HengeConfiguration(goal, congestion, improvement, fall, highCpu, reductionShare, minimumShare, othersBound, loadChange,
            settleMs, timeoutMs, others);
    }
}
