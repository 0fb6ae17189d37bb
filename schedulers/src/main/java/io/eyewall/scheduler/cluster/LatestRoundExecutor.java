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
 * A scheduler's thread of its own, for what takes long: Nimbus hands it each round and does not wait. While it is at work only the newest
 * round is kept.
 */
final class LatestRoundExecutor {

    private static final Logger LOG = LoggerFactory.getLogger(LatestRoundExecutor.class);

    private final String name;
    private final ExecutorService thread;
    private final AtomicReference<ClusterView> newest = new AtomicReference<>();

    /** Starts no thread before there is something to do. */
    LatestRoundExecutor(String name) {
        this.name = name;
        thread = Executors.newSingleThreadExecutor(runnable -> {
            Thread one = new Thread(runnable, name);
            one.setDaemon(true);
            return one;
        });
    }

    /** Hands a round over after it was scheduled; on Nimbus's thread, which would end with an exception. */
    void hand(Topologies topologies, Cluster cluster, Consumer<ClusterView> work) {
        try {
            if (newest.getAndSet(ClusterView.of(topologies, cluster)) == null) {
                thread.execute(() -> work(work));
            }
        } catch (RejectedExecutionException e) {
            LOG.info("Nimbus ends, and the {} scheduler with it.", name);
        } catch (RuntimeException e) {
            LOG.warn("The {} scheduler does not understand what Nimbus shows it, and leaves this round out: {}", name, e.getMessage(), e);
        }
    }

    /** Closes what the thread has used, on it, and ends it. */
    void end(Runnable closer) {
        thread.execute(closer);
        thread.shutdown();
    }

    private void work(Consumer<ClusterView> work) {
        try {
            work.accept(newest.getAndSet(null));
        } catch (RuntimeException e) {
            LOG.warn("The {} scheduler cannot measure or decide in this round, and tries again in the next: {}", name, e.getMessage(), e);
        }
    }
}
