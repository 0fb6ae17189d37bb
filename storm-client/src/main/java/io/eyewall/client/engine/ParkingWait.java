package io.eyewall.client.engine;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.policy.IWaitStrategy;

/**
 * Waits until the queue that was found empty gets an element. The first wait is a nap, which nobody cuts short and which the timer of the
 * operating system lengthens (by some 50 us on Linux); the next ones end with the next element, or after a while. The nap is there for
 * the cost of waking a thread, more than that of a tuple: at high rates a batch gathers meanwhile. Where the wait before was so long that
 * hardly anything comes within a nap, there is none. The while is there for what wakes nobody: a spout has to be asked for its next tuple,
 * a thread has to notice that it was interrupted.
 */
public abstract class ParkingWait implements IWaitStrategy {

    private static final long NAP_NS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final long POLL_NS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long LONG_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final long napNs;
    private final long atMostNs;
    /** Whether the last wait that could be cut short took longer than two naps. The consumer's alone. */
    private boolean seldom;

    /** Naps for {@code napNs} nanoseconds, then waits at most for {@code atMostNs}. */
    protected ParkingWait(long napNs, long atMostNs) {
        this.napNs = napNs;
        this.atMostNs = atMostNs;
    }

    @Override
    public void prepare(Map<String, Object> conf, WaitSituation situation) {
        // There is nothing to set.
    }

    @Override
    public int idle(int idleCounter) {
        if (idleCounter > 0) {
            long sinceNs = System.nanoTime();
            LockSupport.parkNanos(this, atMostNs);
            seldom = System.nanoTime() - sinceNs > 2 * napNs;
        } else if (!seldom) {
            LockSupport.parkNanos(this, napNs);
        }
        return idleCounter + 1;
    }

    /** For bolts and ackers, whose work all comes through their queue. */
    public static final class OfBolts extends ParkingWait {
        /** For Storm, which makes wait strategies by name. */
        public OfBolts() {
            super(NAP_NS, LONG_NS);
        }
    }

    /**
     * For spouts, which have to be asked: at first as often as the timer of the operating system allows without burning a core, then, the
     * longer they have had nothing, the less often, until after some 200 ms it is once a millisecond, as upstream asks them always. What
     * comes to the spout's queue ends a wait, but not the first {@value #ASKED_AS_OFTEN}, within which the spout looks by itself as soon.
     */
    public static final class OfSpouts extends ParkingWait {
        static final int ASKED_AS_OFTEN = 16;
        private static final int SELDOM = ASKED_AS_OFTEN * 19;

        /** For Storm, which makes wait strategies by name. */
        public OfSpouts() {
            super(POLL_NS, POLL_NS);
        }

        @Override
        public int idle(int idleCounter) {
            LockSupport.parkNanos(this, waitNs(idleCounter));
            return Math.min(idleCounter + 1, SELDOM);
        }

        /** For how long to wait before the spout is asked once more that has been asked in vain so often. */
        static long waitNs(int idleCounter) {
            return POLL_NS * (1 + idleCounter / ASKED_AS_OFTEN);
        }
    }
}
