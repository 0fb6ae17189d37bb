package io.eyewall.client.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SpaceSignalTest {

    private final AtomicInteger reports = new AtomicInteger();
    private final SpaceSignal signal = new SpaceSignal(reports::incrementAndGet);

    @Test
    void shouldReportOnceThatTheOverflowListIsEmpty() {
        signal.consumed(() -> true);
        assertEquals(0, reports.get(), "nothing had overflowed");
        signal.overflowed();
        signal.consumed(() -> false);
        assertEquals(0, reports.get());

        signal.consumed(() -> true);
        signal.consumed(() -> true);

        assertEquals(1, reports.get());
    }

    /** The second consumer takes the last element while the first one looks at the list. */
    @Test
    void shouldReportWhenAnotherConsumerEmptiesTheListDuringALook() {
        AtomicBoolean isEmpty = new AtomicBoolean();
        signal.overflowed();

        signal.consumed(() -> {
            boolean wasEmpty = isEmpty.getAndSet(true);
            if (!wasEmpty) {
                signal.consumed(isEmpty::get);
            }
            return wasEmpty;
        });

        assertEquals(1, reports.get());
    }

    @Test
    void shouldReportForAnotherQueueByItself() {
        SpaceSignal other = signal.another();
        signal.overflowed();
        other.overflowed();

        other.consumed(() -> true);
        assertEquals(1, reports.get());
        signal.consumed(() -> true);
        assertEquals(2, reports.get());
    }
}
