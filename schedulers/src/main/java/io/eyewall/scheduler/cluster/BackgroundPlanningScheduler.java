package io.eyewall.scheduler.cluster;

import io.eyewall.scheduler.rebalance.TaskKeepingScheduler;
import java.util.Map;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.DefaultScheduler;
import org.apache.storm.scheduler.IScheduler;
import org.apache.storm.scheduler.Topologies;
import org.apache.storm.scheduler.TopologyDetails;

/**
 * Storm's default scheduler, except that a subclass places some topologies first, and that most tasks of the others stay where they are in
 * a rebalance. The subclass plans in the background, on the scheduler's own thread, so that Nimbus never waits for heartbeats. Plans are
 * applied in Nimbus's next round.
 */
public abstract class BackgroundPlanningScheduler implements IScheduler {

    private final IScheduler defaultScheduler = new TaskKeepingScheduler(new DefaultScheduler());
    private final LatestRoundExecutor planning;

    private StateStorageHeartbeats heartbeats;

    /** A scheduler whose own thread has this name. */
    protected BackgroundPlanningScheduler(String threadName) {
        planning = new LatestRoundExecutor(threadName);
    }

    /**
     * Prepares the subclass. Called once, before all other methods.
     *
     * @param conf Nimbus's configuration
     * @param metrics Nimbus's metrics
     */
    protected abstract void prepare(Map<String, Object> conf, WorkerHeartbeats workerHeartbeats, StormMetricsRegistry metrics);

    /** Applies the plan for a topology, if there is one. On Nimbus's thread. */
    protected abstract void place(TopologyDetails topology, Cluster cluster);

    /** Runs one round of planning. On the scheduler's own thread. */
    protected abstract void plan(ClusterView view);

    /** Closes what the subclass has opened. Called after all other methods, on the scheduler's own thread. */
    protected void close() {
        // Not every subclass has something to close.
    }

    @Override
    public final void prepare(Map<String, Object> conf, StormMetricsRegistry metricsRegistry) {
        defaultScheduler.prepare(conf, metricsRegistry);
        heartbeats = new StateStorageHeartbeats(conf);
        prepare(conf, heartbeats, metricsRegistry);
    }

    @Override
    public final void schedule(Topologies topologies, Cluster cluster) {
        for (TopologyDetails topology : topologies) {
            place(topology, cluster);
        }
        defaultScheduler.schedule(topologies, cluster);
        planning.submit(topologies, cluster, this::plan);
    }

    @Override
    @SuppressWarnings("unchecked")
    public final Map<String, Map<String, Double>> config() {
        return defaultScheduler.config();
    }

    @Override
    public final void cleanup() {
        defaultScheduler.cleanup();
        planning.shutdown(() -> {
            heartbeats.close();
            close();
        });
    }
}
