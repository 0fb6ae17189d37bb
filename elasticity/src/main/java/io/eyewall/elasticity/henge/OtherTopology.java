package io.eyewall.elasticity.henge;

/**
 * What steps have cost a topology without an SLO, over all searches. What it processes changes by itself as well: that counts as its load,
 * if it happens between steps.
 *
 * @param baseline what it would do now if no step had cost it anything; its juice is the best seen
 * @param lastPerSec what its sinks processed at the last look between steps, or when the last step was kept, in tuples per second
 */
public record OtherTopology(Standing baseline, double lastPerSec) {

    /** A topology that no step has cost anything yet. */
    static OtherTopology of(Standing present) {
        return new OtherTopology(present, present.throughputPerSec());
    }

    /**
     * At a look between steps. Example: it would process 100 tuples per second, processed 90 at the last look since steps have taken a
     * tenth, and processes 45 now. Then its load has halved, and it would process 50.
     */
    OtherTopology withLoadOf(Standing present) {
        double loadPerSec = lastPerSec > 0 ? baseline.throughputPerSec() * present.throughputPerSec() / lastPerSec
            : present.throughputPerSec();
        return new OtherTopology(new Standing(loadPerSec, Math.max(baseline.juice(), present.juice())), present.throughputPerSec());
    }

    /** When a step was kept: what has changed since the last look is what the step has cost. */
    OtherTopology withCostOf(Standing present) {
        return new OtherTopology(baseline, present.throughputPerSec());
    }
}
