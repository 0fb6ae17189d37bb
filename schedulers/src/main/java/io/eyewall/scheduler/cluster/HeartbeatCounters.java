package io.eyewall.scheduler.cluster;

import io.eyewall.elasticity.measure.ExecutorCounters;
import io.eyewall.elasticity.model.ExecutorId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.BoltStats;
import org.apache.storm.generated.ClusterWorkerHeartbeat;
import org.apache.storm.generated.ExecutorInfo;
import org.apache.storm.generated.ExecutorStats;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.utils.Utils;

/** Takes the counters of executors out of a worker's heartbeat. */
public final class HeartbeatCounters {

    /** Under which Storm keeps what was counted since an executor started. */
    private static final String ALL_TIME = ":all-time";
    private static final long MS_PER_SEC = 1_000;

    private HeartbeatCounters() {
    }

    /**
     * The counters of the executors that have counted anything. Times are those of the worker's host. What a bolt executed of Storm's own
     * streams, such as ticks, is left out. What Storm calls the rate of an executor's counters is how many tuples each that is counted
     * stands for: 20 with its default sample rate of 0.05.
     */
    public static List<ExecutorCounters> of(String topologyId, ClusterWorkerHeartbeat heartbeat) {
        List<ExecutorCounters> counters = new ArrayList<>();
        for (Map.Entry<ExecutorInfo, ExecutorStats> entry : heartbeat.get_executor_stats().entrySet()) {
            ExecutorStats stats = entry.getValue();
            // A worker that has not started its executors yet sends a heartbeat without them.
            if (stats == null || !stats.is_set_specific()) {
                continue;
            }
            long executed = 0;
            double busyMs = Double.NaN;
            if (stats.get_specific().is_set_bolt()) {
                BoltStats bolt = stats.get_specific().get_bolt();
                Map<GlobalStreamId, Double> averages = bolt.get_execute_ms_avg().getOrDefault(ALL_TIME, Map.of());
                busyMs = 0;
                for (Map.Entry<GlobalStreamId, Long> input : bolt.get_executed().getOrDefault(ALL_TIME, Map.of()).entrySet()) {
                    busyMs += input.getValue() * averages.getOrDefault(input.getKey(), 0.0);
                    executed += isSystem(input.getKey()) ? 0 : input.getValue();
                }
            }
            ExecutorId executor = new ExecutorId(topologyId, entry.getKey().get_task_start(), entry.getKey().get_task_end());
            counters.add(new ExecutorCounters(executor, timeMs(heartbeat), heartbeat.get_uptime_secs() * MS_PER_SEC,
                stats.get_emitted().getOrDefault(ALL_TIME, Map.of()), executed, busyMs, 1 / Math.max(1, stats.get_rate())));
        }
        return counters;
    }

    /** When the heartbeat was sent, in milliseconds on the clock of the worker's host, to the second. */
    public static long timeMs(ClusterWorkerHeartbeat heartbeat) {
        return heartbeat.get_time_secs() * MS_PER_SEC;
    }

    /** When the worker started, in milliseconds on its host's clock, to the second. */
    public static long startMs(ClusterWorkerHeartbeat heartbeat) {
        return (heartbeat.get_time_secs() - heartbeat.get_uptime_secs()) * MS_PER_SEC;
    }

    private static boolean isSystem(GlobalStreamId stream) {
        return Utils.isSystemId(stream.get_componentId()) || Utils.isSystemId(stream.get_streamId());
    }
}
