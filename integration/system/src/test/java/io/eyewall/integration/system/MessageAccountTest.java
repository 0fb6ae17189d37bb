package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class MessageAccountTest {

    private static final List<String> REPLAYED =
        List.of("open", "emit 0", "emit 1", "ack 0", "fail 1", "emit 1", "open", "emit 1", "ack 1");

    @Test
    void shouldAcceptMessagesThatCameAgainWhenTheyWereEmittedAgain() {
        MessageAccount account = MessageAccount.of(REPLAYED, List.of("0 a b", "1 a b", "1 a a", "1 b b"));
        assertTrue(account.isSettled());
        account.assertNothingLost();
        assertEquals("2 spouts emitted 4: 2 acked, 1 failed, 1 replayed by the next spout, 0 of others lost, 0 under way;"
            + " 2 numbers, of which 1 came more than once", account.toString());
    }

    @Test
    void shouldNotBeSettledWhenAMessageIsUnderWayOrHasFailed() {
        assertFalse(MessageAccount.of(List.of("open", "emit 0"), List.of()).isSettled());
        assertFalse(MessageAccount.of(List.of("open", "emit 0", "fail 0"), List.of()).isSettled());
        assertFalse(MessageAccount.of(List.of("open", "emit 0", "open"), List.of()).isSettled());
    }

    @Test
    void shouldFindTheMessageThatIsAckedAndNeverCame() {
        assertFinds("acked, and never came", MessageAccount.of(REPLAYED, List.of("0 a b")));
    }

    @Test
    void shouldFindTheMessageThatCameMoreOftenThanItWasEmitted() {
        assertFinds("came too often", MessageAccount.of(REPLAYED, List.of("0 a b", "0 a b", "1 a b")));
    }

    @Test
    void shouldFindTheMessageThatIsNotAcked() {
        assertFinds("acked", MessageAccount.of(List.of("open", "emit 0", "fail 0"), List.of("0 a b")));
    }

    @Test
    void shouldFindTheMessageThatIsAckedAgainByTheNextSpout() {
        assertFinds("acked not once", MessageAccount.of(List.of("open", "emit 0", "ack 0", "open", "emit 0", "ack 0"), List.of("0 a b")));
    }

    @Test
    void shouldFindTheMessageThatWasNotEmitted() {
        assertFinds("emitted", MessageAccount.of(List.of("open", "emit 1", "ack 1"), List.of("1 a b")));
    }

    private static void assertFinds(String what, MessageAccount account) {
        String message = assertThrows(AssertionError.class, account::assertNothingLost).getMessage();
        assertTrue(message.startsWith(what + " ==>"), message);
    }
}
