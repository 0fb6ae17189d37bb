package io.eyewall.integration.bench.elastic;

import io.eyewall.integration.cluster.ProcessCluster;
import io.eyewall.integration.cluster.StormHome;
import java.util.Map;

/**
 * One side of a comparison.
 *
 * @param label its name in the table
 * @param home the installation that it runs on
 * @param settings topology configuration on top of the scenario's
 * @param change the change of the topology
 */
record ElasticSide(String label, StormHome home, Map<String, Object> settings, Change change) {

    /** A change of a running topology. */
    interface Change {

        /** Waits until the change can be made. */
        default void prepare(ProcessCluster cluster, String topology) {
        }

        /** Makes the change; returns when Nimbus has accepted it. */
        void apply(ProcessCluster cluster, String topology);
    }
}
