package io.eyewall.tail.recording;

/**
 * The clock of another worker's host, relative to this host's.
 *
 * @param peer the other worker, as {@code host:port}
 * @param offsetNs its clock minus this host's, in nanoseconds
 * @param errorBoundNs by how much the offset may be wrong, in nanoseconds; 0 on the same host, {@link #UNKNOWN_ERROR_NS} while the
 *     offset is unknown
 */
public record WorkerClock(String peer, long offsetNs, long errorBoundNs) {

    /** An hour: more than any latency that could be measured with it. */
    public static final long UNKNOWN_ERROR_NS = 3_600_000_000_000L;

    /** The clock of a worker whose offset is unknown. */
    static WorkerClock unknown(String peer) {
        return new WorkerClock(peer, 0, UNKNOWN_ERROR_NS);
    }
}
