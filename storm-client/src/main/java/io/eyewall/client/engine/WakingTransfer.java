package io.eyewall.client.engine;

import io.eyewall.client.seam.ClientLoops;
import io.eyewall.client.time.NanoClock;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
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
public class WakingTransfer extends WorkerTransfer {

    private static final long NAP_NS = TimeUnit.MICROSECONDS.toNanos(250);
    /** When to look again while another thread sends, or a ring is full. */
    private static final long SOON_NS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long LONG_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** After so many looks an emitting thread has the sending thread go on. */
    private static final int MAX_LOOKS_HERE = 8;

    private final int largeTuples;
    private final Optional<TransferLoop> loop;
    private final NanoClock clock;
    /** Held by the thread that sends: the loop's, or one that emits. It guards the fields below and the consumer's end of the queue. */
    private final ReentrantLock sends = new ReentrantLock();
    private final ArrivalRate rate;
    /** How often the queue was found empty since the last batch. */
    private int emptyLooks;
    /** How many messages of the queue were requested in this look. */
    private int asked;
    /** Whether an emitting thread found that the sending thread had better nap. */
    private boolean napIsDue;
    /** Whether the thread that sends is the sending thread, and not one that emits. */
    private boolean mayWait;

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

    /**
     * Sends what is there, on the calling thread, in place of a sending thread that waits. It does not wait for space: what could need to,
     * it leaves to the sending thread.
     *
     * @return false if the sending thread does not wait, or is another one; then nothing was sent
     */
    final boolean tryTransferHere() {
        WakingQueue queue = (WakingQueue) getTransferQueue();
        if (loop.isEmpty() || !queue.lower()) {
            return false;
        }
        boolean waitsAgain = false;
        try {
            if (sends.tryLock()) {
                try {
                    long waitNs = 0;
                    for (int looks = 0; waitNs == 0 && looks < MAX_LOOKS_HERE; looks++) {
                        waitNs = transferNow(queue);
                    }
                    waitsAgain = waitNs == LONG_NS;
                    napIsDue = waitNs == NAP_NS;
                } finally {
                    sends.unlock();
                }
            }
        } finally {
            if (!waitsAgain) {
                loop.get().wake();
            }
        }
        return true;
    }

    /** Whether all tuples that were put into its queue have been handed to connections. No more may be put into it meanwhile. */
    public final boolean hasSentAll() {
        if (!sends.tryLock()) {
            return false;
        }
        try {
            return getTransferQueue().size() == 0 && catchesUp();
        } finally {
            sends.unlock();
        }
    }

    private long transfer(JCQueue queue) {
        if (!sends.tryLock()) {
            return SOON_NS;
        }
        try {
            if (napIsDue) {
                napIsDue = false;
                return NAP_NS;
            }
            mayWait = true;
            return transferNow(queue);
        } finally {
            mayWait = false;
            sends.unlock();
        }
    }

    /** Sends what is there; returns the nanoseconds until the next look. The queue wakes the thread after two looks that found it empty. */
    private long transferNow(JCQueue queue) {
        if (!catchesUp()) {
            return SOON_NS;
        }
        asked = 0;
        int elements = queue.consume(this, this::isBatchOpen);
        if (elements > 0) {
            int tuples = tuplesIn(elements);
            emptyLooks = 0;
            return rate.isNapWorthIt(tuples, clock.nanoTime()) && tuples < largeTuples ? NAP_NS : 0;
        }
        return ++emptyLooks > 1 ? LONG_NS : 0;
    }

    /** Sends what earlier batches left; returns whether nothing is left. */
    boolean catchesUp() {
        return true;
    }

    /** Whether the thread that sends may wait for space in a connection. For that thread. */
    final boolean mayWait() {
        return mayWait;
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
