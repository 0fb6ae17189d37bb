package io.eyewall.scheduler.stela;

import io.eyewall.scheduler.cluster.ClusterView;
import io.eyewall.scheduler.cluster.StateStorageHeartbeats;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

    private static final Logger LOG = LoggerFactory.getLogger(ElasticityScheduler.class);

    private final DefaultScheduler others = new DefaultScheduler();
    /** What the own thread has not looked at yet: only the newest round counts. */
    private final AtomicReference<ClusterView> newest = new AtomicReference<>();

    private StateStorageHeartbeats heartbeats;
    private BlobBoard board;
    private ScalingDesk desk;
    private ExecutorService thread;

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
        thread = Executors.newSingleThreadExecutor(runnable -> {
            Thread one = new Thread(runnable, "elasticity");
            one.setDaemon(true);
            return one;
        });
    }

    @Override
    public void schedule(Topologies topologies, Cluster cluster) {
        for (TopologyDetails topology : topologies) {
            if (cluster.getAssignmentById(topology.getId()) == null) {
                desk.place(topology, cluster);
            }
        }
        others.schedule(topologies, cluster);
        try {
            if (newest.getAndSet(ClusterView.of(topologies, cluster)) == null) {
                thread.execute(this::work);
            }
        } catch (RejectedExecutionException e) {
            LOG.info("Nimbus ends: no more scaling.");
        } catch (RuntimeException e) {
            // Nimbus would end with its scheduler.
            LOG.warn("The elasticity scheduler does not understand what Nimbus shows it, and leaves this round out: {}", e.getMessage(), e);
        }
    }

    @Override
    public Map<String, Map<String, Double>> config() {
        return others.config();
    }

    @Override
    public void cleanup() {
        others.cleanup();
        thread.execute(() -> {
            heartbeats.close();
            board.close();
        });
        thread.shutdown();
    }

    private void work() {
        try {
            desk.work(newest.getAndSet(null));
        } catch (RuntimeException e) {
            LOG.warn("The elasticity scheduler cannot measure or answer in this round, and tries again in the next: {}", e.getMessage(), e);
        }
    }
}
