package io.eyewall.scheduler.balanced;

import io.eyewall.scheduler.cluster.BackgroundPlanningScheduler;
import io.eyewall.scheduler.cluster.ClusterView;
import io.eyewall.scheduler.cluster.WorkerHeartbeats;
import java.util.Map;
import org.apache.storm.DaemonConfig;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.TopologyDetails;
import org.apache.storm.utils.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Storm's default placement, for topologies that balance load by latency: an executor that stays slow although it gets hardly any traffic
 * is moved to another machine. To be named in Nimbus's {@code storm.yaml} as {@code storm.scheduler}, with {@link BalancedByDefault}.
 */
public final class LatencyBalancedScheduler extends BackgroundPlanningScheduler {

    private static final Logger LOG = LoggerFactory.getLogger(LatencyBalancedScheduler.class);

    private MoveCoordinator desk;

    /** For Nimbus, which makes schedulers by name. */
    public LatencyBalancedScheduler() {
        super("latency-balanced");
    }

    @Override
    protected void prepare(Map<String, Object> conf, WorkerHeartbeats heartbeats) {
        desk = new MoveCoordinator(heartbeats, Time::currentTimeMillis);
        if (!BalancedByDefault.class.getName().equals(conf.get(DaemonConfig.NIMBUS_TOPOLOGY_VALIDATOR))) {
            LOG.warn("Topologies balance load by latency only where they say so themselves: a scheduler cannot. To have all do it that say"
                + " nothing of it, set {}: {}", DaemonConfig.NIMBUS_TOPOLOGY_VALIDATOR, BalancedByDefault.class.getName());
        }
    }

    @Override
    protected void amend(TopologyDetails topology, Cluster cluster) {
        desk.move(topology, cluster);
    }

    @Override
    protected void decide(ClusterView view) {
        desk.work(view);
    }
}
