package io.eyewall.scheduler.drain;

import io.eyewall.scheduler.cluster.BackgroundPlanningScheduler;
import io.eyewall.scheduler.cluster.StormBlobs;
import java.util.Map;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.DefaultScheduler;
import org.apache.storm.scheduler.EvenScheduler;
import org.apache.storm.scheduler.IScheduler;
import org.apache.storm.scheduler.Topologies;
import org.apache.storm.utils.Time;

/**
 * Wraps Nimbus's scheduler: hides the slots of Supervisors that are to be emptied from it, and moves the workers there away. It needs a
 * scheduler that leaves executors where they are, since another one would move executors back or move them again.
 */
public final class DrainingScheduler implements IScheduler {

    private final IScheduler scheduler;
    private final String obstacle;
    private StormBlobs blobs;
    private StoredSupervisorStates states;
    private DrainCoordinator coordinator;

    /**
     * Wraps a scheduler, which is not prepared yet.
     *
     * @param obstacle why requests are refused, as {@link #obstacle} says; null if they are not
     */
    public DrainingScheduler(IScheduler scheduler, String obstacle) {
        this.scheduler = scheduler;
        this.obstacle = obstacle;
    }

    @Override
    public void prepare(Map<String, Object> conf, StormMetricsRegistry metricsRegistry) {
        scheduler.prepare(conf, metricsRegistry);
        blobs = StormBlobs.ofNimbus(conf);
        states = new StoredSupervisorStates(conf);
        coordinator = new DrainCoordinator(blobs, states, obstacle, Time::currentTimeMillis);
    }

    @Override
    public void schedule(Topologies topologies, Cluster cluster) {
        coordinator.runRound(cluster);
        scheduler.schedule(topologies, cluster);
    }

    @Override
    @SuppressWarnings("unchecked")
    public Map<String, Map<String, Double>> config() {
        return scheduler.config();
    }

    @Override
    public void cleanup() {
        scheduler.cleanup();
        blobs.close();
        states.close();
    }

    @Override
    public void nodeAssignmentSent(String node, boolean successful) {
        scheduler.nodeAssignmentSent(node, successful);
    }

    /** Why Supervisors cannot be emptied with the scheduler of {@code storm.scheduler}; null if they can. */
    public static String obstacle(IScheduler scheduler) {
        boolean leavesExecutors = scheduler instanceof DefaultScheduler || scheduler instanceof EvenScheduler
            || scheduler instanceof BackgroundPlanningScheduler;
        return leavesExecutors ? null : "The cluster's storm.scheduler is " + scheduler.getClass().getName()
            + ", which places executors by rules of its own. Supervisors can be drained with Storm's default scheduler and with those of "
            + "Eyewall";
    }
}
