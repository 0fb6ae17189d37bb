package io.eyewall.client.engine;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.policy.IWaitStrategy;

/**
 * Waits until the queue that was found empty gets an element, at most for a while. The while is there for what wakes nobody: a spout has to
 * be asked for its next tuple, a thread has to notice that it was interrupted.
 */
public abstract class ParkingWait implements IWaitStrategy {

    private final long atMostNs;

    /** Waits at most for {@code atMostNs} nanoseconds. */
    protected ParkingWait(long atMostNs) {
        this.atMostNs = atMostNs;
    }

    @Override
    public void prepare(Map<String, Object> conf, WaitSituation situation) {
        // There is nothing to set.
    }

    @Override
    public int idle(int idleCounter) {
        LockSupport.parkNanos(this, atMostNs);
        return idleCounter + 1;
    }

    /** For bolts and ackers, whose work all comes through their queue. */
    public static final class OfBolts extends ParkingWait {
        /** For Storm, which makes wait strategies by name. */
        public OfBolts() {
            super(TimeUnit.MILLISECONDS.toNanos(100));
        }
    }

    /** For spouts, which have to be asked: as often as the timer of the operating system allows without burning a core. */
    public static final class OfSpouts extends ParkingWait {
        /** For Storm, which makes wait strategies by name. */
        public OfSpouts() {
            super(TimeUnit.MICROSECONDS.toNanos(50));
        }
    }
}
