package io.eyewall.client.seam;

import java.util.Map;
import org.apache.storm.daemon.worker.WorkerState;
import org.apache.storm.daemon.worker.WorkerTransfer;

/**
 * The seam <em>worker-transfer</em>: makes the part of a worker that sends tuples to other workers.
 */
@FunctionalInterface
public interface WorkerTransfers {

    /** Upstream's way. */
    WorkerTransfers UPSTREAM = WorkerTransfer::new;

    /**
     * Makes the transfer of one worker, on the thread that starts it.
     *
     * @param worker the worker, whose constructor is still running: its queues and connections are set
     * @param topologyConf the topology's merged configuration
     * @param maxTaskId the highest task id of the topology
     */
    WorkerTransfer transfer(WorkerState worker, Map<String, Object> topologyConf, int maxTaskId);
}
