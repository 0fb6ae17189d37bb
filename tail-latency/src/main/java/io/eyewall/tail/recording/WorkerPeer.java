package io.eyewall.tail.recording;

import io.eyewall.tail.clock.ClockExchange;

/**
 * One worker of the topology, and the clock of its host relative to this host's.
 */
final class WorkerPeer {

    private final String host;
    private final int port;

    /** Set by any thread that needs this worker's clock, read by the watching thread. */
    private volatile boolean used;
    /** Written by the watching thread, read by any. */
    private volatile WorkerClock clock;
    /** The exchange with this worker's host, once that is known to be another host. For the watching thread, like most methods. */
    private ClockExchange exchange;

    WorkerPeer(String host, int port) {
        this.host = host;
        this.port = port;
        this.clock = WorkerClock.unknown(name());
    }

    /** The clock as known now. Safe for use by any thread; allocates nothing. */
    WorkerClock use() {
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

    /** Whether the host of this worker is not known yet. */
    boolean isUnknown() {
        return exchange == null && clock.errorBoundNs() != 0;
    }

    boolean isRemote() {
        return exchange != null;
    }

    /** Whether recorded tuples were received from this worker, or sent to it. */
    boolean isUsed() {
        return used;
    }

    /** Notes that that worker is on this host, so that both have the same clock. */
    void setOnThisHost() {
        clock = new WorkerClock(name(), 0, 0);
    }

    void setExchange(ClockExchange other) {
        exchange = other;
    }

    ClockExchange exchange() {
        return exchange;
    }

    /** Forgets the offset, which no longer holds. */
    void forgetClock() {
        clock = WorkerClock.unknown(name());
    }

    /** Publishes the offset that the exchange has found. */
    void renewClock() {
        exchange.offset().ifPresent(found -> clock = new WorkerClock(name(), found.offsetNs(), found.errorBoundNs()));
    }
}
