package io.eyewall.client.engine;

import io.eyewall.client.time.NanoClock;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.policy.IWaitStrategy;

/**
 * Waits until the queue that was found empty gets an element. The first wait is a nap, which nobody cuts short and which the timer of the
 * operating system lengthens (by some 50 us on Linux); the next ones end with the next element, or after a while. The nap is there for
 * the cost of waking a thread, more than that of a tuple: at high rates a batch gathers meanwhile. Where the wait before was so long that
 * hardly anything comes within a nap, there is none. The while is there for what wakes nobody: a thread has to notice that it was
 * interrupted. Spouts, which have to be asked for their next tuple, {@linkplain OfSpouts wait otherwise}.
 */
public abstract class ParkingWaitStrategy implements IWaitStrategy {

    private static final long NAP_NS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final long LONG_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final long napNs;
    private final long atMostNs;
    private final NanoClock clock;
    /** Whether the last wait that could be cut short took longer than two naps. The consumer's alone. */
    private boolean seldom;

    /** Naps for {@code napNs} nanoseconds, then waits for {@code atMostNs} at most. */
    protected ParkingWaitStrategy(long napNs, long atMostNs, NanoClock clock) {
        this.napNs = napNs;
        this.atMostNs = atMostNs;
        this.clock = clock;
    }

    @Override
    public void prepare(Map<String, Object> conf, WaitSituation situation) {
        // There is nothing to set.
    }

    @Override
    public int idle(int idleCounter) {
        if (idleCounter > 0) {
            long sinceNs = clock.nanoTime();
            LockSupport.parkNanos(this, atMostNs);
            seldom = clock.nanoTime() - sinceNs > 2 * napNs;
        } else if (!seldom) {
            LockSupport.parkNanos(this, napNs);
        }
        return idleCounter + 1;
    }

    /** For bolts and ackers, whose work all comes through their queue. */
    public static final class OfBolts extends ParkingWaitStrategy {
        /** For Storm, which makes wait strategies by name. */
        public OfBolts() {
            super(NAP_NS, LONG_NS, NanoClock.SYSTEM);
        }
    }

    /**
     * For spouts, which have to be asked: about {@value #ASKED} times within the time that they usually have nothing, but no more often
     * than the timer of the operating system allows without burning a core, and once a millisecond at least, as upstream asks them always.
     * What comes to the spout's queue ends a wait once that was found empty {@value #ASKED} times; until then the spout looks by itself.
     */
    public static final class OfSpouts implements IWaitStrategy {
        static final int ASKED = 16;
        static final long SHORTEST_NS = TimeUnit.MICROSECONDS.toNanos(50);
        static final long LONGEST_NS = TimeUnit.MILLISECONDS.toNanos(1);
        /** Over how many periods the average goes, roughly. */
        private static final int PERIODS = 8;

        private final NanoClock clock;

        /** For how long the spout has had nothing, on average, and at most what makes the longest waits. The consumer's, as all here. */
        private long usuallyNs;
        private long sinceNs;
        private long untilNs;

        /** For Storm, which makes wait strategies by name. */
        public OfSpouts() {
            this(NanoClock.SYSTEM);
        }

        OfSpouts(NanoClock clock) {
            this.clock = clock;
        }

        @Override
        public void prepare(Map<String, Object> conf, WaitSituation situation) {
            // There is nothing to set.
        }

        @Override
        public int idle(int idleCounter) {
            LockSupport.parkNanos(this, waitNs(idleCounter, clock.nanoTime()));
            return 1;
        }

        /** For how long to wait at that time, for the first time since the spout had something if the counter is 0. */
        long waitNs(int idleCounter, long nowNs) {
            if (idleCounter == 0) {
                usuallyNs += (Math.min(untilNs - sinceNs, ASKED * LONGEST_NS) - usuallyNs) / PERIODS;
                sinceNs = nowNs;
            }
            long waitNs = Math.max(SHORTEST_NS, Math.min(Math.max(usuallyNs, nowNs - sinceNs) / ASKED, LONGEST_NS));
            untilNs = nowNs + waitNs;
            return waitNs;
        }
    }
}
