package io.eyewall.tail.replay;

/**
 * Decides how many messages may be sent again. In a period it is a percentage of the messages that the spout emits in it, or emitted in one
 * of the two periods before, whichever number is largest: a spout whose messages are all late cannot emit new ones. With 5 %, 1,000
 * messages in the last period and 1,500 so far in this one, it is 75. A period without emits is extended, so that the last messages of a
 * burst may be sent again, too, however late they are. Two earlier periods count, since a burst may end with few messages in a period of
 * their own. Used by one thread.
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

    /** Counts a message that was emitted. */
    void emitted() {
        emitted++;
    }

    /** Whether a message may be sent again; if so, uses up that much of the budget. */
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
