package io.eyewall.transport.fabric.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.transport.fabric.link.frame.ProtocolException;
import org.junit.jupiter.api.Test;

class CreditLedgerTest {

    @Test
    void shouldReturnCreditsWhenHalfOfThemAreUsed() throws ProtocolException {
        CreditLedger ledger = new CreditLedger(5);
        for (int i = 0; i < 2; i++) {
            ledger.received();
            ledger.reposted();
            assertFalse(ledger.isReturnDue());
        }
        ledger.received();
        ledger.reposted();
        assertTrue(ledger.isReturnDue());
        assertEquals(3, ledger.takeReturns());
        assertFalse(ledger.isReturnDue());
        assertEquals(0, ledger.takeReturns());
    }

    @Test
    void shouldAllowNoDataBeforeThePeerAnnouncesItsWindow() throws ProtocolException {
        CreditLedger ledger = new CreditLedger(4);
        assertEquals(0, ledger.available());
        ledger.open(2);
        assertEquals(2, ledger.available());
        ledger.spend();
        ledger.add(1);
        assertEquals(2, ledger.available());
    }

    @Test
    void shouldRefuseCreditsThatWereNotSpent() {
        CreditLedger ledger = new CreditLedger(4);
        ledger.open(2);
        assertThrows(ProtocolException.class, () -> ledger.add(1));
        ledger.spend();
        assertThrows(ProtocolException.class, () -> ledger.add(Integer.MAX_VALUE));
        assertEquals(1, ledger.available());
    }

    @Test
    void shouldRefuseAFrameWithoutACredit() throws ProtocolException {
        CreditLedger ledger = new CreditLedger(2);
        ledger.received();
        ledger.received();
        assertThrows(ProtocolException.class, ledger::received);
    }
}
