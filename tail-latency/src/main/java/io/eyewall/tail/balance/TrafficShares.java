package io.eyewall.tail.balance;

import java.util.Arrays;
import java.util.Comparator;

/**
 * Decides how one sender splits its traffic over its receivers: Algorithm 2 of Guangxiang Du, <em>New techniques to lower the tail latency
 * in stream processing systems</em> (University of Illinois, 2016), section 3.3.
 *
 * <p>Once a period each receiver's latency {@code T} is aged, {@code Wt = alpha T + (1 - alpha) Wt}; receivers are sorted by {@code Wt}
 * and the slowest is paired with the fastest, the second slowest with the second fastest, and so on. As long as the slower one of a
 * pair has more than {@value #TOLERANCE} times the {@code Wt} of the other, it gives up 1 % of the sender's traffic to it. With five
 * receivers of 20 % each and {@code Wt} of 9, 2, 2, 2 and 2 ms, the first one is left with 19 %, one of the others gets 21 %, and the
 * second pair, 2 ms and 2 ms, stays as it is.
 *
 * <p>The algorithm leaves three things open. No share falls below a {@value #EQUAL_UNITS}th of an equal one, since without traffic it would
 * not show that a receiver has become fast again. No step is more than a tenth of an equal share, which is less than 1 % of the traffic if
 * there are more than ten receivers. A receiver that must give back the traffic that it has just got does so in half the step, down to a
 * hundredth of an equal share. While the direction stays the same, steps grow by such a hundredth. So shares settle near saturation, where
 * a small share makes a large latency, and do not swing by whole steps.
 *
 * <p>Deterministic: equal latencies keep the order of the receivers. Used by one thread.
 */
final class TrafficShares {

    /** An equal share, in units of traffic. All shares add up to this times the number of receivers. */
    static final int EQUAL_UNITS = 100;
    /** The lower limit of a share, in units. */
    static final int MIN_UNITS = 1;
    /** The ratio of latencies above which traffic is moved. */
    static final double TOLERANCE = 1.2;

    private static final int PARTS_OF_TRAFFIC = 100;
    private static final int MAX_STEP_UNITS = EQUAL_UNITS / 10;

    private final double aging;
    private final int mostStep;
    private final Receiver[] receivers;

    /** The receivers that have a latency, fastest first, in the front of the array. */
    private final Receiver[] sorted;

    /**
     * Equal shares.
     *
     * @param receivers the number of receivers
     * @param aging the weight of the last period's latency against earlier ones, above 0 and up to 1: the alpha of the algorithm
     */
    TrafficShares(int receivers, double aging) {
        this.aging = aging;
        mostStep = Math.max(1, Math.min(MAX_STEP_UNITS, EQUAL_UNITS * receivers / PARTS_OF_TRAFFIC));
        this.receivers = new Receiver[receivers];
        for (int i = 0; i < receivers; i++) {
            this.receivers[i] = new Receiver(i, mostStep);
        }
        sorted = new Receiver[receivers];
    }

    /** The receivers' shares in units. */
    int[] units() {
        return Arrays.stream(receivers).mapToInt(receiver -> receiver.units).toArray();
    }

    /**
     * Ends a period.
     *
     * @param latencies the latency of each receiver in that period, above 0 in any unit; NaN if unknown, which keeps the one before
     * @return whether shares have changed
     */
    boolean adjust(double[] latencies) {
        int known = 0;
        for (Receiver receiver : receivers) {
            receiver.age(latencies[receiver.index], aging);
            if (receiver.agedLatency > 0) {
                sorted[known++] = receiver;
            }
        }
        Arrays.sort(sorted, 0, known, Comparator.comparingDouble((Receiver receiver) -> receiver.agedLatency)
            .thenComparingInt(receiver -> receiver.index));
        boolean changed = false;
        for (int pair = 0; pair < known / 2; pair++) {
            Receiver fast = sorted[pair];
            Receiver slow = sorted[known - 1 - pair];
            if (slow.agedLatency <= TOLERANCE * fast.agedLatency) {
                break;
            }
            int slowStep = slow.stepTo(-1, mostStep);
            int moved = Math.min(Math.min(slowStep, fast.stepTo(1, mostStep)), slow.units - MIN_UNITS);
            slow.units -= moved;
            fast.units += moved;
            changed |= moved > 0;
        }
        return changed;
    }

    private static final class Receiver {
        private final int index;
        private int units = EQUAL_UNITS;
        /** NaN before the first. */
        private double agedLatency = Double.NaN;
        private int step;
        /** 1 if it last got traffic, -1 if it gave some up, 0 before either. */
        private int direction;

        Receiver(int index, int step) {
            this.index = index;
            this.step = step;
        }

        void age(double latency, double aging) {
            if (!Double.isNaN(latency)) {
                agedLatency = Double.isNaN(agedLatency) ? latency : aging * latency + (1 - aging) * agedLatency;
            }
        }

        /** The size of its next step. */
        int stepTo(int newDirection, int mostStep) {
            if (direction == -newDirection) {
                step = Math.max(1, step / 2);
            } else if (direction == newDirection) {
                step = Math.min(mostStep, step + 1);
            }
            direction = newDirection;
            return step;
        }
    }
}
