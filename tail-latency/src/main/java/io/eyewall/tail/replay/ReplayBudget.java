package io.eyewall.tail.replay;

/**
 * Decides how many messages may be sent again: in a period at most so many per cent of those that the spout emits in it, or of those that
 * it emitted in one of the two before, whichever is most, since a spout whose messages are all late can emit nothing new. With 5 %, 1,000
 * messages in the last period and 1,500 by now in this one it is 75. A period in which nothing is emitted goes on, so that the last
 * messages of a burst may be sent again too, however late they become; and since a burst may end with few messages in a period of their
 * own, it is two periods that count. Used by one thread.
 */
final class ReplayBudget {

    private static final int WHOLE = 100;

    private final int percent;
    private long emittedTwoBefore;
    private long emittedBefore;
    private long emitted;
    private long taken;

    ReplayBudget(int percent) {
        this.percent = percent;
    }

    /** A message was emitted. */
    void emitted() {
        emitted++;
    }

    /** Whether one may be sent again, which is used up then. */
    boolean take() {
        long most = Math.max(emitted, Math.max(emittedBefore, emittedTwoBefore));
        if ((taken + 1) * WHOLE > percent * most) {
            return false;
        }
        taken++;
        return true;
    }

    /** Ends a period, if a message was emitted in it. */
    void endPeriod() {
        if (emitted == 0) {
            return;
        }
        emittedTwoBefore = emittedBefore;
        emittedBefore = emitted;
        emitted = 0;
        taken = 0;
    }
}
