package io.eyewall.scheduler.cluster;

import io.eyewall.elasticity.model.Slot;
import java.util.HashMap;
import java.util.Map;
import org.apache.storm.generated.BoltStats;
import org.apache.storm.generated.ClusterWorkerHeartbeat;
import org.apache.storm.generated.ExecutorInfo;
import org.apache.storm.generated.ExecutorSpecificStats;
import org.apache.storm.generated.ExecutorStats;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.SpoutStats;

/**
 * Workers of a {@link StormFixture} whose counters grow with simulated time. An executor of the source emits 1,000 tuples per second. An
 * executor of work executes and emits 400 and is always busy. An executor of the sink, which has an all grouping, executes 1,600 and is
 * busy for a tenth of the time. Half of the messages are acked, after 12.5 ms on average.
 */
public final class FakeWorkers implements WorkerHeartbeats {

    private static final String ALL_TIME = ":all-time";
    private static final double MS_PER_SEC = 1_000;
    /** Every twentieth tuple is counted, and counts as twenty. */
    private static final double EVERY = 20;

    private final StormFixture cluster;
    private final Map<Slot, Integer> startSecs = new HashMap<>();
    private final Map<Slot, ClusterWorkerHeartbeat> last = new HashMap<>();
    private int nowSecs;
    private boolean sinkKeepsUp;
    private boolean workRests;
    private boolean silent;

    /** Makes workers that all start at {@code nowSecs}. */
    public FakeWorkers(StormFixture cluster, int nowSecs) {
        this.cluster = cluster;
        this.nowSecs = nowSecs;
    }

    /** Advances the time. */
    public void sleep(int secs) {
        nowSecs += secs;
    }

    /** The time, in milliseconds. */
    public long nowMs() {
        return nowSecs * 1_000L;
    }

    /** Restarts the workers in these slots. */
    public void restart(Iterable<Slot> slots) {
        slots.forEach(slot -> startSecs.put(slot, nowSecs));
    }

    /** Lets the executors of the sink execute all that those of work emit. */
    public void letSinkKeepUp() {
        sinkKeepsUp = true;
    }

    /** Lets the executors of work execute all that those of the source emit, for a tenth of their time. */
    public void letWorkRest() {
        workRests = true;
    }

    /** Lets the workers report nothing new, or report again. */
    public void setSilent(boolean whether) {
        silent = whether;
    }

    @Override
    public ClusterWorkerHeartbeat newest(String topologyId, Slot slot) {
        if (silent && last.containsKey(slot)) {
            return last.get(slot);
        }
        int uptime = nowSecs - startSecs.computeIfAbsent(slot, first -> nowSecs);
        Map<ExecutorInfo, ExecutorStats> stats = new HashMap<>();
        cluster.placement().forEach((executor, place) -> {
            if (ClusterView.slot(place).equals(slot)) {
                stats.put(new ExecutorInfo(executor.getStartTask(), executor.getEndTask()),
                    stats(cluster.componentOf(executor.getStartTask()), uptime));
            }
        });
        ClusterWorkerHeartbeat heartbeat = new ClusterWorkerHeartbeat(topologyId, stats, nowSecs, uptime);
        last.put(slot, heartbeat);
        return heartbeat;
    }

    private long workPerSec() {
        return workRests ? 1_000 * executors("source") / executors("work") : 400;
    }

    private long sinkPerSec() {
        long working = executors("work");
        return sinkKeepsUp ? workPerSec() * 4 * working / executors("sink") : 1_600;
    }

    private long executors(String component) {
        return cluster.placement().keySet().stream()
            .filter(executor -> cluster.componentOf(executor.getStartTask()).equals(component)).count();
    }

    private ExecutorStats stats(String component, int uptimeSecs) {
        return switch (component) {
            case "source" -> new ExecutorStats(count("default", 1_000L * uptimeSecs), Map.of(),
                ExecutorSpecificStats.spout(new SpoutStats(Map.of(ALL_TIME, Map.of("default", 500L * uptimeSecs)), Map.of(),
                    Map.of(ALL_TIME, Map.of("default", 12.5)))), EVERY);
            case "work" -> new ExecutorStats(count("default", workPerSec() * uptimeSecs), Map.of(),
                bolt("source", workPerSec() * uptimeSecs, workRests ? 0.1 * uptimeSecs : uptimeSecs), EVERY);
            case "sink" -> new ExecutorStats(Map.of(ALL_TIME, Map.of()), Map.of(),
                bolt("work", sinkPerSec() * uptimeSecs, 0.1 * uptimeSecs), EVERY);
            default -> new ExecutorStats(Map.of(ALL_TIME, Map.of()), Map.of(), bolt("source", 0, 0), EVERY);
        };
    }

    private static ExecutorSpecificStats bolt(String from, long executed, double busySecs) {
        GlobalStreamId stream = new GlobalStreamId(from, "default");
        GlobalStreamId tick = new GlobalStreamId("__system", "__tick");
        double averageMs = busySecs * MS_PER_SEC / Math.max(1, executed);
        return ExecutorSpecificStats.bolt(new BoltStats(Map.of(), Map.of(), Map.of(),
            Map.of(ALL_TIME, Map.of(stream, executed, tick, 7L)), Map.of(ALL_TIME, Map.of(stream, averageMs, tick, 0.0))));
    }

    private static Map<String, Map<String, Long>> count(String stream, long count) {
        return Map.of(ALL_TIME, Map.of(stream, count, "__ack_init", count), "600", Map.of(stream, 1L));
    }
}
