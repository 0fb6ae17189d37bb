package io.eyewall.elasticity.henge;

import java.util.Locale;

/** The kinds of steps of the state machine. */
public enum Action {

    /** Gives executors to the congested operators of a topology that misses its SLO. */
    RECONFIGURATION,
    /** Moves executors of a topology that misses its SLO to other machines. */
    RELOCATION,
    /** Switches a technique on in the running workers of a topology that misses its SLO. */
    SWITCH,
    /** Takes executors from operators that are not congested, of topologies that meet their SLO. */
    REDUCTION,
    /** Takes back what was done: goes back to an earlier configuration, or switches a technique off that has come to cost too much. */
    REVERSION;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
