package io.eyewall.client.engine;

import java.util.Map;
import org.apache.storm.daemon.worker.WorkerState;
import org.apache.storm.daemon.worker.WorkerTransfer;
import org.apache.storm.utils.JCQueue;
import org.apache.storm.utils.Utils;

/**
 * The transfer of a worker, whose thread waits for the next message instead of sleeping.
 */
final class ArrivalTransfer extends WorkerTransfer {

    ArrivalTransfer(WorkerState worker, Map<String, Object> topologyConf, int maxTaskId) {
        super(worker, topologyConf, maxTaskId);
    }

    @Override
    public Utils.SmartThread makeTransferThread() {
        JCQueue queue = getTransferQueue();
        ParkingWait wait = new ParkingWait.OfTransfer();
        int[] idleCounter = {0};
        return Utils.asyncLoop(() -> {
            idleCounter[0] = queue.consume(this) == 0 ? wait.idle(idleCounter[0]) : 0;
            return 0L;
        });
    }
}
