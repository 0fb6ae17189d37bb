package io.eyewall.client.seam;

import java.util.Optional;
import org.apache.storm.generated.ClusterSummary;

/** The cluster that a topology is submitted to. For the thread that submits. */
@FunctionalInterface
public interface SubmissionTarget {

    /** Asks Nimbus for the cluster; without Supervisors if Nimbus does not answer. */
    ClusterSummary summary();

    /** Asks Nimbus for the contents of a blob; empty if there is none, if the user may not read it, or if Nimbus does not answer. */
    default Optional<byte[]> blob(String key) {
        return Optional.empty();
    }
}
