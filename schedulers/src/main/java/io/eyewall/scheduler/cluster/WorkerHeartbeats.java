package io.eyewall.scheduler.cluster;

import io.eyewall.elasticity.model.Slot;
import org.apache.storm.generated.ClusterWorkerHeartbeat;

/** The heartbeats of workers, with the counters of their executors. */
@FunctionalInterface
public interface WorkerHeartbeats {

    /** The newest heartbeat of a topology's worker, or null if there is none. */
    ClusterWorkerHeartbeat newest(String topologyId, Slot slot);
}
