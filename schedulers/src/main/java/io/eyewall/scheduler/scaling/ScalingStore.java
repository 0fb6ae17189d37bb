package io.eyewall.scheduler.scaling;

import java.util.List;

/**
 * Where orders are posted and answered, and the action log is kept. For one thread.
 *
 * <p>Whatever its methods throw, unchecked, is for the caller to try again in a later round.
 */
interface ScalingStore {

    /** The orders that are there, answered or not. */
    List<ScalingRecord> posts();

    /** Puts an answered order in the place of the one that was not; does nothing if it is gone. */
    void answer(ScalingRecord post);

    /** Takes an order away; does nothing if it is gone. */
    void remove(ScalingRecord post);

    /** The action log, oldest first; empty if there is none. */
    List<ScalingEvent> events();

    /** Appends to the action log. */
    void log(List<ScalingEvent> events);
}
