package io.eyewall.client.seam;

import java.util.List;
import java.util.Map;
import org.apache.storm.daemon.worker.WorkerState;
import org.apache.storm.executor.bolt.BoltExecutor;
import org.apache.storm.executor.spout.SpoutExecutor;

/**
 * The seam <em>executor</em>: makes the executors of a worker, before their tasks are made. Called on the thread that starts the worker.
 */
public interface Executors {

    /** Upstream's way. */
    Executors UPSTREAM = new Executors() {
        @Override
        public SpoutExecutor spoutExecutor(WorkerState worker, List<Long> executorId, Map<String, String> credentials) {
            return new SpoutExecutor(worker, executorId, credentials);
        }

        @Override
        public BoltExecutor boltExecutor(WorkerState worker, List<Long> executorId, Map<String, String> credentials) {
            return new BoltExecutor(worker, executorId, credentials);
        }
    };

    /**
     * Makes the executor of spout tasks.
     *
     * @param worker the worker
     * @param executorId the executor's first and last task
     * @param credentials the topology's credentials at start
     */
    SpoutExecutor spoutExecutor(WorkerState worker, List<Long> executorId, Map<String, String> credentials);

    /**
     * Makes the executor of bolt tasks, ackers and system bolts included.
     *
     * @param worker the worker
     * @param executorId the executor's first and last task
     * @param credentials the topology's credentials at start
     */
    BoltExecutor boltExecutor(WorkerState worker, List<Long> executorId, Map<String, String> credentials);
}
