package io.eyewall.web.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProfileLimitsTest {

    private static final long START_MS = 1_764_028_800_000L;

    private final AtomicLong nowMs = new AtomicLong(START_MS);
    private final ProfileLimits limits = new ProfileLimits(() -> Instant.ofEpochMilli(nowMs.get()));

    @Test
    void shouldSayWhoRecordsAWorkerAndUntilWhen() throws Exception {
        limits.begin(worker(1), "ann", START_MS + 60_000);

        HttpException refused = assertThrows(HttpException.class, () -> limits.begin(worker(1), "bert", START_MS + 90_000));

        assertEquals(409, refused.status());
        assertEquals("The worker a:1 of t-1-1 is being recorded by 'ann' until 2025-11-25T00:01:00Z. Wait, or end that with"
            + " profiling/stop/a:1.", refused.getMessage());
        nowMs.addAndGet(60_000);
        limits.begin(worker(1), "bert", START_MS + 90_000);
    }

    @Test
    void shouldRefuseMoreThanAFew() throws Exception {
        for (int port = 1; port <= ProfileLimits.MOST; port++) {
            limits.begin(worker(port), null, START_MS + 60_000 - port);
        }

        HttpException refused = assertThrows(HttpException.class, () -> limits.begin(worker(9), "bert", START_MS + 90_000));

        assertEquals(429, refused.status());
        assertEquals("5 workers are being recorded, the most at a time. The first to end is a:5 of t-1-1, recorded by somebody who has not"
            + " logged in until 2025-11-25T00:00:59Z. Wait, or end one with profiling/stop/HOST:PORT.", refused.getMessage());
        // Who may stop another topology's workers ends nothing of this one's.
        limits.end(new ProfileLimits.Worker("other-1-1", "a:5"));
        assertThrows(HttpException.class, () -> limits.begin(worker(9), "bert", START_MS + 90_000));
        limits.end(worker(2));
        limits.begin(worker(9), "bert", START_MS + 90_000);
    }

    private static ProfileLimits.Worker worker(int port) {
        return new ProfileLimits.Worker("t-1-1", "a:" + port);
    }
}
