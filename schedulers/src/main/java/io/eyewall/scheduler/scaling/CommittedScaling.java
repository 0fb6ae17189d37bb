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
 * A committed scaling whose result is being measured. Not thread-safe.
 *
 * <p>The throughput after the change comes from the heartbeats since the change. The interruption is the number of the topology's previous
 * workers that have restarted since the change, and the time of the last restart; both come from heartbeats, too.
 */
final class CommittedScaling {

    /** How long to wait after the change before the throughput is measured, in milliseconds: queues have to empty or fill first. */
    static final long SETTLE_MS = 20_000;
    /** How long to wait for heartbeats of all executors, in milliseconds. */
    static final long GIVE_UP_MS = 600_000;

    private static final double MS_PER_SEC = 1_000;

    private final PreparedScaling scaling;
    private final long committedMs;
    private final Map<Slot, Long> startsBefore;

    /**
     * Starts to observe a scaling.
     *
     * @param committedMs the time of the commit, in milliseconds since 1970
     * @param starts the start times of all workers, as known now
     */
    CommittedScaling(PreparedScaling scaling, long committedMs, WorkerStartTimes starts) {
        this.scaling = scaling;
        this.committedMs = committedMs;
        this.startsBefore = starts.of(scaling.before().placement().values());
    }

    String topologyId() {
        return scaling.topologyId();
    }

    /** The result as an event, as soon as it is known. */
    Optional<ScalingEvent> result(ClusterSnapshot snapshot, WorkerStartTimes starts, long nowMs) {
        TopologyRates rates = snapshot.rates().get(topologyId());
        if (rates == null) {
            return Optional.of(event(nowMs, "the topology ended before its throughput was measured"));
        }
        if (nowMs - committedMs < SETTLE_MS || rates.unmeasuredExecutors() > 0) {
            return nowMs - committedMs < GIVE_UP_MS ? Optional.empty() : Optional.of(event(nowMs, String.format(Locale.ROOT,
                "throughput %.1f/s before, not measured after: no heartbeats of %d executors for %d s",
                scaling.plan().throughput().measuredPerSec(), rates.unmeasuredExecutors(), GIVE_UP_MS / (long) MS_PER_SEC)));
        }
        Map<Slot, Long> restarted = starts.restarted(startsBefore);
        Set<Slot> slotsBefore = new HashSet<>(scaling.before().placement().values());
        String interruption = restarted.isEmpty() ? "none of its workers restarted" : String.format(Locale.ROOT,
            "%d of %d workers restarted, the last one %.0f s after the change", restarted.size(), slotsBefore.size(),
            Math.max(0, restarted.values().stream().mapToLong(Long::longValue).max().orElse(committedMs) - committedMs) / MS_PER_SEC);
        return Optional.of(event(nowMs, String.format(Locale.ROOT, "throughput %.1f/s before, %.1f/s after, %.1f/s predicted; %s",
            scaling.plan().throughput().measuredPerSec(), snapshot.throughputPerSec(topologyId()),
            scaling.plan().throughput().predictedPerSec(), interruption)));
    }

    private ScalingEvent event(long nowMs, String text) {
        return new ScalingEvent(nowMs, scaling.request().id(), scaling.request().topologyName(),
            scaling.request().description(), ScalingEvent.Kind.MEASURED, text);
    }
}
