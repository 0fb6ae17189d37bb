package io.eyewall.client.engine;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.daemon.worker.WorkerState;
import org.apache.storm.daemon.worker.WorkerTransfer;
import org.apache.storm.utils.JCQueue;
import org.apache.storm.utils.Utils;

/**
 * The transfer of a worker, whose thread waits for the next message instead of sleeping.
 */
final class ArrivalTransfer extends WorkerTransfer {

    private static final long PARKED_AT_MOST_NS = TimeUnit.MILLISECONDS.toNanos(100);

    ArrivalTransfer(WorkerState worker, Map<String, Object> topologyConf, int maxTaskId) {
        super(worker, topologyConf, maxTaskId);
    }

    @Override
    public Utils.SmartThread makeTransferThread() {
        JCQueue queue = getTransferQueue();
        return Utils.asyncLoop(() -> {
            if (queue.consume(this) == 0) {
                LockSupport.parkNanos(this, PARKED_AT_MOST_NS);
            }
            return 0L;
        });
    }
}
