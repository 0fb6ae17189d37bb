package io.eyewall.scheduler.cluster;

import io.eyewall.elasticity.model.Slot;
import org.apache.storm.generated.ClusterWorkerHeartbeat;

/** Where workers leave their heartbeats, with what their executors have counted. */
@FunctionalInterface
public interface WorkerHeartbeats {

    /** The newest heartbeat of a topology's worker, or null if it has left none. */
    ClusterWorkerHeartbeat newest(String topologyId, Slot slot);
}
