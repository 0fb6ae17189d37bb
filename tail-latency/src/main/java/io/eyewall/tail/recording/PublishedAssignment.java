package io.eyewall.tail.recording;

import java.util.Optional;
import org.apache.storm.cluster.ClusterUtils;
import org.apache.storm.cluster.IStateStorage;
import org.apache.storm.generated.Assignment;

/**
 * The assignment of tasks to workers, as Nimbus publishes it. The worker itself only knows the workers of tasks that it sends to, not of
 * those that it receives from. Used by one thread.
 */
final class PublishedAssignment implements PeerWatch.Assignments {

    private final IStateStorage storage;
    private final String path;

    /** The version that was read last. */
    private int version = -1;

    PublishedAssignment(IStateStorage storage, String topologyId) {
        this.storage = storage;
        this.path = ClusterUtils.assignmentPath(topologyId);
    }

    @Override
    public Optional<Assignment> poll() throws Exception {
        Integer published = storage.get_version(path, false);
        if (published == null || published == version) {
            return Optional.empty();
        }
        Assignment assignment = ClusterUtils.maybeDeserialize(storage.get_data(path, false), Assignment.class);
        version = published;
        return Optional.ofNullable(assignment);
    }
}
