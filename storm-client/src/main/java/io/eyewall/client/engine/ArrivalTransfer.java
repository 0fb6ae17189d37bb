package io.eyewall.client.engine;

import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.daemon.worker.WorkerState;
import org.apache.storm.daemon.worker.WorkerTransfer;
import org.apache.storm.utils.JCQueue;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.Utils;

/**
 * The transfer of a worker, whose thread waits for the next message instead of sleeping. It naps behind each batch that it has sent, unless
 * that was so large that executors may wait for room: what is sent wakes a thread here and two in the other worker, which costs more than
 * the tuples of a small batch.
 */
final class ArrivalTransfer extends WorkerTransfer {

    private final int largeTuples;
    private final ParkingWait wait = new ParkingWait.OfTransfer();
    /** How often the queue was found empty since the last batch. The transfer thread's. */
    private int emptyLooks;

    ArrivalTransfer(WorkerState worker, Map<String, Object> topologyConf, int maxTaskId) {
        super(worker, topologyConf, maxTaskId);
        largeTuples = ObjectReader.getInt(topologyConf.get(Config.TOPOLOGY_TRANSFER_BUFFER_SIZE)) / 2;
    }

    @Override
    public Utils.SmartThread makeTransferThread() {
        JCQueue queue = getTransferQueue();
        return Utils.asyncLoop(() -> {
            transfer(queue);
            return 0L;
        });
    }

    /** Sends what is there. The queue wakes this thread from the second time on that it was found empty. */
    private void transfer(JCQueue queue) {
        int tuples = queue.consume(this);
        if (tuples > 0) {
            emptyLooks = 0;
            if (tuples < largeTuples) {
                wait.idle(0);
            }
        } else if (++emptyLooks > 1) {
            wait.idle(1);
        }
    }
}
