package io.eyewall.transport.fabric.link;

/** What a progress thread does while it has no work. */
public enum IdleMode {

    /** Polls again at once. Gives the least latency and keeps one core busy per progress thread. */
    SPIN,

    /** Polls again after a pause that grows from a microsecond to a millisecond. For providers that cannot wake a sleeping thread. */
    BACK_OFF,

    /** Sleeps until the provider wakes the thread. Costs a few microseconds of latency; the right choice for shared hosts. */
    WAIT
}
