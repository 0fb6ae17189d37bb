package io.eyewall.web.api;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which workers callers of this UI record, and until when: one recording of a worker at a time, since the Supervisor runs no second one,
 * and few of all, since each costs its worker CPU time. Safe for any thread.
 */
final class ProfileLimits {

    /** How many recordings run at a time. */
    static final int MOST = 5;

    private static final int CONFLICT = 409;
    private static final int TOO_MANY = 429;

    private final InstantSource clock;
    // Used under this object's lock.
    private final Map<Worker, Recording> recordings = new TreeMap<>();

    ProfileLimits(InstantSource clock) {
        this.clock = clock;
    }

    /** A worker of a topology, HOST:PORT. */
    record Worker(String topology, String worker) implements Comparable<Worker> {

        @Override
        public int compareTo(Worker other) {
            int byTopology = topology.compareTo(other.topology);
            return byTopology == 0 ? worker.compareTo(other.worker) : byTopology;
        }

        @Override
        public String toString() {
            return worker + " of " + topology;
        }
    }

    /** Who records, and when that ends by itself. */
    private record Recording(String user, long endMs) {

        @Override
        public String toString() {
            return (user == null ? "somebody who has not logged in" : Parameters.shown(user)) + " until "
                + Instant.ofEpochMilli(endMs).truncatedTo(ChronoUnit.SECONDS);
        }
    }

    /**
     * Begins a recording.
     *
     * @param user null if nobody has logged in
     * @throws HttpException a 409 if the worker is being recorded, or a 429 if too many are; it says by whom and until when
     */
    synchronized void begin(Worker worker, String user, long endMs) throws HttpException {
        recordings.values().removeIf(recording -> recording.endMs <= clock.millis());
        Recording before = recordings.get(worker);
        if (before != null) {
            throw new HttpException(CONFLICT, "The worker " + worker + " is being recorded by " + before
                + ". Wait, or end that with profiling/stop/" + worker.worker + ".");
        }
        if (recordings.size() >= MOST) {
            Map.Entry<Worker, Recording> first = recordings.entrySet().stream()
                .min(Map.Entry.comparingByValue((a, b) -> Long.compare(a.endMs, b.endMs))).orElseThrow();
            throw new HttpException(TOO_MANY, MOST + " workers are being recorded, the most at a time. The first to end is "
                + first.getKey() + ", recorded by " + first.getValue() + ". Wait, or end one with profiling/stop/HOST:PORT.");
        }
        recordings.put(worker, new Recording(user, endMs));
    }

    /** Ends a recording, if there is one. */
    synchronized void end(Worker worker) {
        recordings.remove(worker);
    }
}
