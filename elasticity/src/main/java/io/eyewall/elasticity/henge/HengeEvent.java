package io.eyewall.elasticity.henge;

import java.util.Locale;

/**
 * An entry of the action log.
 *
 * @param timeMs when, on the clock of the observations
 * @param step the number of the step that it is about; 0 if it is about none
 * @param kind what happened
 * @param text the details, in one line: what was seen, what is predicted or what came of it
 */
public record HengeEvent(long timeMs, long step, Kind kind, String text) {

    /** The event without its time, in one line, such as {@code step 1, kept: all 5.00 -> 10.00}. */
    public String line() {
        return (step == 0 ? "" : "step " + step + ", ") + kind.name().toLowerCase(Locale.ROOT).replace('_', ' ') + ": " + text;
    }

    /** What can happen. */
    public enum Kind {
        /** A plan was made. */
        PLANNED,
        /** The cluster has the executors of the plan. */
        APPLIED,
        /** The plan was not applied in time. */
        ABORTED,
        /** The step was judged: it is kept. */
        KEPT,
        /** The step was judged: it is to be undone. */
        REJECTED,
        /** The step cannot be judged, since the cluster or its load changed meanwhile. */
        NOT_JUDGED,
        /** Nothing more can be done for now. */
        CONVERGED,
        /** The topologies, the machines, the load or the utility changed: the search starts over. */
        RECONVERGENCE,
        /** Somebody gave a running topology an SLO, another one or none. */
        SLO_CHANGED
    }
}
