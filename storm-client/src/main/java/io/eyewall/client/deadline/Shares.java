package io.eyewall.client.deadline;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Has the executors of spouts emit in the ratio of their tokens while all of them have messages. A message costs an amount of virtual time
 * that is the smaller the larger the share, and its deadline is the virtual time that its executor has used. The present is the least time
 * of what is executed or could be. An executor that has used less, because it had no messages, begins there: a pause earns nothing.
 *
 * <p>After P. Goyal, H. Vin and H. Cheng, <em>Start-time fair queueing</em>, SIGCOMM 1996. There the present is the time of what is in
 * service. Here many executors are, some of them with tuples that are far ahead since nobody competes with them; so it is the least of
 * their times.
 *
 * <p>Tuples from other workers, whose virtual time is another one, count together as one executor with the largest share.
 *
 * <p>Worked example, with 3,000 and 1,000 tokens: a message costs 256 and 768. While both are busy, their messages have the times 0, 256,
 * 512, 768, … and 0, 768, …: of four messages that are processed, three belong to the first.
 *
 * <p>Safe for any thread. A share is for the threads of its executor.
 */
final class Shares {

    /** What a message of the largest share costs. Far more than the lowest bits of a deadline, which are its lane. */
    private static final long LEAST_COST = 256;
    /** A share is at least this part of the largest one. */
    private static final long SMALLEST_PART = 1_000;
    /** Virtual time ends here, after more than 10^13 messages of the smallest share alone. From then on all messages are equal. */
    private static final long LAST = Long.MAX_VALUE / 2;

    private final long largestPerSec;
    private final AtomicLong now = new AtomicLong(LEAST_COST);
    private final Share elsewhere = new Share(LEAST_COST, new AtomicLong());
    /** The time that all spouts of the last lane have used, so that the tuples in a lane are in the order of their times. */
    private final AtomicLong ofLastLane = new AtomicLong();

    /** Shares of which the largest has so many tokens per second; 0 if nobody has tokens. */
    Shares(long largestPerSec) {
        this.largestPerSec = largestPerSec;
    }

    /**
     * The share of another executor.
     *
     * @param tokensPerSec its tokens; 0 for the smallest share, which is the only one if nobody has tokens
     * @param lane the lane of its messages
     */
    Share share(long tokensPerSec, int lane) {
        return new Share(cost(tokensPerSec), lane == Lanes.MOST - 1 ? ofLastLane : new AtomicLong());
    }

    /** The share of an executor whose messages must not wait: the largest. */
    Share largest() {
        return new Share(LEAST_COST, new AtomicLong());
    }

    private long cost(long tokensPerSec) {
        if (largestPerSec == 0) {
            return LEAST_COST;
        }
        long most = LEAST_COST * SMALLEST_PART;
        return tokensPerSec == 0 ? most : Math.min(most, Math.round((double) (LEAST_COST * largestPerSec) / tokensPerSec));
    }

    /** The present. It never goes back. */
    long now() {
        return now.get();
    }

    /** Nothing before that time is executed any more, or could be. */
    void passed(long time) {
        if (time > now.get()) {
            now.accumulateAndGet(time, Math::max);
        }
    }

    /** The time of a tuple that has arrived from another worker. */
    long arriving() {
        long present = now();
        return present + elsewhere.take(present, 0);
    }

    /** What one executor has used. */
    static final class Share implements Tokens {

        private final long cost;
        /** The time of the next message, unless that is past. */
        private final AtomicLong next;

        private Share(long cost, AtomicLong next) {
            this.cost = cost;
            this.next = next;
        }

        @Override
        public long untilDeadlineNs(long presentNs, long targetNs) {
            return Math.max(next.get(), presentNs) - presentNs;
        }

        @Override
        public long take(long presentNs, long targetNs) {
            for (;;) {
                long used = next.get();
                long time = Math.max(used, presentNs);
                if (next.compareAndSet(used, Math.min(time + cost, LAST))) {
                    return time - presentNs;
                }
            }
        }
    }
}
