package io.eyewall.client.pool;

import java.util.PriorityQueue;

/** The executors that get a turn at a certain time even if nothing wakes them. Safe for use by any thread. */
final class Timers {

    /** The result of {@link #nextNs} if there is no timer. */
    static final long NONE = Long.MAX_VALUE;

    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    /** When the first of them is due; written under the lock. */
    private volatile long nextNs = NONE;

    /** When an executor is due, in nanoseconds since the pool started. */
    record Timer(PooledExecutor executor, long dueNs) implements Comparable<Timer> {
        @Override
        public int compareTo(Timer other) {
            return Long.compare(dueNs, other.dueNs);
        }
    }

    /** When the first timer is due, in nanoseconds since the pool started, or {@link #NONE}. */
    long nextNs() {
        return nextNs;
    }

    synchronized void add(Timer timer) {
        timers.add(timer);
        nextNs = timers.peek().dueNs();
    }

    /** Takes the first timer if it is due by that time, or returns null. */
    synchronized Timer take(long nowNs) {
        Timer first = timers.peek();
        if (first == null || first.dueNs() > nowNs) {
            return null;
        }
        timers.remove();
        nextNs = timers.isEmpty() ? NONE : timers.peek().dueNs();
        return first;
    }
}
