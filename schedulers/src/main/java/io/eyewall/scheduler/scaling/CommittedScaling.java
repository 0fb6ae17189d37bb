package io.eyewall.scheduler.scaling;

import io.eyewall.elasticity.measure.ClusterSnapshot;
import io.eyewall.elasticity.measure.TopologyRates;
import io.eyewall.elasticity.model.Slot;
import io.eyewall.scheduler.cluster.WorkerStartTimes;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A committed scaling of which the result is being measured. For one thread.
 *
 * <p>The throughput after it is what heartbeats say of the time since it; the interruption is what they say of workers that the topology
 * had before: how many of them started anew, and when the last one did.
 */
final class CommittedScaling {

    /** How long new places are given to settle before the throughput is believed, in milliseconds. */
    static final long SETTLE_MS = 20_000;
    /** After how long without heartbeats of all executors nothing more is waited for, in milliseconds. */
    static final long GIVE_UP_MS = 600_000;

    private static final double MS_PER_SEC = 1_000;

    private final PreparedScaling scaling;
    private final long committedMs;
    private final Map<Slot, Long> startsBefore;

    /**
     * Begins to follow a scaling.
     *
     * @param committedMs when it was committed, in milliseconds since 1970
     * @param starts when the workers that the topology had before started
     */
    CommittedScaling(PreparedScaling scaling, long committedMs, WorkerStartTimes starts) {
        this.scaling = scaling;
        this.committedMs = committedMs;
        this.startsBefore = starts.of(scaling.before().placement().values());
    }

    String topologyId() {
        return scaling.topologyId();
    }

    /** What came of it, once that is known. */
    Optional<ScalingEvent> result(ClusterSnapshot snapshot, WorkerStartTimes starts, long nowMs) {
        TopologyRates rates = snapshot.rates().get(topologyId());
        if (rates == null) {
            return Optional.of(event(nowMs, "the topology has gone before its throughput was measured"));
        }
        if (nowMs - committedMs < SETTLE_MS || rates.unmeasuredExecutors() > 0) {
            return nowMs - committedMs < GIVE_UP_MS ? Optional.empty() : Optional.of(event(nowMs, String.format(Locale.ROOT,
                "throughput %.1f/s before, not measured after: %d executors have sent no heartbeats for %d s",
                scaling.plan().throughput().measuredPerSec(), rates.unmeasuredExecutors(), GIVE_UP_MS / (long) MS_PER_SEC)));
        }
        Map<Slot, Long> restarted = starts.restarted(startsBefore);
        Set<Slot> had = new HashSet<>(scaling.before().placement().values());
        String interruption = restarted.isEmpty() ? "none of its workers restarted" : String.format(Locale.ROOT,
            "%d of %d workers restarted, the last one %.0f s after the change", restarted.size(), had.size(),
            Math.max(0, restarted.values().stream().mapToLong(Long::longValue).max().orElse(committedMs) - committedMs) / MS_PER_SEC);
        return Optional.of(event(nowMs, String.format(Locale.ROOT, "throughput %.1f/s before, %.1f/s after, %.1f/s predicted; %s",
            scaling.plan().throughput().measuredPerSec(), snapshot.throughputPerSec(topologyId()),
            scaling.plan().throughput().predictedPerSec(), interruption)));
    }

    private ScalingEvent event(long nowMs, String text) {
        return new ScalingEvent(nowMs, scaling.order().id(), scaling.order().topologyName(), scaling.order().inWords(),
            ScalingEvent.Kind.MEASURED, text);
    }
}
