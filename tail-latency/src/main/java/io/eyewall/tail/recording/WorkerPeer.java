package io.eyewall.tail.recording;

import io.eyewall.tail.clock.ClockPeer;

/**
 * One worker of the topology, and how the clock of its host stands to this one's.
 */
final class WorkerPeer {

    private final String host;
    private final int port;

    /** Set by any thread that needs this worker's clock, read by the watching thread. */
    private volatile boolean used;
    /** Written by the watching thread, read by any. */
    private volatile PeerClock clock;
    /** The questions to this worker's host, once it is known to be another one. Used by the watching thread, as all methods but two. */
    private ClockPeer probe;

    WorkerPeer(String host, int port) {
        this.host = host;
        this.port = port;
        this.clock = PeerClock.unknown(name());
    }

    /** The clock as known now. Safe for use by any thread; allocates nothing. */
    PeerClock use() {
        if (!used) {
            used = true;
        }
        return clock;
    }

    /** {@code host:port}, as Storm knows the worker. */
    String name() {
        return host + ':' + port;
    }

    String host() {
        return host;
    }

    int port() {
        return port;
    }

    /** Whether it is not known yet on which host this worker is. */
    boolean isUnknown() {
        return probe == null && clock.errorBoundNs() != 0;
    }

    boolean isRemote() {
        return probe != null;
    }

    /** Whether recorded tuples were received from this worker, or sent to it. */
    boolean isUsed() {
        return used;
    }

    /** This worker shares its clock with us. */
    void setOnThisHost() {
        clock = new PeerClock(name(), 0, 0);
    }

    void setProbe(ClockPeer questions) {
        probe = questions;
    }

    ClockPeer probe() {
        return probe;
    }

    /** What the clock was does not hold any more. */
    void forgetClock() {
        clock = PeerClock.unknown(name());
    }

    /** Publishes what the probe has found. */
    void renewClock() {
        probe.offset().ifPresent(found -> clock = new PeerClock(name(), found.offsetNs(), found.errorBoundNs()));
    }
}
