package io.eyewall.web.history;

/** What is counted for a component since it started; times are microseconds. */
enum Counter {
    EMITTED(0, false),
    TRANSFERRED(1, false),
    ACKED(2, false),
    FAILED(3, false),
    EXECUTED(4, false),
    EXECUTE_US(5, true),
    PROCESS_US(6, true),
    COMPLETE_US(7, true);

    private final int place;
    private final boolean time;

    Counter(int place, boolean time) {
        this.place = place;
        this.time = time;
    }

    /** Where it is in a list of all, also in the stored form. */
    int place() {
        return place;
    }

    /** Whether it is a sum of times, which is a product of an average and may shrink a little; the others only shrink by a restart. */
    boolean isTime() {
        return time;
    }
}
