package io.eyewall.transport.fabric.link;

/** What a progress thread does when there is nothing to do. */
public enum IdleMode {

    /** Looks again at once. Least latency; keeps one core busy per progress thread. */
    SPIN,

    /** Looks again after a pause that grows from a microsecond to a millisecond. For providers that a thread cannot sleep on. */
    BACK_OFF,

    /** Sleeps until the provider wakes it. Costs a few microseconds of latency and nothing else; right for shared hosts. */
    WAIT
}
