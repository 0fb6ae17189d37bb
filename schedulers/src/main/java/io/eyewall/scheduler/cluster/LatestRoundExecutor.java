package io.eyewall.scheduler.cluster;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.Topologies;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs slow work for each scheduling round on one thread of its own, so that Nimbus does not wait. Rounds that arrive while the thread is
 * busy replace each other: only the latest one runs next.
 */
final class LatestRoundExecutor {

    private static final Logger LOG = LoggerFactory.getLogger(LatestRoundExecutor.class);

    private final String name;
    private final ExecutorService executor;
    private final AtomicReference<ClusterView> latest = new AtomicReference<>();

    /**
     * Makes the executor. Its thread starts with the first round.
     *
     * @param name the name of the thread and, in log messages, of the scheduler
     */
    LatestRoundExecutor(String name) {
        this.name = name;
        executor = Executors.newSingleThreadExecutor(runnable -> {
            Thread thread = new Thread(runnable, name);
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Submits a round that has been scheduled. On Nimbus's thread. Throws nothing, since an exception would end that thread. */
    void submit(Topologies topologies, Cluster cluster, Consumer<ClusterView> work) {
        try {
            if (latest.getAndSet(ClusterView.of(topologies, cluster)) == null) {
                executor.execute(() -> work(work));
            }
        } catch (RejectedExecutionException e) {
            LOG.info("The {} scheduler ignores a round, since Nimbus is shutting down.", name);
        } catch (RuntimeException e) {
            LOG.warn("The {} scheduler cannot read the state of the cluster and skips this round: {}", name, e.getMessage(), e);
        }
    }

    /** Runs the closer on the executor's thread and then ends the thread. */
    void shutdown(Runnable closer) {
        executor.execute(closer);
        executor.shutdown();
    }

    private void work(Consumer<ClusterView> work) {
        try {
            work.accept(latest.getAndSet(null));
        } catch (RuntimeException e) {
            LOG.warn("The {} scheduler cannot measure or plan in this round and tries again in the next: {}", name, e.getMessage(), e);
        }
    }
}
