package io.eyewall.scheduler.stela;

import java.util.Map;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.IScheduler;
import org.apache.storm.scheduler.Topologies;

/**
 * The former name of {@link io.eyewall.scheduler.scaling.ElasticityScheduler}. Nimbus loads the class that {@code storm.yaml} names, so the
 * former name needs a class. A Nimbus whose {@code storm.yaml} still has this name fails to start, with the new name in the message.
 */
public final class ElasticityScheduler implements IScheduler {

    /** For Nimbus, which makes its scheduler by class name. */
    public ElasticityScheduler() {
        // Nimbus wraps what a constructor throws, and does not wrap what prepare throws: so the message is in the first line of its log.
    }

    /**
     * Refuses.
     *
     * @throws IllegalStateException always, with the new name
     */
    @Override
    public void prepare(Map<String, Object> conf, StormMetricsRegistry metricsRegistry) {
        throw new IllegalStateException("storm.scheduler: " + ElasticityScheduler.class.getName() + " has another name now. Set "
            + "storm.scheduler: " + io.eyewall.scheduler.scaling.ElasticityScheduler.class.getName()
            + " in Nimbus's storm.yaml and start Nimbus again.");
    }

    @Override
    public void schedule(Topologies topologies, Cluster cluster) {
        throw new UnsupportedOperationException("Nimbus does not start with this scheduler.");
    }

    @Override
    public Map<String, Map<String, Double>> config() {
        return Map.of();
    }
}
