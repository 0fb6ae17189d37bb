package io.eyewall.transport.fabric.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The small pure parts of a link: credits, order, pauses, slots. */
class LedgersTest {

    @Test
    void shouldReportCreditsWhenHalfIsUsedUp() throws ProtocolException {
        CreditLedger ledger = new CreditLedger(5);
        for (int i = 0; i < 2; i++) {
            ledger.spent();
            ledger.reposted();
            assertFalse(ledger.isReportDue());
        }
        ledger.spent();
        ledger.reposted();
        assertTrue(ledger.isReportDue());
        assertEquals(3, ledger.report());
        assertFalse(ledger.isReportDue());
        assertEquals(0, ledger.report());
    }

    @Test
    void shouldAllowNothingBeforeThePeerTellsItsWindow() throws ProtocolException {
        CreditLedger ledger = new CreditLedger(4);
        assertEquals(0, ledger.available());
        ledger.open(2);
        assertEquals(2, ledger.available());
        ledger.take();
        ledger.add(1);
        assertEquals(2, ledger.available());
    }

    @Test
    void shouldRefuseCreditsThatWereNotSpent() {
        CreditLedger ledger = new CreditLedger(4);
        ledger.open(2);
        assertThrows(ProtocolException.class, () -> ledger.add(1));
        ledger.take();
        assertThrows(ProtocolException.class, () -> ledger.add(Integer.MAX_VALUE));
        assertEquals(1, ledger.available());
    }

    @Test
    void shouldRefuseFramesWithoutCredit() throws ProtocolException {
        CreditLedger ledger = new CreditLedger(2);
        ledger.spent();
        ledger.spent();
        assertThrows(ProtocolException.class, ledger::spent);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldPutFramesInOrderWhateverTheOrderOfCompletion(long seed) throws ProtocolException {
        Random random = new Random(seed);
        int window = 8;
        FrameReorderBuffer order = new FrameReorderBuffer(window);
        List<Integer> underWay = new ArrayList<>();
        int sent = 0;
        int delivered = 0;
        while (delivered < 10_000) {
            while (underWay.size() < window && sent < delivered + window) {
                underWay.add(sent++);
            }
            Collections.shuffle(underWay, random);
            int sequence = underWay.remove(0);
            order.put(sequence, sequence % 1_000);
            for (int slot = order.next(); slot != FrameReorderBuffer.NONE; slot = order.next()) {
                assertEquals(delivered++ % 1_000, slot);
            }
        }
    }

    @Test
    void shouldKeepOrderWhenSequenceNumbersWrapAround() throws ProtocolException {
        FrameReorderBuffer order = new FrameReorderBuffer(6);
        for (int sequence = 0; sequence < 3; sequence++) {
            order.put(sequence, 0);
            order.next();
        }
        assertThrows(ProtocolException.class, () -> order.put(2, 0));
        assertThrows(ProtocolException.class, () -> order.put(3 + 8, 0));
        order.put(3 + 7, 7);
        assertThrows(ProtocolException.class, () -> order.put(3 + 7, 7));
        assertEquals(FrameReorderBuffer.NONE, order.next());
    }

    @Test
    void shouldDoubleThePauseUpToTheLongest() {
        ExponentialBackoff backoff = new ExponentialBackoff(10, 1_000);
        List<Long> pauses = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            pauses.add(backoff.next());
        }
        assertEquals(List.of(10L, 20L, 40L, 80L, 160L, 320L, 640L, 1_000L, 1_000L), pauses);
        backoff.reset();
        assertEquals(10, backoff.next());
    }

    @Test
    void shouldGiveSlotsBackFromEitherEnd() {
        SlotQueue slots = new SlotQueue(2);
        slots.add(7);
        slots.add(8);
        assertThrows(IllegalStateException.class, () -> slots.add(9));
        assertEquals(7, slots.remove());
        slots.add(9);
        assertEquals(8, slots.remove());
        assertEquals(9, slots.peek());
        assertEquals(9, slots.remove());
        assertTrue(slots.isEmpty());
        slots.add(10);
        slots.add(11);
        assertEquals(11, slots.removeNewest());
        slots.add(12);
        assertEquals(12, slots.removeNewest());
        assertEquals(10, slots.removeNewest());
        assertTrue(slots.isEmpty());
    }
}
