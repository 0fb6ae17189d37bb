package io.eyewall.client.engine;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.storm.policy.IWaitStrategy;

/**
 * Waits until {@linkplain SpaceSignal there is space} where the calling thread found none: in a queue, in another worker, or in the
 * connection to one. The wait ends after a millisecond at the latest, since the first half of a queue may take long to empty.
 */
public final class FullQueueWaitStrategy implements IWaitStrategy {

    private static final long AT_MOST_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /** For Storm, which makes wait strategies by name. */
    public FullQueueWaitStrategy() {
        // There is nothing to keep.
    }

    @Override
    public void prepare(Map<String, Object> conf, WaitSituation situation) {
        // There is nothing to set.
    }

    @Override
    public int idle(int idleCounter) throws InterruptedException {
        TransferLoop loop = TransferLoop.current();
        if (loop != null) {
            loop.awaitSpace(AT_MOST_NS);
            return idleCounter + 1;
        }
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted while a queue is full");
        }
        SpaceSignal.ofOtherWorkers().register();
        SharedThread.waitFor(this, AT_MOST_NS);
        return idleCounter + 1;
    }
}
