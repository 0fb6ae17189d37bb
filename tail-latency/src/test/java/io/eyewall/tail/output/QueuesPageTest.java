package io.eyewall.tail.output;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueuesPageTest {

    private static final long START_MS = 1_700_000_000_000L;

    private long nowMs = START_MS;
    private List<WorkerQueues.Queue> queues = List.of();
    private final QueuesPage page = new QueuesPage(() -> queues, "chain-7-1700000000", new Clock() {

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return Instant.ofEpochMilli(nowMs);
        }
    });

    @Test
    void shouldShowForHowLongAQueueHasBeenFull() {
        look(0.2, 0);
        assertEquals("eyewall-queues 1 chain-7-1700000000 1700000001000\ncount\t4\t2\t0.2\t0\t0\nwords\t7\t1\t0.0\t0\t0\n", page.text());
        look(0.9, 0);
        assertEquals(1, fullForMs());
        look(0.6, 0);
        look(1.0, 12);
        assertEquals(2_000, fullForMs());
    }

    @Test
    void shouldCountAQueueAsFullWhileTuplesOfOtherWorkersWaitBesideIt() {
        look(0.1, 3);
        look(0.1, 1);
        assertEquals(1_000, fullForMs());
    }

    @Test
    void shouldForgetAQueueOnlyWhenItIsSeenHalfEmptySomeTimes() {
        look(0.9, 0);
        look(0.1, 0);
        look(0.1, 0);
        assertEquals(2_000, fullForMs());
        look(0.7, 0);
        look(0.1, 0);
        look(0.1, 0);
        assertEquals(5_000, fullForMs());
        look(0.1, 0);
        assertEquals(0, fullForMs());
        look(0.7, 0);
        assertEquals(0, fullForMs());
    }

    @Test
    void shouldForgetTheQueueOfAnExecutorThatHasLeft() {
        look(0.9, 0);
        queues = List.of();
        page.look();
        look(0.6, 0);
        assertEquals(0, fullForMs());
    }

    private void look(double load, int overflow) {
        nowMs += 1_000;
        queues = List.of(new WorkerQueues.Queue("count", 4, 2, load, overflow), new WorkerQueues.Queue("words", 7, 1, 0, 0));
        page.look();
    }

    private long fullForMs() {
        String line = page.text().lines().toList().get(1);
        return Long.parseLong(line.substring(line.lastIndexOf('\t') + 1));
    }
}
