package io.eyewall.scheduler.stela;

import io.eyewall.scheduler.cluster.OwnThread;
import io.eyewall.scheduler.cluster.StateStorageHeartbeats;
import java.util.Map;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.nimbus.NimbusInfo;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.DefaultScheduler;
import org.apache.storm.scheduler.IScheduler;
import org.apache.storm.scheduler.Topologies;
import org.apache.storm.scheduler.TopologyDetails;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.ServerUtils;
import org.apache.storm.utils.Time;

/**
 * Storm's default placement, and on request one that grows or shrinks a topology: the module of the same name in Le Xu, Elastic techniques
 * to handle dynamism in real-time data processing systems, University of Illinois, 2021, section 2.3.2. To be named in Nimbus's
 * {@code storm.yaml} as {@code storm.scheduler}.
 *
 * <p>Nimbus takes a topology that is rebalanced to have no place. If a plan was made for it, its executors get the places of the plan:
 * those that stay are where they were. All others are for Storm's {@link DefaultScheduler}. Measuring and planning have a thread of their
 * own, so that Nimbus never waits for heartbeats or blobs.
 */
public final class ElasticityScheduler implements IScheduler {

    private final DefaultScheduler others = new DefaultScheduler();
    private final OwnThread thread = new OwnThread("elasticity");

    private StateStorageHeartbeats heartbeats;
    private BlobBoard board;
    private ScalingDesk desk;

    @Override
    public void prepare(Map<String, Object> conf, StormMetricsRegistry metricsRegistry) {
        others.prepare(conf, metricsRegistry);
        heartbeats = new StateStorageHeartbeats(conf);
        board = new BlobBoard(() -> ServerUtils.getNimbusBlobStore(conf, NimbusInfo.fromConf(conf), null));
        desk = new ScalingDesk(board, heartbeats, (topologyName, options) -> {
            try (NimbusClient nimbus = NimbusClient.Builder.withConf(conf).build()) {
                nimbus.getClient().rebalance(topologyName, options);
            }
        }, Time::currentTimeMillis);
    }

    @Override
    public void schedule(Topologies topologies, Cluster cluster) {
        for (TopologyDetails topology : topologies) {
            if (cluster.getAssignmentById(topology.getId()) == null) {
                desk.place(topology, cluster);
            }
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
        thread.end(() -> {
            heartbeats.close();
            board.close();
        });
    }
}
