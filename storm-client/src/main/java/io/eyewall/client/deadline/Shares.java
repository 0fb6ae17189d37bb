package io.eyewall.client.deadline;

import io.eyewall.client.time.NanoClock;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Has the executors of spouts emit in the ratio of their tokens while all have messages. A message costs an amount of virtual time that is
 * the smaller the larger the share, and its deadline is the virtual time that its executor has used. Who comes back from a pause begins at
 * the present, which is the least time that a busy executor has used. So a pause earns no advantage, except for a short one.
 *
 * <p>After P. Goyal, H. Vin and H. Cheng, <em>Start-time fair queueing</em>, SIGCOMM 1996, where the present is the time of the packet in
 * service. Here many executors are in service, some of them at tuples that are far ahead because nobody competes there. The least time used
 * is that of I. Molnar's scheduler of Linux.
 *
 * <p>Tuples from other workers, whose virtual time is another one, keep the order in which they arrive, and count together as one executor
 * with the largest share.
 *
 * <p>Worked example, with 3,000 and 1,000 tokens: a message costs 16 and 48. While both are busy, their messages have the times 16, 32, 48,
 * … and 48, 96, …: of four messages that are processed, three belong to the first.
 *
 * <p>Safe for any thread; see {@link Share}.
 */
final class Shares {

    /** What a message of the largest share costs. More than the lowest bits of a deadline, which are its lane. */
    private static final long LEAST_COST = 2 * Lanes.MOST;
    /** A share is at least this part of the largest one. So virtual time lasts for 5 * 10^13 messages. */
    private static final long SMALLEST_PART = 10_000;
    /** For so long an executor that emits nothing still counts as busy, and keeps the time that it has not used. */
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(200);
    /** Nothing happens so late. */
    private static final long LAST = Long.MAX_VALUE / 2;

    private final NanoClock clock;
    private final long largestPerSec;
    private final AtomicLong now = new AtomicLong(LEAST_COST);
    /** Guarded by itself. */
    private final Share elsewhere;
    /** Replaced under the lock of this object. */
    private volatile Share[] all;

    /**
     * Shares of nobody yet.
     *
     * @param largestPerSec the tokens per second of the largest share; 0 if nobody has tokens
     */
    Shares(long largestPerSec, NanoClock clock) {
        this.largestPerSec = Math.max(1, largestPerSec);
        this.clock = clock;
        elsewhere = new Share(LEAST_COST);
        all = new Share[] {elsewhere};
    }

    /** A share with so many tokens per second; with 0 the smallest. */
    synchronized Share add(long tokensPerSec) {
        double cost = (double) LEAST_COST * largestPerSec / Math.max(1, tokensPerSec);
        Share share = new Share((long) Math.min(tokensPerSec == 0 ? Double.MAX_VALUE : cost, LEAST_COST * SMALLEST_PART));
        all = Stream.concat(Stream.of(all), Stream.of(share)).toArray(Share[]::new);
        return share;
    }

    /** The time of a tuple that has arrived from another worker. */
    long arriving() {
        synchronized (elsewhere) {
            long present = now();
            return present + elsewhere.take(present, 0);
        }
    }

    /** The present. It never goes back. */
    long now() {
        return now.get();
    }

    private synchronized void remove(Share share) {
        all = Arrays.stream(all).filter(each -> each != share).toArray(Share[]::new);
    }

    private void advance(long atNs) {
        long least = LAST;
        boolean isAnyBusy = false;
        for (Share share : all) {
            if (share.isBusy(atNs)) {
                isAnyBusy = true;
                least = Math.min(least, share.next.getOpaque());
            }
        }
        if (isAnyBusy && least > now.get()) {
            now.accumulateAndGet(least, Math::max);
        }
    }

    /** What one executor has used. */
    final class Share implements Tokens {

        private final long cost;
        /** The time of its next message, unless that is past, and when it emitted the last one. Written by the thread that emits. */
        private final AtomicLong next = new AtomicLong();
        private final AtomicLong emittedNs;

        private Share(long cost) {
            this.cost = cost;
            emittedNs = new AtomicLong(clock.nanoTime() - PAUSE_NS);
        }

        @Override
        public long untilDeadlineNs(long presentNs, long targetNs) {
            advance(clock.nanoTime());
            return time() - presentNs;
        }

        @Override
        public long take(long presentNs, long targetNs) {
            long time = time();
            next.setOpaque(Math.min(time + cost, LAST));
            emittedNs.setOpaque(clock.nanoTime());
            return time - presentNs;
        }

        @Override
        public void end() {
            remove(this);
        }

        private long time() {
            return Math.max(next.getOpaque(), now());
        }

        private boolean isBusy(long atNs) {
            return atNs - emittedNs.getOpaque() < PAUSE_NS;
        }
    }
}
