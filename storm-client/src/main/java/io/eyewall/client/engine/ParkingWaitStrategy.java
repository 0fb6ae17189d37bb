package io.eyewall.client.engine;

import io.eyewall.client.time.NanoClock;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.policy.IWaitStrategy;

/**
 * Waits until an empty queue gets an element. The first wait is a nap: nothing cuts it short, and the timer of the operating system makes
 * it longer (by some 50 us on Linux). The next waits end with the next element, or after a limit. A wake-up costs more than a tuple, so at
 * high rates a batch gathers during the nap. There is no nap if the last wait was so long that hardly any element would come during one.
 * The limit lets a thread notice that it was interrupted. Spouts, which must be asked for their next tuple, {@linkplain OfSpouts wait
 * differently}.
 */
public abstract class ParkingWaitStrategy implements IWaitStrategy {

    private static final long NAP_NS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final long LONG_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final long napNs;
    private final long atMostNs;
    private final NanoClock clock;
    /** Whether the last wait that an element could end took longer than two naps. Only for the consumer. */
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
        SharedThread shared = SharedThread.current();
        if (shared != null) {
            shared.yieldFor(Long.MAX_VALUE);
        } else if (idleCounter > 0) {
            long sinceNs = clock.nanoTime();
            LockSupport.parkNanos(this, atMostNs);
            seldom = clock.nanoTime() - sinceNs > 2 * napNs;
        } else if (!seldom) {
            LockSupport.parkNanos(this, napNs);
        }
        return idleCounter + 1;
    }

    /** For bolts and ackers: all their work comes through their queue. */
    public static final class OfBolts extends ParkingWaitStrategy {
        /** For Storm, which makes wait strategies by name. */
        public OfBolts() {
            super(NAP_NS, LONG_NS, NanoClock.SYSTEM);
        }
    }

    /**
     * For spouts, which must be asked for tuples. A spout is asked about {@value #ASKED} times within the time in which it usually has
     * nothing, at most as often as the timer of the operating system allows without using up a core, and at least once a millisecond, which
     * is upstream's rate. After the spout's queue was found empty {@value #ASKED} times, an element that comes there ends a wait.
     *
     * <p>A spout that takes turns with others is asked about {@value #ASKED_SHARED} times, and less often at high rates. Its tuples then
     * come in larger groups, each of which one wake-up carries through the worker.
     */
    public static final class OfSpouts implements IWaitStrategy {
        static final int ASKED = 16;
        static final int ASKED_SHARED = 5;
        static final long SHORTEST_NS = TimeUnit.MICROSECONDS.toNanos(50);
        static final long SHORTEST_SHARED_NS = TimeUnit.MICROSECONDS.toNanos(150);
        static final long LONGEST_NS = TimeUnit.MILLISECONDS.toNanos(1);
        /** The number of periods that the average covers, roughly. */
        private static final int PERIODS = 8;

        private final NanoClock clock;

        /**
         * How long the spout has nothing to emit, on average, in nanoseconds; limited to the value that leads to the longest waits. Only
         * for the consumer, like all fields here.
         */
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
            SharedThread.waitFor(this, waitNs(idleCounter, clock.nanoTime()));
            return 1;
        }

        /** How long to wait from now on, in nanoseconds; with a counter of 0 this is the first wait since the spout emitted. */
        long waitNs(int idleCounter, long nowNs) {
            SharedThread thread = SharedThread.current();
            boolean shares = thread != null && thread.isInPool();
            int asked = shares ? ASKED_SHARED : ASKED;
            if (idleCounter == 0) {
                usuallyNs += (Math.min(untilNs - sinceNs, asked * LONGEST_NS) - usuallyNs) / PERIODS;
                sinceNs = nowNs;
            }
            long partNs = Math.max(usuallyNs, nowNs - sinceNs) / asked;
            long waitNs = Math.max(shares ? SHORTEST_SHARED_NS : SHORTEST_NS, Math.min(partNs, LONGEST_NS));
            untilNs = nowNs + waitNs;
            return waitNs;
        }
    }
}
