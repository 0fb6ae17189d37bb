package io.eyewall.client.engine;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.policy.IWaitStrategy;

/**
 * Waits until there is {@linkplain Room room} in a full queue, in another worker, or in the connection to one, whichever the calling thread
 * found full. It looks again every millisecond all the same: half of a queue may take long to empty.
 */
public final class RoomWait implements IWaitStrategy {

    private static final long AT_MOST_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /** For Storm, which makes wait strategies by name. */
    public RoomWait() {
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
            loop.awaitRoom(AT_MOST_NS);
            return idleCounter + 1;
        }
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted while a queue is full");
        }
        Room.elsewhere().seek();
        LockSupport.parkNanos(this, AT_MOST_NS);
        return idleCounter + 1;
    }
}
