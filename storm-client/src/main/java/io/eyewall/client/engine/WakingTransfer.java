package io.eyewall.client.engine;

import io.eyewall.client.seam.ClientLoops;
import io.eyewall.client.time.NanoClock;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.Config;
import org.apache.storm.daemon.worker.WorkerConnections;
import org.apache.storm.daemon.worker.WorkerState;
import org.apache.storm.daemon.worker.WorkerTransfer;
import org.apache.storm.utils.JCQueue;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.Utils;

/**
 * The transfer of a worker, whose thread waits for the next message and does not sleep. It naps after each batch that it has sent, since a
 * batch wakes two threads in the other worker, which costs more than the tuples of a small batch. It does not nap if the batch was so large
 * that executors may wait for space, or if messages are rare.
 *
 * <p>If a single thread of Netty's has all connections, {@linkplain TransferLoop that thread} sends, and the transfer thread only waits for
 * its own end. The transfer thread sends by itself if connections are of another transport, have several threads or are not on epoll, or if
 * the topology sets another wait strategy for full connections.
 */
class WakingTransfer extends WorkerTransfer {

    private static final long NAP_NS = TimeUnit.MICROSECONDS.toNanos(250);
    private static final long LONG_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final int largeTuples;
    private final Optional<TransferLoop> loop;
    private final NanoClock clock;
    /** For the sending thread, like the next two fields. */
    private final ArrivalRate rate;
    /** How often the queue was found empty since the last batch. */
    private int emptyLooks;
    /** How many messages of the queue were requested in this look. */
    private int asked;

    WakingTransfer(WorkerState worker, Map<String, Object> topologyConf, int maxTaskId, NanoClock clock) {
        super(worker, topologyConf, maxTaskId);
        this.clock = clock;
        rate = new ArrivalRate(NAP_NS, clock.nanoTime());
        largeTuples = ObjectReader.getInt(topologyConf.get(Config.TOPOLOGY_TRANSFER_BUFFER_SIZE)) / 2;
        boolean waitsHere = FullQueueWaitStrategy.class.getName().equals(topologyConf.get(Config.TOPOLOGY_BACKPRESSURE_WAIT_STRATEGY));
        loop = waitsHere && WorkerConnections.transport(worker) instanceof ClientLoops clients
            ? TransferLoop.only(clients.getWorkerEventLoopGroup()) : Optional.empty();
    }

    @Override
    public Utils.SmartThread makeTransferThread() {
        WakingQueue queue = (WakingQueue) getTransferQueue();
        return Utils.asyncLoop(() -> {
            if (loop.isPresent()) {
                queue.wakeBy(loop.get()::wake);
                loop.get().doUntilInterrupted(() -> transfer(queue));
            } else {
                LockSupport.parkNanos(this, transfer(queue));
            }
            return 0L;
        });
    }

    /** Sends what is there; returns the nanoseconds until the next look. The queue wakes the thread after two looks that found it empty. */
    private long transfer(JCQueue queue) {
        asked = 0;
        int elements = queue.consume(this, this::isBatchOpen);
        if (elements > 0) {
            int tuples = tuplesIn(elements);
            emptyLooks = 0;
            return rate.isNapWorthIt(tuples, clock.nanoTime()) && tuples < largeTuples ? NAP_NS : 0;
        }
        return ++emptyLooks > 1 ? LONG_NS : 0;
    }

    /** How many tuples the elements of the batch were that was sent last. */
    int tuplesIn(int elements) {
        return elements;
    }

    /** A batch is no larger than the queue: the queue may never be empty, and connections must be read in between. */
    private boolean isBatchOpen() {
        return asked++ < 2 * largeTuples;
    }
}
