package io.eyewall.tail.recording;

/**
 * How the clock of another worker's host stands to this host's.
 *
 * @param peer the other worker, as {@code host:port}
 * @param offsetNs its clock minus this host's, in nanoseconds
 * @param errorBoundNs by how much the offset may be wrong, in nanoseconds; 0 on the same host, {@link #UNKNOWN_ERROR_NS} as long as
 *     nothing is known of it
 */
public record PeerClock(String peer, long offsetNs, long errorBoundNs) {

    /** An hour: more than any latency that could be told from it. */
    public static final long UNKNOWN_ERROR_NS = 3_600_000_000_000L;

    /** The clock of a worker of which nothing is known. */
    static PeerClock unknown(String peer) {
        return new PeerClock(peer, 0, UNKNOWN_ERROR_NS);
    }
}
