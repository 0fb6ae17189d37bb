package io.eyewall.scheduler.balanced;

import io.eyewall.scheduler.cluster.BackgroundPlanningScheduler;
import io.eyewall.scheduler.cluster.ClusterView;
import io.eyewall.scheduler.cluster.WorkerHeartbeats;
import java.util.Map;
import org.apache.storm.DaemonConfig;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.TopologyDetails;
import org.apache.storm.utils.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Storm's default scheduler, which also moves stragglers of topologies that balance load by latency: an executor that stays slow although
 * it gets hardly any traffic goes to another machine. Set {@code storm.scheduler} in Nimbus's {@code storm.yaml} to this class to use it,
 * together with {@link BalancedByDefault}.
 */
public final class LatencyBalancedScheduler extends BackgroundPlanningScheduler {

    private static final Logger LOG = LoggerFactory.getLogger(LatencyBalancedScheduler.class);

    private MoveCoordinator coordinator;

    /** For Nimbus, which makes its scheduler by class name. */
    public LatencyBalancedScheduler() {
        super("latency-balanced");
    }

    @Override
    protected void prepare(Map<String, Object> conf, WorkerHeartbeats heartbeats, StormMetricsRegistry metrics) {
        coordinator = new MoveCoordinator(heartbeats, Time::currentTimeMillis);
        if (!BalancedByDefault.class.getName().equals(conf.get(DaemonConfig.NIMBUS_TOPOLOGY_VALIDATOR))) {
            LOG.warn("Only topologies that set topology.latency.balancing themselves balance load by latency. To turn it on for all that do"
                + " not set it, add to storm.yaml: {}: {}", DaemonConfig.NIMBUS_TOPOLOGY_VALIDATOR, BalancedByDefault.class.getName());
        }
    }

    @Override
    protected void place(TopologyDetails topology, Cluster cluster) {
        coordinator.move(topology, cluster);
    }

    @Override
    protected void plan(ClusterView view) {
        coordinator.runRound(view);
    }
}
