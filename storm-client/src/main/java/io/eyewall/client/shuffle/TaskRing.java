package io.eyewall.client.shuffle;

import java.util.Arrays;
import java.util.PriorityQueue;

/**
 * The order in which receivers take turns. Each has turns in proportion to its share, spread as evenly as the turns of the others allow.
 * Tuples that are sent in this order meet shorter queues than tuples that are sent by a random choice.
 */
public final class TaskRing {

    private TaskRing() {
    }

    /**
     * One round of turns.
     *
     * @param units the share of each receiver, 0 or above; at least one is above 0
     * @return the index of the receiver of each turn
     */
    public static int[] of(int[] units) {
        int divisor = Arrays.stream(units).reduce(0, TaskRing::greatestCommonDivisor);
        PriorityQueue<Turns> next = new PriorityQueue<>();
        int length = 0;
        for (int i = 0; i < units.length; i++) {
            if (units[i] > 0) {
                next.add(new Turns(i, units[i] / divisor));
                length += units[i] / divisor;
            }
        }
        int[] ring = new int[length];
        for (int i = 0; i < length; i++) {
            Turns turns = next.remove();
            ring[i] = turns.receiver;
            turns.taken++;
            next.add(turns);
        }
        return ring;
    }

    private static int greatestCommonDivisor(int a, int b) {
        return b == 0 ? a : greatestCommonDivisor(b, a % b);
    }

    /** The turns of one receiver. The k-th of n is due at (2 k + 1) / 2 n of the round. */
    private static final class Turns implements Comparable<Turns> {
        private final int receiver;
        private final long number;
        private long taken;

        Turns(int receiver, int number) {
            this.receiver = receiver;
            this.number = number;
        }

        @Override
        public int compareTo(Turns other) {
            int order = Long.compare((2 * taken + 1) * other.number, (2 * other.taken + 1) * number);
            return order == 0 ? Integer.compare(receiver, other.receiver) : order;
        }
    }
}
