package io.eyewall.client.stream.manager;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * How much waits in a stream manager for each instance of its container and for each other container, and for whom it is too much. All
 * share one limit, so a few that are slow may have much each, and many have little each. One that takes what it is sent always finds room.
 *
 * <p>The share is that of A. K. Choudhury and E. L. Hahne, Dynamic Queue Length Thresholds for Shared-Memory Packet Switches, IEEE/ACM
 * Transactions on Networking 6 (2), 1998, equation 1: {@code T = a * (B - Q)}, with {@code a} = 1/2, {@code B} the limit and {@code Q} all
 * that waits. Of 64 MB, one that stands still gets 21.3 MB, and three 12.8 MB each. The rest is for those that do not stand still.
 *
 * <p>A destination beyond its share is full, and its senders have to wait. What they sent before still arrives. There is room for it in any
 * case if its sender waits in time; otherwise up to a second limit, beyond which it has to be dropped.
 *
 * <p>A large message counts as a whole from when it begins to come. It has to wait for room before that, unless its destination has
 * little waiting and no other one is coming for it: where a destination takes what it gets, there is always progress. Without threads or a
 * clock; used by one thread.
 */
final class Backlog {

    /** The bytes that all destinations share. Whoever sends to a destination that is beyond its share has to wait. */
    private static final long SHARED_BYTES = 64L << 20;
    /** How much waits before messages are dropped. */
    private static final long MAX_BYTES = 96L << 20;
    /** More than this is congestion, even where the share is larger. */
    private static final long CONGESTED_BYTES = 1L << 20;
    /** How much may come before everything is measured again. */
    private static final long DECISION_BYTES = 256 * 1024;

    private final long sharedBytes;
    private final long mostBytes;
    private final List<Destination> destinations = new ArrayList<>();
    /** Where a message is for that has no destination so far. */
    private final Destination unknown = new Destination(Long.MAX_VALUE, state -> { });
    private long usedBytes;
    private long newBytes;

    /** How it is with a destination. */
    enum State {
        /** It takes what it is sent. */
        FREE,
        /** It does not keep up, and back-pressure is due. */
        CONGESTED,
        /** It is beyond its share, and its senders have to wait. */
        FULL
    }

    /** With the limits that fit the memory of a stream manager. */
    Backlog() {
        this(SHARED_BYTES, MAX_BYTES);
    }

    /** With smaller limits. */
    Backlog(long sharedBytes, long mostBytes) {
        this.sharedBytes = sharedBytes;
        this.mostBytes = mostBytes;
    }

    /** Adds a destination for which nothing waits, whose share is at most so much; {@code changed} is told of its states. */
    Destination add(long mostShareBytes, Consumer<State> changed) {
        Destination added = new Destination(mostShareBytes, changed);
        destinations.add(added);
        return added;
    }

    /** Forgets a destination and what waits for it. It hears of no state any more. */
    void remove(Destination gone) {
        if (destinations.remove(gone)) {
            usedBytes -= gone.bytes;
        }
    }

    /** Stands for all destinations for which nothing has waited so far, and that were not added. */
    Destination unknown() {
        return unknown;
    }

    /** The bytes that are coming or wait for any destination, by the last measurement and what came since. */
    long usedBytes() {
        return usedBytes;
    }

    /** Whether so much has come that everything should be measured again, and {@link #decide} called. */
    boolean isDecisionDue() {
        return newBytes >= Math.min(DECISION_BYTES, least());
    }

    /** Whether every destination is free, so that nobody waits. */
    boolean isCalm() {
        for (Destination destination : destinations) {
            if (destination.state != State.FREE) {
                return false;
            }
        }
        return true;
    }

    /** Gives each destination its state by what was measured last. */
    void decide() {
        newBytes = 0;
        long share = Math.max((sharedBytes - usedBytes) / 2, least());
        for (Destination destination : List.copyOf(destinations)) {
            destination.decide(share);
        }
    }

    /** What every destination may have, however much waits for others: together a quarter of what they share. */
    private long least() {
        return sharedBytes / 4 / Math.max(1, destinations.size());
    }

    /** An instance of this container, or another container. */
    final class Destination {

        private final long mostShareBytes;
        private final Consumer<State> changed;
        private State state = State.FREE;
        private long bytes;
        /** Of large messages that are coming. */
        private long comingBytes;

        private Destination(long mostShareBytes, Consumer<State> changed) {
            this.mostShareBytes = mostShareBytes;
            this.changed = changed;
        }

        /** Whether it was beyond its share when that was decided last. */
        boolean isFull() {
            return state == State.FULL;
        }

        /** So much waits for it. */
        void measured(long nowBytes) {
            usedBytes += nowBytes - bytes;
            bytes = nowBytes;
        }

        /**
         * Whether the rest of a large message may come. If so, all of it counts until {@link #ended} is called.
         *
         * @param mustPass whether it may come whatever waits, if no other one is coming
         */
        boolean begin(int messageBytes, boolean mustPass) {
            if (usedBytes + messageBytes > sharedBytes && (comingBytes > 0 || !(mustPass || hasLittle()))) {
                return false;
            }
            comingBytes += messageBytes;
            usedBytes += messageBytes;
            newBytes += messageBytes;
            return true;
        }

        /** A message that had begun has come as a whole, or never will. */
        void ended(int messageBytes) {
            comingBytes -= messageBytes;
            usedBytes -= messageBytes;
        }

        /**
         * Whether there is room for a message. If so, it counts from now on. There always is for a destination that has little waiting,
         * however long the message is, so that those beyond their share take nothing from it.
         *
         * @param inAnyCase whether it has room in any case: it had room before, or its sender waits after it
         */
        boolean add(int messageBytes, boolean inAnyCase) {
            if (!inAnyCase && usedBytes + messageBytes > mostBytes && !hasLittle()) {
                return false;
            }
            bytes += messageBytes;
            usedBytes += messageBytes;
            newBytes += messageBytes;
            return true;
        }

        private boolean hasLittle() {
            return bytes <= least();
        }

        /** A state lasts until half of what has led to it is gone, so that it does not change with every message. */
        private void decide(long shareOfAll) {
            long share = Math.min(shareOfAll, mostShareBytes);
            long congestion = Math.min(CONGESTED_BYTES, share / 2);
            State next = State.FREE;
            if (bytes > share || (state == State.FULL && bytes > share / 2)) {
                next = State.FULL;
            } else if (bytes > congestion || (state != State.FREE && bytes > congestion / 2)) {
                next = State.CONGESTED;
            }
            if (next != state) {
                state = next;
                changed.accept(next);
            }
        }
    }
}
