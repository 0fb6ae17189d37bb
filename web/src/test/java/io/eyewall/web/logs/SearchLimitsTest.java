package io.eyewall.web.logs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.web.api.HttpException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SearchLimitsTest {

    private static final int MAX_AT_A_TIME = 8;

    private final AtomicLong nowNs = new AtomicLong();
    private final SearchLimits limits = new SearchLimits(nowNs::get, Duration.ofSeconds(10));

    @Test
    void shouldLetSoManySearchAtATimeAndOthersAfterThem() throws Exception {
        assertEquals("8 searches run on this host. Try again when one of them has ended.",
            assertThrows(HttpException.class, () -> searchers(MAX_AT_A_TIME + 1)).getMessage());
        assertEquals(MAX_AT_A_TIME, searchers(MAX_AT_A_TIME));
    }

    @Test
    void shouldTellASearchThatItsTimeIsOver() throws Exception {
        limits.search(over -> {
            assertEquals(false, over.getAsBoolean());
            nowNs.addAndGet(Duration.ofSeconds(11).toNanos());
            assertTrue(over.getAsBoolean());
            return null;
        });
    }

    /** So many searches, each within the one before. */
    private int searchers(int left) throws HttpException, IOException {
        return left == 0 ? 0 : limits.search(over -> 1 + searchers(left - 1));
    }
}
