package io.eyewall.integration.bench.elastic;

import io.eyewall.integration.cluster.ProcessCluster;
import io.eyewall.integration.cluster.StormHome;
import java.util.Map;

/**
 * One of those that are compared.
 *
 * @param label what the table calls it
 * @param home the installation that it runs on
 * @param settings topology configuration on top of the scenario's
 * @param change what is done to the topology
 */
record ElasticSide(String label, StormHome home, Map<String, Object> settings, Change change) {

    /** What is done to a topology that runs. */
    interface Change {

        /** Waits until it can be done. */
        default void prepare(ProcessCluster cluster, String topology) {
        }

        /** Does it; returns when Nimbus knows. */
        void apply(ProcessCluster cluster, String topology);
    }
}
