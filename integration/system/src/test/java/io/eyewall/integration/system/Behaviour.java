package io.eyewall.integration.system;

import java.util.List;
import java.util.Map;

/**
 * Something that clusters of both kinds must do alike: runs a topology and returns its results by their source, in an order that does not
 * vary. Called on a thread of its own, while other behaviours run on the same cluster.
 */
@FunctionalInterface
interface Behaviour {

    /** Runs it from submission to the end of the topology. */
    Map<String, List<String>> on(DropInCluster cluster);
}
