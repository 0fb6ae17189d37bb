package io.eyewall.transport.fabric.link;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.eyewall.transport.fabric.link.frame.Hello;
import io.eyewall.transport.fabric.link.frame.ProtocolException;
import org.junit.jupiter.api.Test;

class LinkSecretTest {

    private final LinkSecret secret = new LinkSecret("word-count-1", "17:4");

    @Test
    void shouldAcceptBothEndsThatKnowPurposeAndSecret() {
        LinkSecret same = new LinkSecret("word-count-1", "17:4");
        assertDoesNotThrow(() -> secret.check(hello(same, true), true));
        assertDoesNotThrow(() -> secret.check(hello(same, false), false));
    }

    @Test
    void shouldRefuseTheProofOfTheOtherEnd() {
        assertThrows(ProtocolException.class, () -> secret.check(hello(secret, true), false));
        assertThrows(ProtocolException.class, () -> secret.check(hello(secret, false), true));
    }

    @Test
    void shouldRefuseAnotherPurposeAndAnotherSecret() {
        assertThrows(ProtocolException.class, () -> secret.check(hello(new LinkSecret("word-count-2", "17:4"), true), true));
        assertThrows(ProtocolException.class, () -> secret.check(hello(new LinkSecret("word-count-1", ""), true), true));
    }

    private static Hello hello(LinkSecret of, boolean connecting) {
        return new Hello(of.proof(connecting), 4_096, 1, 0, new byte[0]);
    }
}
