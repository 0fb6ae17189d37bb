package io.eyewall.scheduler.henge;

import io.eyewall.scheduler.cluster.BackgroundPlanningScheduler;
import io.eyewall.scheduler.cluster.ClusterView;
import io.eyewall.scheduler.cluster.Rebalancer;
import io.eyewall.scheduler.cluster.StormBlobs;
import io.eyewall.scheduler.cluster.WantedMachinesGauge;
import io.eyewall.scheduler.cluster.WorkerHeartbeats;
import java.util.Map;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.TopologyDetails;
import org.apache.storm.utils.Time;

/**
 * Storm's default scheduler, which also gives executors to topologies that miss their SLO: Henge (Le Xu, Elastic techniques to handle
 * dynamism in real-time data processing systems, University of Illinois, 2021, chapter 3). Set {@code storm.scheduler} in Nimbus's
 * {@code storm.yaml} to this class to use it. Topologies without an SLO are left to Storm's {@code DefaultScheduler}.
 */
public final class HengeScheduler extends BackgroundPlanningScheduler {

    private StormBlobs blobs;
    private HengeCoordinator coordinator;
    private TechniqueNodes techniques;
    private SloGauges gauges;
    private WantedMachinesGauge wantedMachines;

    /** For Nimbus, which makes its scheduler by class name. */
    public HengeScheduler() {
        super("henge");
    }

    @Override
    protected void prepare(Map<String, Object> conf, WorkerHeartbeats heartbeats, StormMetricsRegistry metrics) {
        blobs = StormBlobs.ofNimbus(conf);
        HengeSettings settings = new HengeSettings(conf);
        techniques = TechniqueNodes.ofNimbus(conf, Time::currentTimeMillis);
        coordinator = new HengeCoordinator(new HengeStore(blobs),
            new SloFigures(heartbeats, WorkerPageReader.overHttp(), settings.configuration().settleMs(), Time::currentTimeMillis),
            techniques, settings, Rebalancer.overThrift(conf), Time::currentTimeMillis);
        gauges = SloGauges.register(metrics, conf, Time::currentTimeMillis, coordinator::count);
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
        gauges.set(coordinator.report());
        wantedMachines.set(coordinator.wantedMachines());
    }

    @Override
    protected void close() {
        techniques.close();
        blobs.close();
    }
}
