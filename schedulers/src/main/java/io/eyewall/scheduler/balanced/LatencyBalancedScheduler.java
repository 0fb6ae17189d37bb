package io.eyewall.scheduler.balanced;

import io.eyewall.scheduler.cluster.OwnThread;
import io.eyewall.scheduler.cluster.StateStorageHeartbeats;
import java.util.Map;
import org.apache.storm.DaemonConfig;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.DefaultScheduler;
import org.apache.storm.scheduler.IScheduler;
import org.apache.storm.scheduler.Topologies;
import org.apache.storm.scheduler.TopologyDetails;
import org.apache.storm.utils.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Storm's default placement, for topologies that balance load by latency: an executor that stays slow although it gets hardly any traffic
 * is moved to another machine. To be named in Nimbus's {@code storm.yaml} as {@code storm.scheduler}, with {@link BalancedByDefault}.
 *
 * <p>Moves are decided on a thread of its own, from heartbeats, and made in Nimbus's next round.
 */
public final class LatencyBalancedScheduler implements IScheduler {

    private static final Logger LOG = LoggerFactory.getLogger(LatencyBalancedScheduler.class);

    private final DefaultScheduler others = new DefaultScheduler();
    private final OwnThread thread = new OwnThread("latency-balanced");

    private StateStorageHeartbeats heartbeats;
    private MoveDesk desk;

    @Override
    public void prepare(Map<String, Object> conf, StormMetricsRegistry metricsRegistry) {
        others.prepare(conf, metricsRegistry);
        heartbeats = new StateStorageHeartbeats(conf);
        desk = new MoveDesk(heartbeats, Time::currentTimeMillis);
        if (!BalancedByDefault.class.getName().equals(conf.get(DaemonConfig.NIMBUS_TOPOLOGY_VALIDATOR))) {
            LOG.warn("Topologies balance load by latency only where they say so themselves: a scheduler cannot. To have all do it that say"
                + " nothing of it, set {}: {}", DaemonConfig.NIMBUS_TOPOLOGY_VALIDATOR, BalancedByDefault.class.getName());
        }
    }

    @Override
    public void schedule(Topologies topologies, Cluster cluster) {
        for (TopologyDetails topology : topologies) {
            desk.move(topology, cluster);
        }
        others.schedule(topologies, cluster);
        thread.hand(topologies, cluster, desk::work);
    }

    @Override
    public Map<String, Map<String, Double>> config() {
        return others.config();
    }

    @Override
    public void cleanup() {
        others.cleanup();
        thread.end(heartbeats::close);
    }
}
