package io.eyewall.client.seam.woven;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.api.Test;

/** A queue is noted whenever it is not, as at first, after a flush, and when a task has moved to another one. */
class NotedForFlushTest {

    private final AtomicReferenceArray<Object> noted = new AtomicReferenceArray<>(2);
    private final Object queue = new Object();

    @Test
    void shouldNoteAQueueAgainAfterEachFlush() {
        for (int flush = 0; flush < 3; flush++) {
            for (int tuple = 0; tuple < 3; tuple++) {
                WovenCalls.noteForFlush(noted, 1, queue);
                assertSame(queue, noted.get(1));
            }
            noted.set(1, null);
        }
        assertNull(noted.get(0));
    }

    @Test
    void shouldNoteTheOtherQueueOfATaskThatHasMoved() {
        Object other = new Object();
        WovenCalls.noteForFlush(noted, 1, queue);

        WovenCalls.noteForFlush(noted, 1, other);

        assertSame(other, noted.get(1));
    }
}
