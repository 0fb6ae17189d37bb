package io.eyewall.scheduler.scaling;

import io.eyewall.scheduler.cluster.BackgroundPlanningScheduler;
import io.eyewall.scheduler.cluster.ClusterView;
import io.eyewall.scheduler.cluster.Rebalancer;
import io.eyewall.scheduler.cluster.StormBlobs;
import io.eyewall.scheduler.cluster.WantedMachinesGauge;
import io.eyewall.scheduler.cluster.WorkerHeartbeats;
import java.util.Map;
import java.util.Set;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.DefaultScheduler;
import org.apache.storm.scheduler.TopologyDetails;
import org.apache.storm.utils.Time;

/**
 * Storm's default scheduler, which on request also grows and shrinks topologies: the module of the same name in Le Xu, Elastic techniques
 * to handle dynamism in real-time data processing systems, University of Illinois, 2021, section 2.3.2. Set {@code storm.scheduler} in
 * Nimbus's {@code storm.yaml} to this class to use it.
 *
 * <p>In a rebalance Nimbus treats the topology as unassigned. If there is a plan for it, its executors get the slots of the plan, and
 * executors that stay keep their slots. Everything else is left to Storm's {@link DefaultScheduler}.
 *
 * <p>{@link io.eyewall.scheduler.stela.ElasticityScheduler} has the same simple name because it is the former name of this class, which a
 * {@code storm.yaml} may still have. It only reports this name.
 */
public final class ElasticityScheduler extends BackgroundPlanningScheduler {

    /** The class name of this scheduler, and the one that it has in clusters that have not been upgraded yet. Both read the same blobs. */
    public static final Set<String> NAMES =
        Set.of(ElasticityScheduler.class.getName(), "io.eyewall.scheduler.stela.ElasticityScheduler");

    private StormBlobs blobs;
    private ScalingCoordinator coordinator;
    private WantedMachinesGauge wantedMachines;

    /** For Nimbus, which makes its scheduler by class name. */
    public ElasticityScheduler() {
        super("elasticity");
    }

    @Override
    protected void prepare(Map<String, Object> conf, WorkerHeartbeats heartbeats, StormMetricsRegistry metrics) {
        blobs = StormBlobs.ofNimbus(conf);
        coordinator = new ScalingCoordinator(new BlobScalingStore(blobs), heartbeats, Rebalancer.overThrift(conf),
            Time::currentTimeMillis);
        wantedMachines = WantedMachinesGauge.register(metrics, conf, Time::currentTimeMillis);
    }

    @Override
    protected void place(TopologyDetails topology, Cluster cluster) {
        if (cluster.getAssignmentById(topology.getId()) == null) {
            coordinator.place(topology, cluster);
        }
    }

    @Override
    protected void plan(ClusterView view) {
        coordinator.runRound(view);
        wantedMachines.set(coordinator.wantedMachines());
    }

    @Override
    protected void close() {
        blobs.close();
    }
}
