package io.eyewall.scheduler.scaling;

import io.eyewall.scheduler.cluster.BackgroundPlanningScheduler;
import io.eyewall.scheduler.cluster.ClusterView;
import io.eyewall.scheduler.cluster.WorkerHeartbeats;
import java.util.Map;
import org.apache.storm.nimbus.NimbusInfo;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.DefaultScheduler;
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
 * those that stay are where they were. All others are for Storm's {@link DefaultScheduler}.
 */
public final class ElasticityScheduler extends BackgroundPlanningScheduler {

    private BlobScalingStore board;
    private ScalingCoordinator desk;

    /** For Nimbus, which makes schedulers by name. */
    public ElasticityScheduler() {
        super("elasticity");
    }

    @Override
    protected void prepare(Map<String, Object> conf, WorkerHeartbeats heartbeats) {
        board = new BlobScalingStore(() -> ServerUtils.getNimbusBlobStore(conf, NimbusInfo.fromConf(conf), null));
        desk = new ScalingCoordinator(board, heartbeats, (topologyName, options) -> {
            try (NimbusClient nimbus = NimbusClient.Builder.withConf(conf).build()) {
                nimbus.getClient().rebalance(topologyName, options);
            }
        }, Time::currentTimeMillis);
    }

    @Override
    protected void amend(TopologyDetails topology, Cluster cluster) {
        if (cluster.getAssignmentById(topology.getId()) == null) {
            desk.place(topology, cluster);
        }
    }

    @Override
    protected void decide(ClusterView view) {
        desk.work(view);
    }

    @Override
    protected void close() {
        board.close();
    }
}
