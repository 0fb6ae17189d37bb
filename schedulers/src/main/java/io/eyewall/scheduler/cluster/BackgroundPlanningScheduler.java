package io.eyewall.scheduler.cluster;

import java.util.Map;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.DefaultScheduler;
import org.apache.storm.scheduler.IScheduler;
import org.apache.storm.scheduler.Topologies;
import org.apache.storm.scheduler.TopologyDetails;

/**
 * Storm's default placement, in which some topologies get another place first. What that is, is decided on a thread of the scheduler's own,
 * so that Nimbus never waits for heartbeats, and made in Nimbus's next round.
 */
public abstract class BackgroundPlanningScheduler implements IScheduler {

    private final DefaultScheduler others = new DefaultScheduler();
    private final LatestRoundExecutor thread;

    private StateStorageHeartbeats heartbeats;

    /** A scheduler whose own thread has that name. */
    protected BackgroundPlanningScheduler(String threadName) {
        thread = new LatestRoundExecutor(threadName);
    }

    /** Called before everything else. */
    protected abstract void prepare(Map<String, Object> conf, WorkerHeartbeats workerHeartbeats);

    /** Makes what was decided for a topology. On Nimbus's thread. */
    protected abstract void amend(TopologyDetails topology, Cluster cluster);

    /** One round of deciding. On the scheduler's own thread. */
    protected abstract void decide(ClusterView view);

    /** Called after everything else, on the scheduler's own thread. */
    protected void close() {
        // Most have nothing to close.
    }

    @Override
    public final void prepare(Map<String, Object> conf, StormMetricsRegistry metricsRegistry) {
        others.prepare(conf, metricsRegistry);
        heartbeats = new StateStorageHeartbeats(conf);
        prepare(conf, heartbeats);
    }

    @Override
    public final void schedule(Topologies topologies, Cluster cluster) {
        for (TopologyDetails topology : topologies) {
            amend(topology, cluster);
        }
        others.schedule(topologies, cluster);
        thread.hand(topologies, cluster, this::decide);
    }

    @Override
    public final Map<String, Map<String, Double>> config() {
        return others.config();
    }

    @Override
    public final void cleanup() {
        others.cleanup();
        thread.end(() -> {
            heartbeats.close();
            close();
        });
    }
}
