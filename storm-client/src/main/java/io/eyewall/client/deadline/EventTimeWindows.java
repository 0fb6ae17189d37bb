package io.eyewall.client.deadline;

import org.apache.storm.tuple.Tuple;
import org.apache.storm.windowing.TimestampExtractor;

/** The event-time windows of one task: reads the times of its tuples for {@link WindowProgress}. */
final class EventTimeWindows {

    private final Deadlines deadlines;
    private final WindowProgress progress;
    /** Null once nothing may wait. */
    private volatile TimestampExtractor timestamps;

    /**
     * The windows of a task.
     *
     * @param timestamps reads the time of a tuple, for any thread
     */
    EventTimeWindows(Deadlines deadlines, WindowProgress progress, TimestampExtractor timestamps) {
        this.deadlines = deadlines;
        this.progress = progress;
        this.timestamps = timestamps;
    }

    /** From now on no tuple waits for its window. */
    void holdNothing() {
        timestamps = null;
    }

    /** A tuple has arrived. For any thread. */
    void arrived(Tuple tuple) {
        long tupleMs = timeMs(tuple);
        if (progress.isNews(tupleMs)) {
            progress.arrives(tupleMs, deadlines.nowNs());
        }
    }

    /** A tuple is about to be executed. For the task's thread. */
    void executing(Tuple tuple) {
        long tupleMs = timeMs(tuple);
        if (progress.isOver(tupleMs)) {
            progress.passes(tupleMs, deadlines.nowNs());
        }
    }

    /** Until when a tuple with that deadline may wait; see {@link WindowProgress#untilNs}. */
    long untilNs(long deadlineNs) {
        return timestamps == null ? deadlineNs : progress.untilNs(deadlineNs);
    }

    private long timeMs(Tuple tuple) {
        TimestampExtractor reads = timestamps;
        if (reads != null) {
            try {
                return reads.extractTimestamp(tuple);
            } catch (RuntimeException e) {
                holdNothing(); // It has no such field, or no number there. The bolt says so when it executes the tuple.
            }
        }
        return Long.MIN_VALUE;
    }
}
