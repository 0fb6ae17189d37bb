package io.eyewall.scheduler.cluster;

import io.eyewall.elasticity.measure.ExecutorCounters;
import io.eyewall.elasticity.measure.Input;
import io.eyewall.elasticity.model.ExecutorId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.BoltStats;
import org.apache.storm.generated.ClusterWorkerHeartbeat;
import org.apache.storm.generated.ExecutorInfo;
import org.apache.storm.generated.ExecutorStats;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.utils.Utils;

/** Extracts the counters of executors from a worker's heartbeat. */
public final class HeartbeatCounters {

    /** Storm's name for the counts since the start of an executor. */
    private static final String ALL_TIME = ":all-time";
    private static final long MS_PER_SEC = 1_000;

    private HeartbeatCounters() {
    }

    /**
     * The counters of the executors that have any. Times are on the clock of the worker's host. Tuples of Storm's system streams, such as
     * ticks, do not count as executed. Storm's heartbeat calls the inverse of the sampling rate an executor's {@code rate}: 20 for the
     * default {@code topology.stats.sample.rate} of 0.05.
     */
    public static List<ExecutorCounters> of(String topologyId, ClusterWorkerHeartbeat heartbeat) {
        List<ExecutorCounters> counters = new ArrayList<>();
        for (Map.Entry<ExecutorInfo, ExecutorStats> entry : heartbeat.get_executor_stats().entrySet()) {
            ExecutorStats stats = entry.getValue();
            // The heartbeat of a worker that has not started its executors yet has no counters.
            if (stats == null || !stats.is_set_specific()) {
                continue;
            }
            Map<Input, Long> executed = new HashMap<>();
            double busyMs = Double.NaN;
            if (stats.get_specific().is_set_bolt()) {
                BoltStats bolt = stats.get_specific().get_bolt();
                Map<GlobalStreamId, Double> averages = bolt.get_execute_ms_avg().getOrDefault(ALL_TIME, Map.of());
                busyMs = 0;
                for (Map.Entry<GlobalStreamId, Long> input : bolt.get_executed().getOrDefault(ALL_TIME, Map.of()).entrySet()) {
                    busyMs += input.getValue() * averages.getOrDefault(input.getKey(), 0.0);
                    if (!isSystem(input.getKey())) {
                        executed.put(new Input(input.getKey().get_componentId(), input.getKey().get_streamId()), input.getValue());
                    }
                }
            }
            ExecutorId executor = new ExecutorId(topologyId, entry.getKey().get_task_start(), entry.getKey().get_task_end());
            counters.add(new ExecutorCounters(executor, timeMs(heartbeat), heartbeat.get_uptime_secs() * MS_PER_SEC,
                stats.get_emitted().getOrDefault(ALL_TIME, Map.of()), executed, busyMs, 1 / Math.max(1, stats.get_rate())));
        }
        return counters;
    }

    /** The time of the heartbeat, in milliseconds on the clock of the worker's host, with a resolution of a second. */
    public static long timeMs(ClusterWorkerHeartbeat heartbeat) {
        return heartbeat.get_time_secs() * MS_PER_SEC;
    }

    /** The start time of the worker, in milliseconds on the clock of its host, with a resolution of a second. */
    public static long startMs(ClusterWorkerHeartbeat heartbeat) {
        return (heartbeat.get_time_secs() - heartbeat.get_uptime_secs()) * MS_PER_SEC;
    }

    private static boolean isSystem(GlobalStreamId stream) {
        return Utils.isSystemId(stream.get_componentId()) || Utils.isSystemId(stream.get_streamId());
    }
}
