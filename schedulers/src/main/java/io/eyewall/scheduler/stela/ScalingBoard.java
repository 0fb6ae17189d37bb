package io.eyewall.scheduler.stela;

import java.util.List;

/**
 * Where orders are posted and answered, and the action log is kept. For one thread.
 *
 * <p>Whatever its methods throw, unchecked, is for the caller to try again in a later round.
 */
interface ScalingBoard {

    /** The orders that are there, answered or not. */
    List<ScalingPost> posts();

    /** Puts an answered order in the place of the one that was not; does nothing if it is gone. */
    void answer(ScalingPost post);

    /** Takes an order away; does nothing if it is gone. */
    void remove(ScalingPost post);

    /** The action log, oldest first; empty if there is none. */
    List<ScalingEvent> events();

    /** Appends to the action log. */
    void log(List<ScalingEvent> events);
}
