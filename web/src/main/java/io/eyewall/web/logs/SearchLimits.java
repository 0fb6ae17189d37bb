package io.eyewall.web.logs;

import io.eyewall.client.time.NanoClock;
import io.eyewall.web.api.HttpException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;

/**
 * Keeps those who search, list or look at logs from taking the host's disks and cores from its workers, and the logviewer's small heap
 * from each other: so many searches run at a time, each for so long and until its response is written. Safe for any thread.
 */
final class SearchLimits {

    private static final int UNAVAILABLE = 503;
    private static final int MAX_AT_A_TIME = 8;

    private final NanoClock clock;
    private final long longestNs;
    private final Semaphore places = new Semaphore(MAX_AT_A_TIME);

    SearchLimits(NanoClock clock, Duration longest) {
        this.clock = clock;
        this.longestNs = longest.toNanos();
    }

    /**
     * What takes long.
     *
     * @param <T> what comes of it
     */
    @FunctionalInterface
    interface Search<T> {

        /** Ends when {@code over} says true. */
        T run(BooleanSupplier over) throws HttpException, IOException;
    }

    /** Searches; throws a 503 if too many do. */
    <T> T search(Search<T> search) throws HttpException, IOException {
        if (!places.tryAcquire()) {
            throw new HttpException(UNAVAILABLE, MAX_AT_A_TIME + " searches run on this host. Try again when one of them has ended.");
        }
        try {
            long startNs = clock.nanoTime();
            return search.run(() -> clock.nanoTime() - startNs > longestNs);
        } finally {
            places.release();
        }
    }

    static HttpException tooMany() {
        return new HttpException(UNAVAILABLE, "There are more logs on this host than can be listed at once. Add ?topoId=TOPOLOGY-ID, and"
            + " &port=PORT if its topology has too many.");
    }

    static HttpException tooLong() {
        return new HttpException(UNAVAILABLE, "The log is too long to be read up to there in time. Download it.");
    }
}
