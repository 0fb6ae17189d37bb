package io.eyewall.client.seam;

/**
 * The seam <em>tuple-deadline</em>, woven into {@code TupleImpl}: carries the time until which a tuple's message should be processed,
 * inside a worker.
 */
public interface DeadlineHolder {

    /** The time in nanoseconds on a clock of the worker's, or 0 if the tuple has none. */
    long getEyewallDeadlineNs();

    /** Sets the time. Only for the thread that holds the tuple; the time is handed on with the tuple. */
    void setEyewallDeadlineNs(long deadlineNs);
}
